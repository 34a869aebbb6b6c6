package org.ringwire.heap.channel.outbound;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.ringwire.Exchange;
import org.ringwire.Node;
import org.ringwire.WaitInterruptedException;
import org.ringwire.heap.BlockCarrier;
import org.ringwire.heap.ChannelTimeoutException;
import org.ringwire.heap.channel.ChannelMessages.ClassInquiry;
import org.ringwire.heap.channel.ChannelMessages.Declarations;
import org.ringwire.heap.channel.ChannelMessages.Inquiry;
import org.ringwire.heap.channel.ChannelMessages.WritingState;
import org.ringwire.heap.channel.ChannelsClosedException;
import org.ringwire.heap.image.Encoder;
import org.ringwire.heap.image.Pool;
import org.ringwire.heap.image.classes.DeclaredClasses;

/**
 * Sends graphs to one node, one at a time, whoever calls. A stream is opened with the first graph,
 * and anew after anything of it was lost.
 */
public final class Outbox {
  private static final int DECLARATIONS_AT_ONCE = 64;
  private static final int MOST_FORMER = 8;
  private static final CompletableFuture<Object> NOTHING = CompletableFuture.completedFuture("");

  /** What who asks for a stream is told that is not there. */
  public static final String ENDED = "the stream has ended";

  private final Node node;
  private final int peer;
  private final int blockBytes;
  private final Duration timeout;
  private final Function<DeclaredClasses, Encoder> encoders;
  private final Pool<Encoder> kept;
  private final @Nullable BlockCarrier carrier;
  private final Executor elsewhere;
  private final RoomWait roomWait = new RoomWait();
  private final ReentrantLock lock = new ReentrantLock();

  /** Written under the lock; read by handlers. */
  private volatile @Nullable OutStream stream;

  /** What the latest streams have declared, by their ids: their graphs may not be read yet. */
  private final Map<Long, DeclaredClasses> former = new ConcurrentHashMap<>();

  /** The ids of these, oldest first; under the lock. */
  private final ArrayDeque<Long> formerIds = new ArrayDeque<>();

  private volatile boolean isClosed;
  private volatile Runnable whenLeft = () -> {};

  /** Made with it: a lambda that finds no heap where it comes first is lost for ever. */
  @SuppressWarnings("UnnecessaryLambda")
  private final BiConsumer<Object, @Nullable Throwable> leaves = (_, _) -> whenLeft.run();

  /**
   * One that has no stream yet.
   *
   * @param blockBytes how long a block may be
   * @param timeout bounds each wait
   * @param encoders makes one for the classes of a stream
   * @param kept counts what these keep
   * @param carrier takes blocks if the other node has one of its kind, unless null
   * @param elsewhere runs what those that take answers may not wait for
   */
  public Outbox(
      Node node,
      int peer,
      int blockBytes,
      Duration timeout,
      Function<DeclaredClasses, Encoder> encoders,
      Pool<Encoder> kept,
      @Nullable BlockCarrier carrier,
      Executor elsewhere) {
    this.node = node;
    this.peer = peer;
    this.blockBytes = blockBytes;
    this.timeout = timeout;
    this.encoders = encoders;
    this.kept = kept;
    this.carrier = carrier;
    this.elsewhere = elsewhere;
  }

  /**
   * Writes a graph; returns when it is in the receiver's memory.
   *
   * @param isRepeatable whether it may be encoded twice, if the receiver turns out to have begun
   *     anew
   */
  public void write(@Nullable Object graph, boolean isMany, boolean isRepeatable) {
    boolean asks = !isRepeatable || carrier != null;
    long _ = write(open -> open.write(graph, isMany, true), isRepeatable, asks);
  }

  /** Writes a graph; the future ends when it is in the receiver's memory. */
  public CompletableFuture<?> writeAsync(@Nullable Object graph) {
    return write(open -> open.outcome(open.write(graph, false, false)), true, true);
  }

  /**
   * As above.
   *
   * @param asks after a pause, whether the receiver still knows the stream: of what is not refused
   *     while it could be written again
   */
  private <R> R write(Function<OutStream, R> writing, boolean isRepeatable, boolean asks) {
    long startNs = System.nanoTime();
    enter();
    try {
      return writing.apply(openStream(timeout, asks));
    } catch (UnknownStreamException e) {
      Duration left = timeout.minusNanos(System.nanoTime() - startNs);
      if (!isRepeatable || !left.isPositive()) {
        throw e.lost();
      }
      return writeAgain(writing, left);
    } finally {
      leave();
    }
  }

  /** Nobody has got the graph, nor can, so it is written to a new stream. */
  private <R> R writeAgain(Function<OutStream, R> writing, Duration left) {
    try {
      OutStream open = openStream(left, false);
      try {
        return writing.apply(open);
      } finally {
        open.bound(timeout);
      }
    } catch (UnknownStreamException e) {
      throw e.lost();
    }
  }

  private void leave() {
    lock.unlock();
    if (isClosed) {
      closeStream();
    }
  }

  /** Unless somebody is writing, who does it then; that may be this thread. */
  private void closeStream() {
    if (!lock.isHeldByCurrentThread() && lock.tryLock()) {
      CompletableFuture<?> arrivals = NOTHING;
      try {
        OutStream open = stream;
        if (open != null) {
          open.close();
          arrivals = open.arrivals();
        }
      } finally {
        lock.unlock();
        Object _ = arrivals.whenComplete(leaves);
      }
    }
  }

  private void enter() {
    if (lock.isHeldByCurrentThread()) {
      throw new IllegalStateException("a graph is being written by this thread");
    }
    try {
      if (!lock.tryLock(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS)) {
        throw new ChannelTimeoutException(
            "other threads write graphs all the time: nodeId=" + peer + " timeout=" + timeout);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WaitInterruptedException("interrupted while waiting for another writer", e);
    }
  }

  private OutStream openStream(Duration patience, boolean asks) {
    if (isClosed) {
      throw new ChannelsClosedException();
    }
    OutStream open = stream;
    if (open != null) {
      open.settle();
      if (asks) {
        open.check();
      }
    }
    if (open == null || open.isBroken()) {
      if (open != null) {
        remember(open);
        open.close();
      }
      long id = ThreadLocalRandom.current().nextLong();
      open =
          new OutStream(
              new SenderEnd(node, peer, id, patience, roomWait, elsewhere), encoders, kept);
      stream = open;
      open.open(blockBytes, carrier);
    }
    return open;
  }

  private void remember(OutStream old) {
    if (old.classes.from(0, 1).isEmpty()) {
      return;
    }
    former.put(old.id, old.classes);
    formerIds.addLast(old.id);
    if (formerIds.size() > MOST_FORMER) {
      former.remove(formerIds.removeFirst());
    }
  }

  // Handlers.

  /** Whether a stream is, or was lately, one of this; else it is nothing that this can tell of. */
  public boolean hasStream(long id) {
    OutStream open = stream;
    return (open != null && open.id == id) || former.containsKey(id);
  }

  /** The receiver wants to know whether more of a graph will come. */
  public void inquiry(Inquiry inquiry, Exchange exchange) {
    OutStream open = stream;
    if (open == null || open.id != inquiry.stream()) {
      exchange.fail(ENDED);
    } else {
      exchange.reply(new WritingState(open.isWriting(inquiry.graph())));
    }
  }

  /** The receiver has missed declarations. */
  public void classes(ClassInquiry inquiry, Exchange exchange) {
    OutStream open = stream;
    DeclaredClasses known =
        open != null && open.id == inquiry.stream() ? open.classes : former.get(inquiry.stream());
    if (known == null) {
      exchange.fail(ENDED);
    } else {
      exchange.reply(new Declarations(known.from(inquiry.number(), DECLARATIONS_AT_ONCE)));
    }
  }

  /**
   * No graph is written after this. Who waits for room stops to; who does not goes on to the end.
   *
   * @param left runs, maybe twice, once nobody writes any more and all that was written has arrived
   *     or is lost, for until then the receiver asks; on any thread
   */
  public void close(Runnable left) {
    whenLeft = left; // before who leaves sees that this is closed
    isClosed = true;
    roomWait.close();
    closeStream();
  }
}
