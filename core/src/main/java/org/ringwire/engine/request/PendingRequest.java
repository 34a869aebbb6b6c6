package org.ringwire.engine.request;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.idle.Pause;

/**
 * One slot of {@link PendingRequests}; reused for request after request.
 *
 * <p>{@code owner} decides who ends a request: it holds the request's id while it is pending, 0
 * while the slot is free, a negative number while somebody fills it, and the negated id once
 * somebody has won the right to end it (response, timeout, cancellation, loss), by compare-and-set.
 * Only the winner writes the outcome, and publishes it by the release store of {@code done} (but
 * for {@link #overrule}, which comes after that); only the waiter, or for a future the winner
 * itself, frees the slot. Hence nobody ever sees the outcome of another request: a late response
 * carries an id that the slot no longer holds.
 *
 * <p>From the right to the outcome a winner has a few instructions to go, and needs no memory for
 * them. It may still die in between, at the end of its stack. So nobody waits for it for ever: a
 * waiter lets go of the slot, which then is nobody's any more ({@link PendingRequests#giveUp}), and
 * of futures the sweep takes over ({@link PendingRequests#expire}). Both are safe also if the
 * winner was only slow: it writes into a slot that is not used again, or finds that another one has
 * released it.
 */
@SuppressWarnings("ReferenceEquality") // a connection is asked for itself
public final class PendingRequest implements BooleanSupplier {

  public static final long FREE = 0;
  private static final long RESERVED = Long.MIN_VALUE;

  /** Sweeps in a row that see the same winner at work until it is taken for dead. */
  private static final int MOST_LOOKS = 200;

  /** How long a waiter waits for a winner, and how long until it looks again. */
  private static final long LONGEST_NS = 1_000_000_000;

  private static final long LOOK_NS = 1_000_000;

  private static final VarHandle OWNER;
  private static final VarHandle DONE;
  private static final VarHandle ACCEPTED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      OWNER = lookup.findVarHandle(PendingRequest.class, "owner", long.class);
      DONE = lookup.findVarHandle(PendingRequest.class, "done", boolean.class);
      ACCEPTED = lookup.findVarHandle(PendingRequest.class, "accepted", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile long owner;
  private volatile boolean done;
  private volatile boolean parked;

  /** Written by the thread that took the slot, before it is published by {@link #publish}. */
  Class<?> responseType = Object.class;

  /** Likewise, for people. */
  Class<?> messageType = Object.class;

  /** Likewise: what the caller has given; null if nobody has. */
  @Nullable Duration timeout;

  /**
   * The connection that the request goes out on. It is set before {@link #publish}, and the sender
   * looks whether the connection is closed only after that, while a connection is marked closed
   * before its requests are ended: one of the two sees the other.
   */
  @Nullable Object connection;

  @Nullable Thread waiter;
  @Nullable CompletableFuture<Object> future;
  public long deadlineNs;

  /**
   * Whether a request with a future was accepted for sending. Its sender writes it, and may be
   * late, as the answer may be there before: then it says so of the next request of the slot, at
   * worst.
   */
  private volatile boolean accepted;

  /** Where a request with a future is counted, or null. */
  private @Nullable Crowd counted;

  private @Nullable Object response;
  private @Nullable RuntimeException failure;
  private long nextId; // who has reserved the slot only
  private long lookedAt; // the sweep, as the next
  private int looks;

  /**
   * A slot that is free.
   *
   * @param firstId of its first request
   */
  PendingRequest(long firstId) {
    nextId = firstId;
  }

  /** Reserves a free slot; nobody can end it until {@link #publish}. */
  boolean tryReserve() {
    return owner == FREE && OWNER.compareAndSet(this, FREE, RESERVED);
  }

  /**
   * The id of the request that the slot was reserved for.
   *
   * @param distance from one request of the slot to the next
   */
  long takeId(long distance) {
    long id = nextId == FREE ? distance : nextId;
    nextId = (id + distance) & Long.MAX_VALUE;
    return id;
  }

  /** Makes a reserved request endable; what was written before is visible to whoever ends it. */
  public void publish(long id) {
    DONE.setRelease(this, false);
    owner = id; // volatile, before the sender looks at the connection; for tryEnd it is a release
  }

  /** Wins the right to end the request; at most one caller does. */
  public boolean tryEnd(long id) {
    return owner == id && OWNER.compareAndSet(this, id, -id);
  }

  public long id() {
    return owner;
  }

  /** By who has reserved it: it is not accepted yet. */
  void begin() {
    ACCEPTED.setOpaque(this, false); // published with the id
  }

  /** It was accepted for sending. */
  void accepted() {
    ACCEPTED.setOpaque(this, true); // the sweep sees it soon
  }

  /**
   * The sweep: whether a request whose deadline has passed is left to who sends it, and is about to
   * tell that it was not sent; unless that one comes to no end, for instance in a codec.
   */
  boolean isLeftToSender(long nowNs) {
    return nowNs - deadlineNs < LONGEST_NS && !accepted;
  }

  /** By who has reserved it, for a request with a future. */
  void count(Crowd crowd) {
    counted = crowd;
    crowd.futureBegins();
  }

  /** What a request with a future was counted by; for who then releases it. */
  @Nullable Crowd counted() {
    return counted;
  }

  /** An empty slot in place of this one, for requests after its last; by who has reserved it. */
  PendingRequest successor() {
    return new PendingRequest(nextId);
  }

  /**
   * The sweep, each time: whether somebody has won the right to end a request with a future so long
   * ago that nothing is to be expected of it. Counted, not timed: a process that was stopped has
   * stopped the winner, too.
   *
   * @param ending what {@link #id} has said
   */
  boolean isWinnerLost(long ending) {
    if (!isEndingFuture(ending)) {
      return false;
    }
    looks = lookedAt == ending ? looks + 1 : 1;
    lookedAt = ending;
    boolean lost = looks > MOST_LOOKS;
    if (lost) {
      looks = 0; // for the next attempt
    }
    return lost;
  }

  /**
   * Whether somebody has won the right to end a request with a future, and not yet done so.
   *
   * @param ending what {@link #id} has said
   */
  boolean isEndingFuture(long ending) {
    return ending < FREE && ending != RESERVED && future != null;
  }

  /** By the winner of {@link #tryEnd}: hands the outcome to a waiting thread. */
  public void finish(@Nullable Object result, @Nullable RuntimeException error) {
    Thread thread = waiter;
    if (thread == Thread.currentThread()) { // it has read its own answer, and is not parked
      response = result;
      failure = error;
      DONE.setRelease(this, true);
    } else if (complete(result, error)) {
      LockSupport.unpark(thread);
    }
  }

  /**
   * Publishes the outcome; whether the waiter must be woken. Needs no memory, not even the first
   * time, hence no handle that was not used before the request could be ended.
   */
  boolean complete(@Nullable Object result, @Nullable RuntimeException error) {
    response = result;
    failure = error;
    done = true; // volatile, before parked is read; pairs with beginPark and getAsBoolean
    return parked;
  }

  /**
   * Parks the waiter until the outcome is there, or time is over, or for no reason; callers look
   * again.
   *
   * @param longestNs longest time to wait, in nanoseconds; not at all unless positive
   */
  public void park(long longestNs) {
    if (beginPark()) {
      Pause.blocked(this, longestNs);
    }
    parked = false;
  }

  /** Whether to park: if so, {@link #complete} is going to say that the waiter must be woken. */
  boolean beginPark() {
    parked = true; // volatile, before done is read: one of the two sees the other
    return !done;
  }

  /**
   * By the waiter that was too late to end the request itself: whoever ends it is about to publish
   * the outcome. That takes a few instructions, a while more if its core was taken from it, and for
   * ever if its stack has ended there.
   *
   * @return false if it took too long; the waiter has no answer then, but its own reason to end
   */
  public boolean awaitOutcome() {
    boolean interrupted = false;
    long deadlineNs = System.nanoTime() + LONGEST_NS;
    while (!done && System.nanoTime() - deadlineNs < 0) {
      interrupted |= Thread.interrupted();
      park(LOOK_NS);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return done;
  }

  /**
   * By the waiter when the outcome is there: the request was not sent, which it alone knows. Who
   * was first to end it cannot say so.
   */
  public void overrule(MessagingException unsent) {
    response = null;
    failure = unsent;
  }

  /** What this is, for people; for who knows that the slot is still that of the id. */
  String text(long id) {
    Duration given = timeout;
    return "messageType="
        + messageType.getName()
        + (given == null ? "" : " timeout=" + given)
        + " correlationId="
        + id;
  }

  /** What the response must be an instance of. */
  public Class<?> responseType() {
    return responseType;
  }

  /** Whether the outcome is there; what leads and waits poll. */
  @Override
  public boolean getAsBoolean() {
    return done;
  }

  /** For the thread that has found it pending; a later request of the slot is told by its id. */
  @SuppressWarnings("ReferenceEquality") // a connection is only ever itself
  public boolean belongsTo(@Nullable Object candidate) {
    return connection == candidate;
  }

  public @Nullable RuntimeException failure() {
    return failure;
  }

  public @Nullable Object response() {
    return response;
  }

  /**
   * Frees the slot of a request with a future that was ended; false if that was done already. Any
   * thread that knows the outcome.
   */
  boolean tryRelease(long id) {
    boolean released = tryTakeOver(id);
    if (released) {
      free();
    }
    return released;
  }

  /**
   * Takes the slot of a request with a future from who was about to end it; it is not used again.
   */
  boolean tryTakeOver(long id) {
    return owner == -id && OWNER.compareAndSet(this, -id, RESERVED);
  }

  /** By the waiter that has taken the outcome. */
  public void free() {
    waiter = null;
    future = null;
    connection = null;
    counted = null;
    response = null;
    failure = null;
    OWNER.setRelease(this, FREE); // pairs with the volatile read in tryReserve
  }
}
