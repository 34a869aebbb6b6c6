package org.ringwire.engine.connection;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.WaitInterruptedException;
import org.ringwire.engine.outbound.MessageSender;
import org.ringwire.engine.outbound.Waits;

/**
 * What sends to the peer of a {@link Connection} while there is a way, and those who wait for it.
 *
 * <p>There is a way in the state OPEN only, and even then only until the link that carries the data
 * begins to end. The connection hears of that end later, from a thread that may be busy: who took
 * the sender until then would be refused again and again, and have no end to wait for.
 *
 * <p>It is opened once. A link that ends sets its stage and then takes the way back, who opens it
 * sets the way and then looks at the stage, all volatile: one of them sees the other.
 */
final class OpenWay {

  private final Object lock;
  private volatile @Nullable MessageSender sender;

  /**
   * None yet.
   *
   * @param lock of the connection
   */
  OpenWay(Object lock) {
    this.lock = lock;
  }

  /** What sends, or null. Any thread. */
  @Nullable MessageSender sender() {
    return sender;
  }

  /** Data can be sent over a link; with the lock held, once. */
  void open(PeerSession session) {
    sender = session.data().sender();
    if (session.ending().isBegun()) {
      sender = null;
    }
    lock.notifyAll();
  }

  /** A link that carries data has begun to end; any thread. */
  void ends(PeerSession session) {
    MessageSender current = sender;
    if (current != null && current.equals(session.data().sender())) {
      sender = null;
    }
  }

  /** Nothing is sent any more; with the lock held. */
  void close() {
    sender = null;
    lock.notifyAll();
  }

  /** Those who wait look again at what has changed. */
  void wake() {
    synchronized (lock) {
      lock.notifyAll();
    }
  }

  /**
   * Waits until data can be sent; false if the deadline passed or there is no more to wait for.
   *
   * @param ended whether there is not, read with the lock held, and before
   */
  boolean await(long deadlineNs, int nodeId, BooleanSupplier ended) {
    if (sender == null && ended.getAsBoolean()) {
      return false; // it is no wait
    }
    Waits.begin();
    try {
      synchronized (lock) {
        while (sender == null && !ended.getAsBoolean()) {
          long left = deadlineNs - System.nanoTime();
          if (left <= 0) {
            return false;
          }
          TimeUnit.NANOSECONDS.timedWait(lock, left);
        }
        return sender != null;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WaitInterruptedException(
          "interrupted while connecting: nodeId=" + nodeId, e, false);
    }
  }
}
