package org.ringwire.heap.channel.outbound;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.ringwire.ConnectionLostException;
import org.ringwire.MessagingException;
import org.ringwire.heap.BlockCarrier;
import org.ringwire.heap.GraphLostException;
import org.ringwire.heap.channel.ChannelMessages;
import org.ringwire.heap.channel.ChannelMessages.Block;
import org.ringwire.heap.channel.ChannelMessages.Check;
import org.ringwire.heap.channel.ChannelMessages.Granted;
import org.ringwire.heap.channel.ChannelMessages.Opened;
import org.ringwire.heap.channel.ChannelsClosedException;
import org.ringwire.heap.image.BlockSink;
import org.ringwire.heap.image.Encoder;
import org.ringwire.heap.image.Pool;
import org.ringwire.heap.image.classes.DeclaredClasses;

/**
 * A stream at its sender: encodes graphs, whose blocks go to the receiver by a {@link BlockPath}.
 * For one thread at a time, but for what is marked.
 */
final class OutStream implements BlockSink, AutoCloseable {
  private static final int REASON_LENGTH = 500;

  /** Less time than it takes to restart a process, and much more than an answer takes. */
  private static final long PAUSE_NS = 250_000_000;

  /** Any thread. */
  final long id;

  /** Any thread. */
  final DeclaredClasses classes = new DeclaredClasses();

  private final SenderEnd end;
  private final Encoder encoder;
  private final Pool<Encoder> kept;
  private long keptBytes;

  /** Null until it is open. */
  private @Nullable BlockPath path;

  /** Of a graph that was given up: ends when the next one may be written. */
  private @Nullable CompletableFuture<?> givingUp;

  private long graph;
  private boolean waits;
  private long usedNs;

  /** The graph that is being written, or 0; written by one thread, read by any. */
  private volatile long writing;

  /** Graphs that were written, by number, of which something may be on its way. */
  private final Map<Long, CompletableFuture<?>> underWay = new ConcurrentHashMap<>();

  /** What its encoder keeps from graph to graph is counted with what a pool keeps. */
  OutStream(SenderEnd end, Function<DeclaredClasses, Encoder> encoders, Pool<Encoder> kept) {
    this.end = end;
    this.kept = kept;
    this.id = end.stream();
    this.encoder = encoders.apply(classes);
  }

  /** Begins; at most so many bytes are put into a block, which the carrier takes, if any does. */
  void open(int mostBlockBytes, @Nullable BlockCarrier carrier) {
    Opened opened = end.open();
    BlockPath carried =
        carrier == null ? null : CarriedPath.open(end, carrier, opened.window(), mostBlockBytes);
    path = carried == null ? new MessagePath(end, opened, mostBlockBytes) : carried;
    usedNs = System.nanoTime();
  }

  /** The timeout of each wait from now on. */
  void bound(Duration timeout) {
    end.bound(timeout);
  }

  private BlockPath path() {
    return Objects.requireNonNull(path);
  }

  /**
   * Waits until the next graph may be written; if that will not be, the stream is broken.
   *
   * @throws ChannelsClosedException if the channels are closed meanwhile
   */
  void settle() {
    CompletableFuture<?> request = givingUp;
    givingUp = null;
    if (request == null) {
      return;
    }
    try {
      Object _ = end.roomWait().await(request);
    } catch (ExecutionException e) {
      close(); // who reads hears of it from the next stream
    } catch (Throwable e) { // declared or not
      close();
      throw e;
    }
  }

  /**
   * Asks the receiver whether it knows the stream, if that was not used for a while, in which the
   * node may have been restarted. Nothing of a graph was sent then, so nothing is lost.
   *
   * @throws MessagingException if the node cannot be reached, or does not answer
   */
  void check() {
    if (isBroken() || System.nanoTime() - usedNs < PAUSE_NS) {
      return;
    }
    try {
      if (end.request(new Check(id), Granted.class).granted() == ChannelMessages.NO_STREAM) {
        close();
      }
    } catch (GraphLostException | ConnectionLostException e) { // it has ended, or is not known to
      close();
    }
  }

  /** Whether something of it was lost, so that a new one is needed. */
  boolean isBroken() {
    BlockPath open = path;
    return open == null || open.hasFailed();
  }

  /** Asks for the outcome of a graph that was written. */
  CompletableFuture<?> outcome(long number) {
    return path().outcome(number);
  }

  /** Whether blocks of a graph may come that have not. Any thread. */
  boolean isWriting(long number) {
    return writing == number || underWay.containsKey(number); // in the order opposite to a writer's
  }

  /** Ends when nothing of the graphs that were written is on its way any more. */
  CompletableFuture<?> arrivals() {
    return CompletableFuture.allOf(underWay.values().toArray(new CompletableFuture<?>[0]));
  }

  /**
   * Writes a graph, or several as one.
   *
   * @param waitsForArrival whether this returns only when the receiver has all of it
   * @return its number
   */
  long write(@Nullable Object object, boolean isMany, boolean waitsForArrival) {
    BlockPath open = path();
    graph++;
    waits = waitsForArrival;
    open.begin(graph, isMany ? ChannelMessages.MANY : 0);
    writing = graph;
    try {
      if (isMany && object instanceof Iterable<?> all) {
        encoder.streamAll(all, open.blockBytes(), this);
      } else {
        encoder.stream(object, open.blockBytes(), this);
      }
      return graph;
    } catch (Throwable e) { // declared or not
      if (!open.hasFailed()) {
        if (open.blocks() == 0) {
          graph--; // nobody has heard of it
        } else {
          giveUp(open, e);
        }
      }
      throw e;
    } finally {
      CompletableFuture<?> request = givingUp;
      isUnderWay(
          graph,
          request == null ? open.underWay() : CompletableFuture.allOf(open.underWay(), request));
      writing = 0;
      usedNs = System.nanoTime();
      keptBytes = path == null ? 0 : kept.count(encoder, keptBytes);
    }
  }

  /** No lambda: one that finds no heap where it comes first is lost for ever. */
  private record Arrival(
      Map<Long, CompletableFuture<?>> underWay, long number, CompletableFuture<?> blocks)
      implements BiConsumer<Object, @Nullable Throwable> {

    @Override
    public void accept(Object result, @Nullable Throwable why) {
      boolean _ = underWay.remove(number, blocks);
    }
  }

  private void isUnderWay(long number, CompletableFuture<?> blocks) {
    if (!blocks.isDone()) {
      underWay.put(number, blocks);
      Object _ = blocks.whenComplete(new Arrival(underWay, number, blocks));
    }
  }

  private void giveUp(BlockPath open, Throwable cause) {
    String reason = String.valueOf(cause);
    String shortened = reason.substring(0, Math.min(REASON_LENGTH, reason.length()));
    MemorySegment text = MemorySegment.ofArray(shortened.getBytes(UTF_8));
    try {
      givingUp =
          open.giveUp(
              new Block(
                  id, graph, open.blocks(), ChannelMessages.GIVEN_UP, text, MemorySegment.NULL));
    } catch (MessagingException e) {
      close();
      cause.addSuppressed(e);
    }
  }

  @Override
  public void accept(MemorySegment head, @Nullable MemorySegment body, boolean isLast) {
    path().send(head, body == null ? MemorySegment.NULL : body, isLast, waits);
  }

  /** Nothing more is written. */
  @Override
  public void close() {
    BlockPath open = path;
    path = null;
    kept.uncount(keptBytes);
    keptBytes = 0;
    if (open != null) {
      open.close();
    }
  }
}
