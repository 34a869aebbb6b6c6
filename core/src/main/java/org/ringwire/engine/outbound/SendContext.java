package org.ringwire.engine.outbound;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.Writer;
import org.ringwire.idle.ActiveThread;

/**
 * What a thread carries while it sends: a writer, whether it is inside an inline handler, the pipes
 * that it will drain at the end of a batch of handlers, the {@link Route}s that its messages have
 * gone lately, and what it was refused lately. Confined to its thread; nothing here is indexed by
 * thread, so that any number of short-lived threads may send.
 */
public final class SendContext {

  /** Ways that a thread may alternate between, in pairs; a power of two. */
  private static final int ROUTES = 8;

  private static final int PAIRS = ROUTES / 2;

  /** Senders whose refusals a thread may keep at a time; a power of two. */
  private static final int REFUSALS = 8;

  /** After so many hints that there is room those that follow are told apart from the others. */
  private static final int MANY_HINTS = 32;

  /** A write that takes so long is worth more than what a message else costs. */
  private static final long COSTLY_NS = 1_000;

  /** Writes of single messages in a row after which a thread leaves the next to the flusher. */
  static final int WRITES_IN_A_ROW = 8;

  /** A thread whose batches may take long. */
  public interface Watched {
    /**
     * Whether somebody writes what it puts off for a pipe of this flusher while a batch goes on.
     */
    boolean isWatched(Flusher flusher);
  }

  private static final ThreadLocal<SendContext> CURRENT = ThreadLocal.withInitial(SendContext::new);

  /**
   * Contexts of threads that have sent lately, at the lower bits of the thread's id. Written
   * without synchronisation: a thread uses what it finds only if it is its own, by the id that is
   * final in it, and what is its own was written by itself.
   */
  private static final @Nullable SendContext[] RECENT = new SendContext[256];

  /** How many nodes of the process have ended. */
  private static final AtomicInteger ENDED = new AtomicInteger();

  private final long threadId = Thread.currentThread().threadId();
  private final Writer writer = new Writer();
  private final ActiveThread active = new ActiveThread();
  private Route lastRoute;
  private final Route[] routes = new Route[ROUTES];
  private final Contention[] contentions = new Contention[ROUTES]; // by node, whatever is sent
  private int newerRoutes; // one bit for each pair: whether its second was used last
  private int ended = ENDED.get(); // nodes that had when the ways were new
  private boolean writerInUse;
  private int otherClaims;
  private final long[] refusedBy = new long[REFUSALS]; // number of a sender, or 0; at its low bits
  private final long[] refusedNeeded = new long[REFUSALS];
  private int hints;
  private long manyHintsNs; // when the last one of so many came
  private int inlineDepth;
  private int batchDepth;
  private @Nullable Watched watched; // the thread itself, if its batches may take long
  private boolean mayTakeLong; // the batch that goes on
  private OutboundPipe[] deferred = new OutboundPipe[4];
  private long[] positions = new long[4]; // of each one's last message
  private int deferredCount;
  private final Runnable batchEnd = this::endBatch;
  private long writeBeganNs; // of a single message, the last one
  private long wroteNs; // end of its last write, of whatever
  private long lookedNs; // when it asked last whether to write
  private int writesInARow;
  private boolean clockIsFresh;
  private long clockNs;

  private SendContext() {
    Arrays.setAll(contentions, _ -> new Contention());
    Arrays.setAll(routes, slot -> new Route(contentions[slot]));
    lastRoute = routes[0];
  }

  /**
   * The context of the calling thread. A thread-local variable is a chain of ten dependent loads,
   * which every message would wait for; the table is three.
   */
  public static SendContext current() {
    long id = Thread.currentThread().threadId();
    SendContext recent = RECENT[(int) id & RECENT.length - 1];
    return recent != null && recent.threadId == id ? recent : find(id);
  }

  private static SendContext find(long id) {
    SendContext context = CURRENT.get();
    RECENT[(int) id & RECENT.length - 1] = context;
    if (context.ended != ENDED.get()) { // it was not among those that were told
      context.forgetEnded();
    }
    return context;
  }

  /**
   * A node has ended. Lets go of what threads that have ended may have left behind, and of the ways
   * that messages of the others have gone, which lead to that node and to classes of its
   * application. Contexts and ways that are in use are found again. Who has given its place to
   * another thread lets go of them when it sends again.
   */
  public static void forgetRecent() {
    ENDED.incrementAndGet(); // first: who is found from now on does so itself
    for (SendContext context : RECENT) {
      if (context != null) {
        context.forgetRoutes();
      }
    }
    Arrays.fill(RECENT, null);
  }

  /**
   * The calling thread has closed a node: it may be one of a container, for which that was the end
   * of an application, and shall keep neither its classes nor this library. A context that is in
   * use further up stays.
   */
  public static void forgetOwn() {
    SendContext own = current();
    boolean inUse = own.writerInUse || own.inlineDepth > 0 || own.batchDepth > 0;
    if (!inUse && own.watched == null) { // a thread of a pool may have suspended its batch
      CURRENT.remove();
      RECENT[(int) own.threadId & RECENT.length - 1] = null; // else it is found again
    }
  }

  /**
   * Any thread, at any time: the owner finds the old routes or new ones, which lead nowhere, and
   * both are its own from then on.
   */
  private void forgetRoutes() {
    Contention[] newContentions = new Contention[ROUTES];
    Route[] fresh = new Route[ROUTES];
    for (int slot = 0; slot < ROUTES; slot++) { // no lambda where there may be no heap for one
      newContentions[slot] = new Contention();
      fresh[slot] = new Route(newContentions[slot]);
    }
    VarHandle.releaseFence(); // before the owner can find them
    System.arraycopy(newContentions, 0, contentions, 0, ROUTES);
    System.arraycopy(fresh, 0, routes, 0, ROUTES);
    lastRoute = fresh[0];
  }

  private void forgetEnded() {
    int now = ENDED.get();
    try {
      forgetRoutes();
      ended = now;
    } catch (OutOfMemoryError e) {
      // the next time
    }
  }

  /** That this thread is active. */
  public ActiveThread active() {
    return active;
  }

  /**
   * The thread has just read the clock, and what it does until {@link #forgetClock} takes no time
   * worth telling; so nothing in it reads the clock again.
   */
  public void noteClock(long nowNs) {
    clockNs = nowNs;
    clockIsFresh = true;
  }

  /** The thread is going to wait. */
  public void forgetClock() {
    clockIsFresh = false;
  }

  /** The time, give or take what {@link #noteClock} says. */
  long nowNs() {
    return clockIsFresh ? clockNs : System.nanoTime();
  }

  /**
   * A message could be written at once, as nothing was written to its link for a while. Who sends
   * to many nodes in turns would find that of each message, as long as the writes to the others
   * take; and they take as long as each is of one message. So after some in a row, each soon after
   * the one before, and as long as they come so soon, the thread begins bursts instead.
   *
   * @return whether it is left to the flusher
   */
  boolean leavesToFlusher(long nowNs) {
    boolean again =
        wroteNs - writeBeganNs >= COSTLY_NS
            && nowNs - Math.max(wroteNs, lookedNs) < OutboundPipe.QUIET_NS;
    lookedNs = nowNs;
    writesInARow = again ? Math.min(writesInARow + 1, WRITES_IN_A_ROW) : 0;
    if (writesInARow == WRITES_IN_A_ROW) {
      return true;
    }
    writeBeganNs = nowNs;
    return false;
  }

  /** The thread has written to a link. */
  void wrote(long nowNs) {
    wroteNs = nowNs;
  }

  /**
   * The way that the thread's last message of this class to this node has gone, or one that may be
   * remembered for it: threads often alternate between a few types, and a few nodes.
   */
  public Route route(int nodeId, Class<?> messageClass) {
    Route route = lastRoute;
    return route.isOf(nodeId, messageClass) ? route : otherRoute(nodeId, messageClass);
  }

  /**
   * In one of a pair, the one that was not used last: so each of a few nodes may have two types.
   */
  private Route otherRoute(int nodeId, Class<?> messageClass) {
    int pair = (nodeId ^ messageClass.hashCode()) & PAIRS - 1;
    Route first = routes[pair];
    Route second = routes[pair + PAIRS];
    int bit = 1 << pair;
    boolean takesSecond =
        second.isOf(nodeId, messageClass)
            || (!first.isOf(nodeId, messageClass) && (newerRoutes & bit) == 0);
    newerRoutes = takesSecond ? newerRoutes | bit : newerRoutes & ~bit;
    Route route = takesSecond ? second : first;
    lastRoute = route;
    return route;
  }

  /** Whom the thread meets where it sends to a node. */
  Contention contention(int nodeId) {
    return contentions[nodeId & ROUTES - 1];
  }

  /** The thread's writer, or a fresh one if a codec sends while it encodes. */
  public Writer takeWriter() {
    if (writerInUse) {
      return new Writer();
    }
    writerInUse = true;
    return writer;
  }

  public void returnWriter(Writer taken) {
    if (taken == writer) {
      writerInUse = false;
    }
  }

  /** The thread has claimed a frame in some ring, but not over a {@link Route}. */
  void countOtherClaim() {
    otherClaims++;
  }

  /** How often it has; wraps around. */
  int otherClaims() {
    return otherClaims;
  }

  /**
   * A message of this thread was refused.
   *
   * @param sender the number of the one that has refused it
   * @param needed what it says that it lacks
   */
  void refused(long sender, long needed) {
    int slot = (int) sender & REFUSALS - 1;
    refusedBy[slot] = sender;
    refusedNeeded[slot] = needed;
  }

  /**
   * What this sender has refused this thread last, once; otherwise the value given, also if another
   * sender has taken its slot: it is a hint.
   */
  long takeRefused(long sender, long otherwise) {
    int slot = (int) sender & REFUSALS - 1;
    if (refusedBy[slot] != sender) {
      return otherwise;
    }
    refusedBy[slot] = 0;
    return refusedNeeded[slot];
  }

  /**
   * The thread asks when there is room: whether it has asked many times. What depends on the answer
   * may ask again within it, which nests as deep as this says no in a row. Once it says yes it does
   * so for a while: who asks for several nodes, and goes on with the first that has room, is to
   * find none that has.
   *
   * @param apartNs that while, longer than it takes to ask for some nodes
   */
  public boolean hasHadManyHints(long apartNs) {
    if (++hints < MANY_HINTS) {
      return false;
    }
    long nowNs = System.nanoTime();
    if (hints == MANY_HINTS) {
      manyHintsNs = nowNs;
    } else if (nowNs - manyHintsNs >= apartNs) {
      hints = 0;
      return false;
    }
    return true;
  }

  /** Whether the thread runs an inline handler, which may not block. */
  public boolean isInline() {
    return inlineDepth > 0;
  }

  /**
   * The thread begins with a chunk of input: what runs until {@link #leaveChunk} may not wait, and
   * what it sends is drained at the end. As that, it is done or not: it calls nothing, for which
   * there may be no stack. Who has entered leaves, from where it has entered.
   *
   * @return for {@link #leaveChunk}: how deep in batches the thread was
   */
  public int enterChunk() {
    inlineDepth++;
    return batchDepth++;
  }

  /** The end of the chunk, also if that of its batch has come to no end. */
  public void leaveChunk(int batches) {
    inlineDepth--;
    batchDepth = batches;
  }

  /** From now on what handlers send is drained at the end of the batch. */
  public void beginBatch() {
    batchDepth++;
  }

  /** As {@link #beginBatch}, for one that may take long; by that thread, outside of any batch. */
  public void beginBatch(Watched thread) {
    watched = thread;
    mayTakeLong = true;
    batchDepth++;
  }

  public void endBatch() {
    if (--batchDepth == 0) {
      mayTakeLong = false;
      drainDeferred();
    }
  }

  /** {@link #endBatch}, for whoever calls it later on this thread. */
  public Runnable batchEnd() {
    return batchEnd;
  }

  /**
   * As {@link #endBatch}, but leaves what was put off to the flusher.
   *
   * @param left a pipe that somebody else is going to look into, if there is one
   */
  public void endBatchLater(@Nullable OutboundPipe left) {
    if (--batchDepth == 0) {
      while (deferredCount > 0) {
        OutboundPipe pipe = deferred[--deferredCount];
        clear(deferred, deferredCount);
        if (pipe != left) {
          pipe.drainLater();
        }
      }
    }
  }

  /**
   * Puts off a drain to the end of the batch; false if the thread is in none, if the batch may take
   * long and nobody would write meanwhile, or if there is no heap for one more pipe: then the
   * caller drains.
   *
   * @param position of the message that was committed
   */
  public boolean defer(OutboundPipe pipe, long position) {
    if (batchDepth == 0 || (mayTakeLong && !isWatched(pipe.flusher))) {
      return false;
    }
    for (int index = 0; index < deferredCount; index++) {
      if (deferred[index] == pipe) {
        positions[index] = position;
        return true;
      }
    }
    if (deferredCount == deferred.length && !tryGrow()) {
      return false;
    }
    positions[deferredCount] = position;
    deferred[deferredCount++] = pipe;
    return true;
  }

  private boolean isWatched(Flusher flusher) {
    Watched thread = watched;
    return thread != null && thread.isWatched(flusher);
  }

  private boolean tryGrow() {
    try {
      OutboundPipe[] more = Arrays.copyOf(deferred, 2 * deferredCount);
      positions = Arrays.copyOf(positions, more.length);
      deferred = more; // once both are there
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  /**
   * The thread is going to wait, and may read a link meanwhile: drains what was put off, and puts
   * nothing off until {@link #resumeBatch}.
   *
   * @return for {@link #resumeBatch}: how deep in batches it is, negative if they may take long
   */
  public int suspendBatch() {
    int depth = batchDepth;
    boolean tookLong = mayTakeLong;
    batchDepth = 0;
    mayTakeLong = false; // what it reads meanwhile is a short one
    if (depth != 0) {
      boolean drained = false;
      try {
        drainDeferred();
        drained = true;
      } finally {
        if (!drained) { // there was no heap or stack: the batch goes on, and drains at its end
          batchDepth = depth;
          mayTakeLong = tookLong;
        }
      }
    }
    return tookLong ? -depth : depth;
  }

  /** Goes on with what {@link #suspendBatch} has interrupted. */
  public void resumeBatch(int suspended) {
    batchDepth = Math.abs(suspended);
    mayTakeLong = suspended < 0;
  }

  /**
   * Drains what was put off to the end of the batch, before its end. Where there is no heap for one
   * pipe the others are drained nevertheless: nobody else comes for them.
   */
  public void drainDeferred() {
    OutOfMemoryError failure = null;
    while (deferredCount > 0) {
      OutboundPipe pipe = deferred[--deferredCount];
      clear(deferred, deferredCount);
      try {
        pipe.drainPending(positions[deferredCount]);
      } catch (OutOfMemoryError e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static void clear(@Nullable OutboundPipe[] pipes, int index) {
    pipes[index] = null;
  }
}
