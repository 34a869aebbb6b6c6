package org.ringwire.infiniband.msgrc;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.Pause;
import org.ringwire.idle.WaitingPlace;
import org.ringwire.infiniband.link.LinkLife;
import org.ringwire.infiniband.link.LinkRegister;
import org.ringwire.infiniband.verbs.EventPoll;
import org.ringwire.transport.support.TransportLog;

/**
 * Threads that wait for something to arrive, and receive for all links meanwhile ({@link
 * ReceiveRole}): one at a time. A leader spins for the time that the {@link WaitingPlace} of its
 * link gives it after it began and after each input, then asks for an event and waits for that.
 *
 * <p>A leader is inside of the gate of its link, and leaves when that closes: so what the transport
 * has of the device is there as long as somebody leads.
 *
 * <p><em>Nothing is slept over.</em> As in {@link ReceiveThread}: others write what they want and
 * then read {@code parked}, a leader writes {@code parked} and then looks. An event that a leader
 * takes may be the one that the receive thread has asked for: so before it waits for events it
 * wakes that thread, unless that is disarmed already; a thread that was woken looks for itself, and
 * finds the leader, or nobody and then all that is there.
 */
final class Leading {

  /** Looks between two looks at the clock. */
  private static final int LOOKS = 4;

  /** How long an interrupt may go unnoticed: it does not end the wait for events. */
  private static final long LONGEST_WAIT_MS = 10;

  private static final TransportLog LOG = TransportLog.of(Leading.class);

  private final LinkRegister<IbLink> links;
  private final Receiver receiver;
  private final ReceiveRole role;
  private final ReceiveThread thread;
  private final EventPoll events;
  private volatile boolean parked;
  private volatile @Nullable Thread leader;

  Leading(
      LinkRegister<IbLink> links,
      Adapter adapter,
      Receiver receiver,
      ReceiveRole role,
      ReceiveThread thread) {
    this.links = links;
    this.receiver = receiver;
    this.role = role;
    this.thread = thread;
    events = adapter.newEventPoll(adapter.receiveChannel(), null);
  }

  /**
   * {@link IbLink#lead}, by a thread inside of the link's gate.
   *
   * @return false if it could not lead
   */
  boolean lead(LinkLife link, WaitingPlace place, BooleanSupplier done, long deadlineNs) {
    if (!role.tryLead()) {
      return false;
    }
    leader = Thread.currentThread();
    try {
      receiveUntil(link, place, done, deadlineNs);
    } catch (OutOfMemoryError e) {
      return true; // the next one, or the thread, takes up what is left
    } catch (StackOverflowError e) { // of this thread: others have more
      LOG.log(System.Logger.Level.ERROR, "receiving failed; all links are closed", e);
      links.failAll(e);
    } catch (Throwable e) { // not of a handler: the device has failed, for the next one, too
      links.fail(e);
      LOG.log(System.Logger.Level.ERROR, "receiving failed; all links are closed", e);
    } finally {
      leader = null;
      if (role.endLead()) {
        thread.wakeSurely();
      }
    }
    return true;
  }

  private void receiveUntil(
      LinkLife link, WaitingPlace place, BooleanSupplier done, long deadlineNs) {
    long nowNs = System.nanoTime();
    long sinceNs = nowNs;
    long spinNs = place.spinNs(nowNs);
    int rounds = 0;
    while (!done.getAsBoolean() && !link.isClosing() && !Thread.currentThread().isInterrupted()) {
      if (nowNs - deadlineNs >= 0) {
        return;
      }
      boolean spins = nowNs - sinceNs < spinNs;
      if (!spins && spinNs > 0) {
        spinNs = 0; // until there is input
        place.failed();
      }
      int count = spins ? look() : await(link, done, deadlineNs - nowNs);
      long lastNs = nowNs;
      nowNs = System.nanoTime();
      if (count > 0) {
        if (spins) {
          place.succeeded();
        }
        sinceNs = nowNs;
        spinNs = place.spinNs(nowNs);
      } else if (spins) {
        place.gap(lastNs, nowNs);
        Pause.spinning(++rounds);
      }
    }
  }

  private int look() {
    int count = receiver.receive();
    for (int i = 1; i < LOOKS && count == 0; i++) {
      count = receiver.receive();
    }
    return count;
  }

  /** Waits for an event, a wake-up, or the end of a time; returns what it received before. */
  private int await(LinkLife link, BooleanSupplier done, long timeoutNs) {
    if (!role.isDisarmed()) {
      thread.wakeSurely();
    }
    receiver.requestNotify();
    parked = true; // volatile; pairs with the read in wake()
    try {
      int count = receiver.receive();
      if (count > 0 || receiver.hasNews() || done.getAsBoolean() || link.isClosing()) {
        return count;
      }
      long timeoutMs = TimeUnit.NANOSECONDS.toMillis(timeoutNs + 999_999);
      boolean _ = events.await(Math.min(timeoutMs, LONGEST_WAIT_MS));
    } finally {
      parked = false;
    }
    receiver.takeEvents();
    return receiver.receive();
  }

  /** Makes a leader look at its condition, and at what was left to it; any thread. */
  void wake() {
    if (parked) { // pairs with the write in await()
      events.wakeup();
    }
  }

  /** Whether this thread leads; any thread. */
  boolean isLeader(Thread candidate) {
    return candidate.equals(leader);
  }
}
