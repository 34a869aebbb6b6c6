package org.ringwire.engine.request;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.Pause;

/**
 * One slot of {@link PendingRequests}; reused for request after request.
 *
 * <p>{@code owner} decides who ends a request: it holds the request's id while it is pending, 0
 * while the slot is free, a negative number while somebody fills it, and the negated id once
 * somebody has won the right to end it (response, timeout, cancellation, loss), by compare-and-set.
 * Only the winner writes the outcome, and publishes it by the release store of {@code done}; only
 * the waiter, or for a future the winner itself, frees the slot. Hence nobody ever sees the outcome
 * of another request: a late response carries an id that the slot no longer holds.
 */
@SuppressWarnings("ReferenceEquality") // a connection is asked for itself
public final class PendingRequest implements BooleanSupplier {

  public static final long FREE = 0;
  private static final long RESERVED = Long.MIN_VALUE;
  private static final VarHandle OWNER;
  private static final VarHandle DONE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      OWNER = lookup.findVarHandle(PendingRequest.class, "owner", long.class);
      DONE = lookup.findVarHandle(PendingRequest.class, "done", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile long owner;
  private volatile boolean done;
  private volatile boolean parked;

  /** Written by the thread that took the slot, before it is published by {@link #publish}. */
  Class<?> responseType = Object.class;

  /**
   * The connection that the request goes out on. It is set before {@link #publish}, after which the
   * request is counted, and the sender looks whether the connection is closed only then, while a
   * connection is marked closed before its requests are ended: one of the two sees the other.
   */
  @Nullable Object connection;

  @Nullable Thread waiter;
  @Nullable CompletableFuture<Object> future;
  public long deadlineNs;

  private @Nullable Object response;
  private @Nullable RuntimeException failure;
  private long nextId; // who has reserved the slot only

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
    OWNER.setRelease(this, id); // pairs with compareAndSet in tryEnd
  }

  /** Wins the right to end the request; at most one caller does. */
  public boolean tryEnd(long id) {
    return owner == id && OWNER.compareAndSet(this, id, -id);
  }

  public long id() {
    return owner;
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

  /** By the waiter that has taken the outcome, or the winner for a future. */
  public void free() {
    waiter = null;
    future = null;
    connection = null;
    response = null;
    failure = null;
    OWNER.setRelease(this, FREE); // pairs with the volatile read in tryReserve
  }
}
