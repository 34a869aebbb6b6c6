package org.ringwire.heap;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.WaitInterruptedException;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.channel.inbound.CarriedInbox;
import org.ringwire.heap.channel.inbound.ChunkPool;
import org.ringwire.heap.channel.inbound.GraphReader;
import org.ringwire.heap.channel.inbound.Inbox;
import org.ringwire.heap.channel.outbound.Outbox;
import org.ringwire.heap.image.Decoder;

/**
 * Carries graphs of objects between this node and one other, in both directions, each in the order
 * in which they were written. Made by {@link HeapChannels#to}.
 *
 * <p>A graph travels in blocks: while one is on its way the next one is being encoded, and what has
 * arrived is decoded by the thread that reads, so that no side ever holds the image as a whole. A
 * graph is handed out only when all of it is there. What nobody has read yet waits in the
 * receiver's memory, up to {@link ChannelOptions#windowBytes}; then its sender waits. What another
 * life of the receiver refuses is written again if that is possible: never is it handed out twice.
 *
 * <p>Any thread may call everything at any time, but for inline handlers, which may not wait: they
 * get an {@link IllegalStateException} where they would read or write. Graphs are written one at a
 * time, and read one at a time. Every wait has a bound, and ends with a {@link
 * ChannelTimeoutException} or another {@link MessagingException}. A graph that was changed while it
 * was written arrives as {@link HeapCodec} says. After a failure the channel goes on.
 */
public final class HeapChannel implements AutoCloseable {
  private final HeapChannels owner;
  private final Node node;
  private final int nodeId;
  private final HeapCodec codec;
  private final Duration timeout;
  private final Runnable left; // made before, as there may be no heap for it
  private final Outbox outbox;
  private final Inbox inbox;
  private final CarriedInbox carriedInbox;
  private final GraphReader reader;

  HeapChannel(
      HeapChannels owner,
      Node node,
      int nodeId,
      HeapCodec codec,
      ChannelOptions options,
      ChunkPool chunks,
      ChunkPool segments,
      @Nullable BlockCarrier carrier) {
    this.owner = owner;
    this.node = node;
    this.nodeId = nodeId;
    this.codec = codec;
    this.timeout = options.timeout();
    this.outbox =
        new Outbox(
            node,
            nodeId,
            options.blockBytes(),
            timeout,
            codec::channelEncoder,
            codec.encoders(),
            carrier,
            owner.elsewhere());
    this.inbox =
        new Inbox(
            nodeId,
            options.windowBytes(),
            chunks,
            this::decoderOf,
            codec.decoders(),
            owner.elsewhere());
    this.carriedInbox = CarriedInbox.of(inbox, nodeId, options.windowBytes(), carrier, segments);
    this.reader = new GraphReader(node, nodeId, inbox, timeout);
    this.left = () -> owner.left(this);
  }

  private Decoder decoderOf(long stream) {
    return codec.channelDecoder(number -> reader.declaredFrom(stream, number));
  }

  /**
   * The node at the other side.
   *
   * @return its id
   */
  public int nodeId() {
    return nodeId;
  }

  /**
   * Writes a graph; returns when all of it is in the receiver's memory, whether or not anybody has
   * read it.
   *
   * @param graph any object, or null
   * @throws org.ringwire.EncodingException if the graph has an object that cannot be sent, or
   *     exceeds a limit; the receiver gets nothing of it
   * @throws GraphLostException if the receiver has lost a part of it; not if all that is known of
   *     it is that the receiver was restarted, then it is written again
   * @throws ChannelTimeoutException if the receiver has not read what came before in time
   * @throws MessagingException with another subtype if the node cannot be reached, or its
   *     connection ends; then the graph may have arrived or not
   */
  public void writeObject(@Nullable Object graph) {
    requireWaiting();
    outbox.write(graph, false, true);
  }

  /**
   * Writes a graph; returns when all of it was handed to the node, so that it may be changed.
   *
   * @param graph any object, or null
   * @return stands for the graph in {@link #waitHandle} and {@link #testHandle}
   * @throws MessagingException as {@link #writeObject}
   */
  public WriteHandle writeObjectAsync(@Nullable Object graph) {
    requireWaiting();
    return new WriteHandle(this, outbox.writeAsync(graph));
  }

  /**
   * Waits until a graph is in the receiver's memory.
   *
   * @param handle of this channel
   * @throws IllegalArgumentException if the handle is of another channel
   * @throws MessagingException as {@link #writeObject}
   */
  public void waitHandle(WriteHandle handle) {
    require(handle);
    requireWaiting();
    try {
      long half = Math.min(TimeUnit.NANOSECONDS.convert(timeout), Long.MAX_VALUE / 2);
      Object _ = handle.outcome().get(2 * half, TimeUnit.NANOSECONDS);
    } catch (ExecutionException | CompletionException e) {
      throw failure(e.getCause());
    } catch (TimeoutException e) {
      throw new ChannelTimeoutException(
          "no graph has arrived in time: nodeId=" + nodeId + " timeout=" + timeout, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WaitInterruptedException("interrupted while waiting for a graph to arrive", e);
    }
  }

  /**
   * Whether a graph is in the receiver's memory.
   *
   * @param handle of this channel
   * @return false if that is not known yet
   * @throws IllegalArgumentException if the handle is of another channel
   * @throws MessagingException as {@link #writeObject}
   */
  public boolean testHandle(WriteHandle handle) {
    require(handle);
    if (handle.outcome().isCompletedExceptionally()) {
      throw failure(handle.outcome().exceptionNow());
    }
    return handle.outcome().isDone();
  }

  @SuppressWarnings("ReferenceEquality") // this very channel
  private void require(WriteHandle handle) {
    Objects.requireNonNull(handle, "handle must not be null");
    if (handle.channel() != this) {
      throw new IllegalArgumentException(
          "a handle of another channel: nodeId=" + handle.channel().nodeId);
    }
  }

  /** What an inline handler waits for would come through the thread that runs it. */
  private void requireWaiting() {
    if (!node.mayWait()) {
      throw new IllegalStateException(
          "an inline handler may neither read nor write graphs, as it would have to wait: register"
              + " it as POOLED or BLOCKING; nodeId="
              + nodeId);
    }
  }

  /** What is told of a graph whose arrival is not known. */
  MessagingException failure(@Nullable Throwable cause) {
    return new GraphLostException(
        "a graph may be lost: nodeId=" + nodeId + ": " + (cause == null ? "" : cause.getMessage()),
        cause);
  }

  /**
   * Writes what a collection or any other source has, but not the collection itself, as one graph;
   * else as {@link #writeObject}. Nothing is sent of how a collection arranges its elements.
   *
   * @param objects are iterated over once, on this thread
   */
  public void writeIterable(Iterable<?> objects) {
    requireWaiting();
    outbox.write(Objects.requireNonNull(objects, "objects must not be null"), true, false);
  }

  /**
   * Writes the elements of an array, but not the array itself, as {@link #writeIterable(Iterable)}.
   *
   * @param objects any array of references
   */
  public void writeIterable(@Nullable Object[] objects) {
    requireWaiting();
    outbox.write(
        Arrays.asList(Objects.requireNonNull(objects, "objects must not be null")), true, true);
  }

  /**
   * Whether {@link #readObject} has something to do: a graph has arrived, or failed, or as much of
   * one as there is room for.
   *
   * @return whether that is so at this moment
   */
  public boolean isReadable() {
    return inbox.isReadable();
  }

  /**
   * Reads the next graph; waits for it as long as {@link ChannelOptions#timeout} allows.
   *
   * @return what was written, a new object; a list of objects if it was written by {@link
   *     #writeIterable(Iterable)}
   * @throws org.ringwire.codec.DecodingException if it has what is not accepted here, exceeds a
   *     limit, or is not valid; the next graph can be read
   * @throws GraphLostException if the rest of it will not come, or this thread is interrupted in
   *     the middle of it, and stays so; the next graph can be read
   * @throws ChannelTimeoutException if none came in time; or not the rest of it, which is given up
   * @throws org.ringwire.MemoryLimitException if there is no native memory to put a part of it
   *     together that is longer than a block; the next graph can be read
   * @throws WaitInterruptedException if this thread is interrupted before; no graph is lost
   * @throws org.ringwire.NodeClosedException if this node is closed, and all that had come was read
   */
  public @Nullable Object readObject() {
    return readObject(timeout);
  }

  /**
   * As {@link #readObject()}.
   *
   * @param patience bounds the wait for the graph to begin
   * @return what was written
   * @throws IllegalArgumentException if the patience is negative
   */
  public @Nullable Object readObject(Duration patience) {
    return read(patience, false);
  }

  /**
   * Reads what was written by {@link #writeIterable(Iterable)}; else as {@link #readObject()}.
   *
   * @return a new list that may be changed
   * @throws IllegalStateException if the next graph is an object; it can still be read
   */
  public List<@Nullable Object> readIterable() {
    return readIterable(timeout);
  }

  /**
   * As {@link #readIterable()}.
   *
   * @param patience bounds the wait for the graph to begin
   * @return a new list that may be changed
   * @throws IllegalArgumentException if the patience is negative
   */
  @SuppressWarnings("unchecked") // of anything
  public List<@Nullable Object> readIterable(Duration patience) {
    Object objects = read(patience, true);
    if (objects instanceof List<?> list) {
      return (List<@Nullable Object>) list;
    }
    throw new DecodingException("one graph where there should be many: nodeId=" + nodeId);
  }

  private @Nullable Object read(Duration patience, boolean wantsMany) {
    Objects.requireNonNull(patience, "patience must not be null");
    if (patience.isNegative()) {
      throw new IllegalArgumentException("patience must not be negative: patience=" + patience);
    }
    requireWaiting();
    return codec.validated(reader.read(patience, wantsMany));
  }

  /**
   * Ends this channel and lets go of all that is kept for the other node; what was not read is
   * gone. For nodes that do not come back: a channel that is not closed is kept for ever, with
   * memory for images in both directions. Waits end as with {@link HeapChannels#close}. {@link
   * HeapChannels#to} makes a new one, and so does a graph from the other node; one that is arriving
   * meanwhile may be lost, which its sender is told.
   */
  @Override
  public void close() {
    owner.leave(this);
    end();
  }

  /** Nothing is written or read any more; who waits is told. */
  void end() {
    outbox.close(left);
    inbox.close();
  }

  Outbox outbox() {
    return outbox;
  }

  GraphReader reader() {
    return reader;
  }

  Inbox inbox() {
    return inbox;
  }

  CarriedInbox carriedInbox() {
    return carriedInbox;
  }
}
