package org.ringwire.heap;

import java.lang.foreign.MemorySegment;
import java.lang.ref.SoftReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.ringwire.EncodingException;
import org.ringwire.MessagingException;
import org.ringwire.codec.Codec;
import org.ringwire.codec.DecodingException;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.heap.MeasuredImages.Measured;
import org.ringwire.heap.image.Encoder;

/**
 * Graphs as messages. How long an image is shows only when it was made, so {@link #length} makes it
 * and {@link #encode}, which the same thread calls next for the same message, copies it: whatever
 * other threads do to the graph in between, the two agree.
 *
 * <p>What is between the two calls belongs to the thread. There may be a few such messages: a
 * handler that runs on a thread in the middle of a send may send, too, and a message that was
 * measured and then not sent (no room, a connection that ended) stays until {@link #MAX_MEASURED}
 * others have come, the thread ends, or memory is short: it may be the thread of a container, which
 * must not hold what an application wanted to send when that is gone, and its classes by that.
 * Large images do not stay with the thread but in {@link MeasuredImages}, since all threads
 * together may keep few of them. Such a handler may also send the same message, or so many others
 * that it is not there any more, as other threads may if it is large, or memory may be short: then
 * its image is made again, which has to be as long.
 *
 * @param <T> the class of the messages
 */
final class MessageCodec<T> implements Codec<T> {
  private static final int MAX_MEASURED = 4;

  private final HeapCodec codec;
  private final Class<T> type;
  private final ThreadLocal<SoftReference<Deque<Measured>>> measured =
      ThreadLocal.withInitial(() -> new SoftReference<>(null));

  MessageCodec(HeapCodec codec, Class<T> type) {
    this.codec = codec;
    this.type = type;
  }

  @Override
  public int length(T message) {
    Deque<Measured> waiting = waiting();
    Measured old = remove(waiting, message);
    if (old == null) { // nor may a large image of before outlive a change to a small one
      old = codec.measuredImages().take(message);
    }
    if (old == null && waiting.size() == MAX_MEASURED) {
      old = waiting.removeFirst();
    }
    Encoder encoder = old != null ? old.encoder() : codec.takeEncoder();
    Measured now = new Measured(message, encoder, measure(encoder, message));
    if (encoder.spareBytes() > MeasuredImages.LARGE) {
      codec.measuredImages().add(now);
    } else {
      waiting.addLast(now);
    }
    return (int) now.image().byteSize();
  }

  private Deque<Measured> waiting() {
    Deque<Measured> waiting = measured.get().get();
    if (waiting == null) {
      waiting = new ArrayDeque<>(MAX_MEASURED);
      measured.set(new SoftReference<>(waiting));
    }
    return waiting;
  }

  private MemorySegment measure(Encoder encoder, Object message) {
    try {
      MemorySegment image = encoder.encode(message);
      if (image.byteSize() <= Integer.MAX_VALUE) {
        return image;
      }
      throw new IllegalArgumentException("too long for a message: bytes=" + image.byteSize());
    } catch (Throwable e) { // whatever it is, others need the encoder
      codec.giveBack(encoder);
      throw e;
    }
  }

  @Override
  public void encode(T message, Writer writer) {
    Measured last = remove(waiting(), message);
    if (last == null) {
      last = codec.measuredImages().take(message);
    }
    Encoder encoder = last == null ? codec.takeEncoder() : last.encoder();
    try {
      MemorySegment image = last == null ? again(encoder, message, writer) : last.image();
      writer.putBytes(image, 0, image.byteSize());
    } finally {
      codec.giveBack(encoder);
    }
  }

  private static MemorySegment again(Encoder encoder, Object message, Writer writer) {
    MemorySegment image = encoder.encode(message);
    long announced = writer.limit() - writer.position();
    if (image.byteSize() != announced) {
      throw new EncodingException(
          "the graph has changed while it was sent: announced="
              + announced
              + " bytes="
              + image.byteSize());
    }
    return image;
  }

  @SuppressWarnings("ReferenceEquality") // the very message, the one measured last
  private static @Nullable Measured remove(Deque<Measured> waiting, Object message) {
    Iterator<Measured> newestFirst = waiting.descendingIterator();
    while (newestFirst.hasNext()) {
      Measured candidate = newestFirst.next();
      if (candidate.message() == message) {
        newestFirst.remove();
        return candidate;
      }
    }
    return null;
  }

  @Override
  public T decode(Reader reader) {
    long length = reader.remaining();
    long at = reader.advance(length);
    MemorySegment image = reader.memory().asSlice(at, length);
    Object graph = decode(image);
    if (!type.isInstance(graph)) {
      throw refused(
          "the image is of another type: expected="
              + type.getName()
              + " found="
              + (graph == null ? "null" : graph.getClass().getName()),
          null);
    }
    return type.cast(graph);
  }

  /**
   * Whatever is wrong with an image ends with it, since its length is known from the message: so
   * one that is refused, for a class that is not accepted here, a limit, a validator, or since it
   * is none, costs its message only, and not the connection as bytes do that are the encoding of
   * nothing.
   */
  private @Nullable Object decode(MemorySegment image) {
    try {
      if (codec.lengthOf(image) != image.byteSize()) {
        throw refused("a message is not exactly one image: bytes=" + image.byteSize(), null);
      }
      return codec.decode(image);
    } catch (DecodingException e) {
      throw refused(e.getMessage(), e);
    }
  }

  private static MessagingException refused(
      @Nullable String reason, @Nullable DecodingException cause) {
    return new MessagingException("an image was refused: " + reason, cause);
  }
}
