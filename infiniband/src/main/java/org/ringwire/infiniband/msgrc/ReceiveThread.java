package org.ringwire.infiniband.msgrc;

import java.io.IOException;
import org.ringwire.idle.Pause;
import org.ringwire.infiniband.device.Waiting;
import org.ringwire.infiniband.link.EngineThread;
import org.ringwire.infiniband.verbs.EventPoll;
import org.ringwire.transport.support.TransportLog;
import org.ringwire.transport.support.TransportThreads;

/**
 * Receives when no other thread leads ({@link ReceiveRole}). When there is nothing it looks on for
 * as long as its {@link Waiting} says, and then waits for an event.
 *
 * <p><em>Nothing is slept over.</em> The queue is asked for an event and then polled once more. Who
 * leaves something else to this thread does so first and then reads {@code asleep}; this thread
 * writes {@code asleep} and then looks. All are volatile, and a wake-up before the wait ends it at
 * once.
 *
 * <p>A round for which there is no heap costs nothing but time: the next one, of this thread or a
 * leader, takes up what it has left.
 */
final class ReceiveThread implements Runnable {

  /** Looks between two looks at the clock, by a thread that spins. */
  private static final int LOOKS = 4;

  private static final TransportLog LOG = TransportLog.of(ReceiveThread.class);

  private final IbTransport transport;
  private final Receiver receiver;
  private final ReceiveRole role;
  private final EventPoll events;
  private final Waiting waiting;
  private final Thread thread;
  private boolean heard; // this thread only
  private boolean spins; // this thread only
  private boolean lacksHeap; // this thread only
  private volatile boolean asleep;
  private volatile boolean ended;

  /** Not started. */
  ReceiveThread(
      IbTransport transport,
      Adapter adapter,
      Receiver receiver,
      ReceiveRole role,
      String name,
      Waiting waiting) {
    this.transport = transport;
    this.receiver = receiver;
    this.role = role;
    this.waiting = waiting;
    events = adapter.newEventPoll(adapter.receiveChannel(), null);
    thread = TransportThreads.create(transport.config(), name, this);
  }

  Thread thread() {
    return thread;
  }

  /** Something was left to it; any thread. */
  void wake() {
    if (asleep) { // pairs with the writes in sleep() and standBack()
      events.wakeup();
    }
  }

  /** Ends the wait, this one or the next; any thread. */
  void wakeSurely() {
    events.wakeup();
  }

  /** Lets the thread end; any thread. */
  void shutdown() {
    ended = true;
    wake();
  }

  @Override
  public void run() {
    try {
      while (!ended) {
        tryWork();
      }
    } catch (Throwable e) {
      transport.register().fail(e); // nobody would receive for others
      LOG.log(System.Logger.Level.ERROR, "receiving failed; all links are closed", e);
    }
  }

  private void tryWork() {
    try {
      doWork();
    } catch (OutOfMemoryError e) {
      lacksHeap = true; // and nothing else, for which there might be none either
    }
  }

  private void doWork() {
    if (lacksHeap) {
      lacksHeap = false;
      Pause.blocked(this, EngineThread.NO_HEAP_PAUSE_NS);
    }
    Thread.interrupted(); // left behind by a handler
    if (!role.tryTake()) {
      standBack();
      return;
    }
    int count;
    try {
      takeEvents();
      count = look();
    } finally {
      role.giveBack();
    }
    if (count > 0) {
      waiting.found();
      spins = false;
    } else if (waiting.looksAgain()) {
      spins = true;
    } else {
      spins = false;
      sleep();
    }
  }

  private void takeEvents() {
    if (heard) {
      heard = false;
      receiver.takeEvents();
    }
  }

  private int look() {
    int count = receiver.receive();
    for (int i = 1; spins && i < LOOKS && count == 0 && !role.isWanted(); i++) {
      count = receiver.receive();
    }
    return count;
  }

  private void sleep() {
    if (!role.tryTake()) {
      return;
    }
    int count;
    try {
      receiver.requestNotify();
      asleep = true; // volatile; pairs with the read in wake()
      count = receiver.receive();
    } finally {
      role.giveBack();
    }
    if (count == 0 && !receiver.hasNews() && !ended) {
      boolean _ = events.await(-1);
      heard = true;
      if (events.takeFailure()) { // who drives ends may not have heard of it yet
        transport.register().fail(new IOException("device failed: it tells of nothing received"));
      }
    }
    asleep = false;
    if (count > 0) {
      waiting.found();
    }
  }

  /** Somebody leads, or wants to: waits for no event until nobody does any more. */
  private void standBack() {
    if (!role.disarm()) {
      return;
    }
    asleep = true; // volatile; pairs with the read in wake()
    boolean back = false;
    while (!back && !ended) {
      boolean woken = events.awaitWakeup(role.tryDoze() ? -1 : ReceiveRole.TICK_MS);
      back = woken || role.tryRearm();
    }
    role.rearm();
    asleep = false;
  }
}
