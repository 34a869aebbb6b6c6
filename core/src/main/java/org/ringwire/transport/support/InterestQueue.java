package org.ringwire.transport.support;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The news of a transport's thread: which nodes want something of it, and what (DXNet paper,
 * section XI). Only the loop's thread may touch selection keys; every other thread leaves an
 * interest here, and the loop applies them in bulk before it selects.
 *
 * <p>Many producers, one consumer (the loop). An entry's interests are one byte, combined with OR;
 * an entry is in the list while its byte is not zero, because the thread that finds the byte zero
 * adds it, and the consumer unlinks it before it clears the byte. So an entry needs one link field,
 * nothing is allocated, and a thread whose interest is already there returns after one atomic
 * operation. The list is a stack that the consumer takes whole (no ABA) and reverses, which
 * restores the order of arrival. The order among the interests of one entry is lost and restored by
 * meaning: CONNECT, READ, WRITE, CLOSE.
 *
 * <p>The loop must be woken by the thread that added the first entry only. When the loop ends it
 * ends the queue; who comes later is told.
 */
public final class InterestQueue {

  /** What became of an interest. */
  public enum Outcome {
    /** The list was empty: wake the loop. */
    FIRST,
    /** Somebody else woke it, or will. */
    QUEUED,
    /** The loop has ended and will not look again. */
    ENDED
  }

  /** What can be in the queue. */
  public static class Node {

    private static final VarHandle INTERESTS;

    static {
      try {
        INTERESTS = MethodHandles.lookup().findVarHandle(Node.class, "interests", byte.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    private @Nullable Node next;

    @SuppressWarnings("unused") // by INTERESTS
    private byte interests;

    private boolean addInterests(int added) {
      // What was done before is seen by the consumer; pairs with takeInterests().
      return (byte) INTERESTS.getAndBitwiseOr(this, (byte) added) == 0;
    }

    /** Takes what was combined; the consumer only, after {@link #unlink}. */
    public final int takeInterests() {
      return (byte) INTERESTS.getAndSet(this, (byte) 0); // pairs with addInterests()
    }

    /** Leaves the list taken by the consumer; returns the next in it. */
    public final @Nullable Node unlink() {
      Node following = next;
      next = null;
      return following;
    }
  }

  private static final VarHandle NEWEST;

  static {
    try {
      NEWEST = MethodHandles.lookup().findVarHandle(InterestQueue.class, "newest", Node.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Node end = new Node();

  @SuppressWarnings("unused") // by NEWEST
  private volatile @Nullable Node newest;

  /** Adds interests; any thread. What the caller wrote before is visible to the consumer. */
  @SuppressWarnings("ReferenceEquality") // identity is what counts
  public Outcome add(Node node, int interests) {
    if (!node.addInterests(interests)) {
      return newest == end ? Outcome.ENDED : Outcome.QUEUED; // nobody takes them after the end
    }
    Node seen = newest;
    while (seen != end) {
      node.next = seen;
      // pairs with getAndSet in takeAll()
      Node witness = (Node) NEWEST.compareAndExchange(this, seen, node);
      if (witness == seen) {
        return seen == null ? Outcome.FIRST : Outcome.QUEUED;
      }
      seen = witness;
    }
    return Outcome.ENDED;
  }

  /** Whether there is nothing; the consumer only. */
  public boolean isEmpty() {
    return newest == null;
  }

  /** Takes every entry, oldest first; the consumer only. */
  public @Nullable Node takeAll() {
    return newest == null ? null : reverse((Node) NEWEST.getAndSet(this, null));
  }

  /** Takes every entry and refuses all that follow; the consumer only, once. */
  public @Nullable Node end() {
    return reverse((Node) NEWEST.getAndSet(this, end));
  }

  private static @Nullable Node reverse(@Nullable Node stack) {
    Node list = null;
    Node node = stack;
    while (node != null) {
      Node following = node.next;
      node.next = list;
      list = node;
      node = following;
    }
    return list;
  }
}
