package org.ringwire.engine.dispatch;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.ringwire.engine.inbound.Delivery;
import org.ringwire.engine.inbound.LinkType;
import org.ringwire.engine.inbound.Registration;
import org.ringwire.engine.inbound.workers.HandlerWorker;
import org.ringwire.engine.inbound.workers.Work;
import org.ringwire.engine.outbound.SendContext;
import org.ringwire.engine.outbound.Waits.Busy;
import org.ringwire.engine.outbound.Waits.Holder;
import org.ringwire.ring.Lane;
import org.ringwire.ring.ReceiveBuffer;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.wire.FrameLayout;

/**
 * The messages of a link on their way from its reading thread to one worker, in order. The lane's
 * count of pending frames decides who schedules: the reading thread when it adds to an empty lane,
 * the worker as long as it is not empty. Whoever runs this is the consumer of the lane, and says
 * that it is empty last of all: another thread may run this from that moment on.
 *
 * <p>When a handler of an unordered lane waits for long, another thread goes on with the lane: the
 * frame being handled is retained and leaves the lane, which then has another consumer ({@link
 * #handOn}, by the thread of the handler, before it waits). What belongs to that frame stays with
 * its thread: its {@link Delivery}, with the reused instance and the exchange, and its settlement.
 */
final class LaneTask extends Work {

  private static final long BATCH_BYTES = 64 << 10;

  private final Lane lane;
  private final HandlerWorker worker;
  private final InboundPipe pipe;
  private final boolean ordered;
  private Handling handling; // the consumer's

  /** The handling that may reuse instances, when its handler has waited and is done. */
  private volatile @Nullable Handling returned;

  /** Those who are not done with a message for a blocking handler: it, and who has started it. */
  private final AtomicInteger resumers = new AtomicInteger();

  private final Runnable resume = this::resume; // made before, as there may be no heap for it

  private long batchBytes; // handled and not told yet; the consumer's, as the next
  private long batchMessages;
  private long toldBytes; // of the same batch
  private long toldMessages;

  /** How a batch has ended. */
  private enum Left {
    /** There is, or may be, more to do. */
    MORE,
    /** No frame was found, and the lane has not settled. */
    NOTHING,
    /** The lane has another consumer. */
    ANOTHER_CONSUMER,
    /** A blocking handler was started, and then this goes on. */
    BLOCKING
  }

  /** One consumer of the lane, for as long as it is that. Its thread only. */
  private final class Handling implements Busy {
    final Delivery delivery;

    /** What its handler has waited with, after the lane has gone on to another consumer. */
    Lane.@Nullable Retained kept;

    private final boolean reuses;
    boolean handedOn;

    /** What becomes of the message in hand, if its handler waits or has retained it. */
    @Nullable Loan loan;

    Handling(int index) {
      reuses = index != NO_REUSE;
      delivery = pipe.newDelivery(index, this::retain);
    }

    Loan loan() {
      Loan made = loan;
      if (made == null) {
        made = new Loan(FrameLayout.readHeader(lane.memory(), lane.offset()), delivery);
        loan = made;
      }
      return made;
    }

    /** Keeps the credit, and the memory only where a view may need it: many share a chunk. */
    private Runnable retain() {
      Loan lent = loan();
      return pipe.typeOf(lent.header).mayHoldViews() ? retainMemory(lent) : lent::settle;
    }

    private Runnable retainMemory(Loan lent) {
      Lane.Retained own = kept;
      Lane.Retained retained = own == null ? lane.retain() : own;
      Runnable release = null;
      try {
        release =
            () -> {
              retained.close();
              lent.settle();
            };
        kept = null;
        return release;
      } finally {
        if (release == null && own == null) { // there is no heap, and the message is over as others
          retained.close();
        }
      }
    }

    /** What it has handled is told as well: it may wait outside of this library. */
    @Override
    public boolean tryLetGo(Object connection) {
      if (!pipe.endsToo(connection)) {
        return true;
      }
      tellBatch(this);
      return loan().tryLetGo(connection);
    }

    /** As above. */
    @Override
    public Holder forOthers() {
      Loan own = loan();
      tellBatch(this);
      return own;
    }

    /** What it has done is told also where it keeps an order, or nobody takes its place. */
    @Override
    public void aboutToWait() {
      tellBatch(this);
      Loan own = loan;
      if (own != null) {
        own.aboutToWait();
      }
    }
  }

  /**
   * What becomes of a message whose handler waits, or has retained it. Credit is lent in advance
   * while that waits for another node (see {@link BlockingCall}). The message is let go before its
   * end if its handler, or a thread that does something for that, waits for the end of the
   * connection, which waits for the message. Any thread, under the lock.
   */
  private final class Loan implements Holder {
    final long header;
    private @Nullable Delivery handler; // until it has returned
    private boolean lent;
    private boolean endAwaited;
    private boolean letGo;
    private boolean done;

    /** By its handler's thread, which is the consumer of the lane, or by who has the frame. */
    Loan(long header, Delivery handler) {
      this.header = header;
      this.handler = handler;
    }

    @Override
    public boolean tryLetGo(Object connection) {
      return !pipe.endsToo(connection) || tryLetGo() || !pipe.isOf(connection);
    }

    /** By its handler's thread: it may have answered since somebody has waited for that end. */
    void aboutToWait() {
      if (isEndAwaited()) {
        boolean _ = tryLetGo();
      }
    }

    private synchronized boolean isEndAwaited() {
      return endAwaited;
    }

    /** False if the peer waits for an answer; else it counts as processed, once, and keeps all. */
    private boolean tryLetGo() {
      synchronized (this) {
        endAwaited = true;
        if (handler != null && handler.isAwaited()) {
          return false;
        }
        if (ordered || letGo || done) { // the next ones in order must not come before its end
          return true;
        }
        letGo = true;
      }
      pipe.letGo();
      return true;
    }

    /** By its handler's thread, which waits; whether it is lent. */
    synchronized boolean tryLend() {
      lent = !letGo && pipe.lend(header);
      return lent;
    }

    /** By its handler's thread, before that takes another message. */
    synchronized void handlerReturned() {
      handler = null;
    }

    /** Counts it as processed if it was let go; false if its batch is to count it. */
    boolean settleIfLetGo() {
      synchronized (this) {
        done = true;
        if (!letGo) {
          return false;
        }
      }
      pipe.giveBack(header, false); // what lane and batch still have was never lent
      return true;
    }

    /** The message counts as processed, and what was lent is paid back with that. */
    void settle() {
      boolean wasLent;
      boolean wasLetGo;
      synchronized (this) {
        done = true;
        wasLent = lent;
        wasLetGo = letGo;
        lent = false;
      }
      pipe.done(header, wasLetGo, wasLent);
    }
  }

  /** As index of a delivery: decodes without reuse of instances. */
  private static final int NO_REUSE = -1;

  LaneTask(
      InboundPipe pipe,
      HandlerWorker worker,
      ReceiveBufferPool buffers,
      int index,
      boolean ordered) {
    this.pipe = pipe;
    this.worker = worker;
    this.ordered = ordered;
    lane = new Lane(buffers);
    handling = new Handling(index);
  }

  /** Reading thread; whether {@link #schedule} must follow. */
  boolean append(MemorySegment memory, long offset, long occupied, long header) {
    return lane.append(memory, offset, occupied, header);
  }

  /** As above: takes the buffer of a large frame. */
  boolean append(ReceiveBuffer buffer, long length) {
    return lane.append(buffer, 0, length);
  }

  /** Reading thread: there is something again. */
  void schedule() {
    worker.submit(this);
  }

  /** Messages that were appended and are not known to be handled; any thread. */
  long length() {
    return lane.length();
  }

  /** Whether what is appended now would wait for a handler that takes long; a hint. */
  boolean isHeldUp() {
    return worker.isOverdue() && !lane.isEmpty();
  }

  /** Whether everything appended was handled. */
  boolean isEmpty() {
    return lane.isEmpty();
  }

  @Override
  public boolean run(HandlerWorker current) {
    return switch (handle(current)) {
      case MORE -> true;
      case NOTHING -> !lane.settle(); // once it has, the next append submits this task
      case ANOTHER_CONSUMER -> false;
      case BLOCKING -> isLastToResume();
    };
  }

  private Left handle(HandlerWorker current) {
    Handling own = ownHandling();
    boolean gone = false; // whether the lane has another consumer, which may have taken own by now
    beginBatch();
    long mostUntold = pipe.mostUntold();
    int ticks = current.ticks();
    long beganNs = System.nanoTime();
    current.handles(own);
    try {
      pipe.slowHandlers().wake();
      while (lane.next()) {
        MemorySegment memory = lane.memory();
        long offset = lane.offset();
        long header = FrameLayout.readHeader(memory, offset);
        if (pipe.hasEnded()) {
          lane.release();
          pipe.abandon(header);
          continue;
        }
        LinkType type = pipe.typeOf(header);
        Registration registration = pipe.registrationOf(type);
        if (registration.isBlocking()) {
          startBlocking(own.delivery, type, registration, memory, offset, header);
          return Left.BLOCKING; // lanes of their kind are ordered
        }
        try {
          own.delivery.handle(type, registration, memory, offset, header);
        } finally {
          current.forgetInterrupt();
          gone = own.handedOn;
          handled(own, header);
        }
        if (gone) {
          return Left.ANOTHER_CONSUMER;
        }
        int now = current.ticks();
        if (toldBytes + batchBytes >= BATCH_BYTES || (now != ticks && isTurnOfOthers(current))) {
          return Left.MORE;
        }
        ticks = now;
        if (batchBytes >= mostUntold) { // the next handler may take its time
          tellBatch(own);
        }
      }
      return Left.NOTHING;
    } catch (Throwable e) { // whatever it is nobody else would go on with the lane
      tryEndLink(e);
      return gone ? Left.ANOTHER_CONSUMER : Left.MORE; // the frame to blame was not settled
    } finally {
      if (!gone) {
        tellCredit(batchBytes, batchMessages, false);
        if (!ordered) {
          pipe.pace().took(toldMessages + batchMessages, System.nanoTime() - beganNs);
        }
      }
    }
  }

  private void beginBatch() {
    batchBytes = 0;
    batchMessages = 0;
    toldBytes = 0;
    toldMessages = 0;
  }

  /**
   * The batch takes its time: what its handlers have answered does not wait for its end, nor do
   * those behind it for whom nobody else comes.
   */
  private static boolean isTurnOfOthers(HandlerWorker current) {
    boolean theirs = current.takesTurns();
    if (!theirs) { // else this is the end
      SendContext.current().drainDeferred();
    }
    return theirs;
  }

  private void tryEndLink(Throwable defect) {
    try {
      pipe.violated(defect);
    } catch (OutOfMemoryError e) {
      // the lane goes on, and comes back here if there is still no memory
    }
  }

  private Handling ownHandling() {
    Handling back = returned;
    if (back != null) {
      returned = null;
      back.handedOn = false;
      handling = back;
    }
    return handling;
  }

  private void handled(Handling own, long header) {
    Loan loan = own.loan;
    own.loan = null;
    if (loan != null) {
      loan.handlerReturned();
    }
    if (!own.handedOn) {
      lane.release();
      if (own.delivery.over() && (loan == null || !loan.settleIfLetGo())) {
        batchBytes += pipe.settle(header);
        batchMessages++;
      }
      return;
    }
    Lane.Retained kept = own.kept;
    own.kept = null;
    if (kept != null) {
      kept.close();
    }
    if (own.delivery.over() && loan != null) { // one that was handed on has one
      loan.settle();
    }
    if (own.reuses) {
      returned = own;
    }
  }

  /**
   * In the middle of a handler: others go on with the lane, if it need not keep an order. The peer
   * is lent what the message holds of the window, as where handlers of two nodes wait for each
   * other and the windows between them are full.
   */
  @Override
  public void handOn(HandlerWorker current) {
    if (ordered) {
      return;
    }
    Handling own = handling;
    Handling successor = new Handling(NO_REUSE); // first: there may be no heap for it
    Loan loan = own.loan();
    Lane.Retained kept = lane.retain();
    own.kept = kept;
    own.handedOn = true;
    lane.release();
    boolean lent = loan.tryLend();
    long bytes = batchBytes;
    long messages = batchMessages;
    handling = successor;
    current.submit(this);
    tellCredit(bytes, messages, lent);
  }

  /** What the batch has handled is told now, and not at its end. */
  private void tellBatch(Handling own) {
    if (own.handedOn) { // it has another consumer, and was told
      return;
    }
    long bytes = batchBytes;
    long messages = batchMessages;
    toldBytes += bytes;
    toldMessages += messages;
    batchBytes = 0;
    batchMessages = 0;
    tellCredit(bytes, messages, false);
  }

  /** The lane goes on, with this consumer or another one, whether this fails or not. */
  private void tellCredit(long bytes, long messages, boolean lent) {
    try {
      pipe.processed(bytes, messages);
      if (lent) {
        pipe.tellCredit();
      }
    } catch (OutOfMemoryError | StackOverflowError e) {
      // counted it is, and the next CREDIT says it
    } catch (Throwable e) { // whatever it is nobody else would go on with the lane
      tryEndLink(e);
    }
  }

  private void startBlocking(
      Delivery delivery,
      LinkType type,
      Registration registration,
      MemorySegment memory,
      long offset,
      long header) {
    resumers.set(2);
    try {
      pipe.startBlocking(delivery, type, registration, memory, offset, header, resume);
    } finally {
      lane.release();
    }
  }

  /** The handler has returned. */
  private void resume() {
    if (isLastToResume()) {
      worker.submit(this);
    }
  }

  /**
   * Who comes last goes on with the lane: the handler, or the thread that has started it, which may
   * have another one in its place by then.
   */
  private boolean isLastToResume() {
    return resumers.decrementAndGet() == 0;
  }
}
