package org.ringwire.infiniband.msgud;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.datagram.Conversation;
import org.ringwire.infiniband.datagram.Datagram;
import org.ringwire.infiniband.datagram.ReceiveShare;
import org.ringwire.infiniband.datagram.TimerWheel;
import org.ringwire.infiniband.device.Waiting;
import org.ringwire.infiniband.link.TimedLinks;
import org.ringwire.infiniband.verbs.CompletionQueue;
import org.ringwire.infiniband.verbs.EventPoll;
import org.ringwire.infiniband.verbs.UdQueuePair;
import org.ringwire.infiniband.verbs.WorkCompletions;
import org.ringwire.transport.support.InterestQueue;
import org.ringwire.transport.support.TransportLog;
import org.ringwire.transport.support.TransportThreads;

/**
 * The thread of the engine {@code msgud}: receives for all links, acknowledges at the end of each
 * batch, sends again what is lost, lets writers go on, and drives the end of links. Time limits of
 * links are in a {@link TimerWheel}, in which a link is only while something of it is outstanding:
 * an idle node has no timer.
 *
 * <p><em>Nothing is slept over.</em> The completion queue is asked for an event and then polled
 * once more. Others write what they want and then read {@code asleep}; this thread writes {@code
 * asleep} and then looks. All are volatile, and a wake-up before the wait ends it at once.
 */
final class UdThread implements Runnable {

  private static final int BATCH = 32;
  private static final long STARVED_MS = 1;
  private static final long END_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(4);
  private static final TransportLog LOG = TransportLog.of(UdThread.class);

  private final UdTransport transport;
  private final UdAdapter adapter;
  private final UdReceiver receiver;
  private final CompletionQueue completions;
  private final WorkCompletions batch;
  private final EventPoll events;
  private final Waiting waiting;
  private final Thread thread;
  private final DatagramSink sink;
  private final InterestQueue interests = new InterestQueue();
  private final Queue<UdLink> checks = new ConcurrentLinkedQueue<>();
  private final Queue<UdLink> starved = new ConcurrentLinkedQueue<>();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong notifications = new AtomicLong();
  private final Datagram datagram = new Datagram(); // this thread only, as all below
  private final TimerWheel<UdLink> wheel = new TimerWheel<>(System.nanoTime());
  private final ReceiveShare share;
  private final List<UdLink> touched = new ArrayList<>();
  private final List<UdLink> gone = new ArrayList<>();
  private final TimedLinks timed = new TimedLinks();
  private long nowNs = System.nanoTime();
  private long endDeadlineNs;
  private boolean ending;
  private volatile boolean asleep;
  private volatile boolean shutdown;

  /** Not started. */
  UdThread(UdTransport transport, String name, Waiting waiting, DatagramSink.Around around) {
    this.transport = transport;
    this.waiting = waiting;
    adapter = transport.adapter();
    receiver = adapter.receiver();
    completions = adapter.receiveCompletions();
    batch = new WorkCompletions(adapter.scope().arena(), BATCH);
    share = new ReceiveShare(receiver.count());
    sink = around.sink(this::arrived, receiver::release);
    events = adapter.newEventPoll();
    thread = TransportThreads.create(transport.config(), name, this);
  }

  Thread thread() {
    return thread;
  }

  // Any thread.

  /** Leaves interests of a link, and wakes the thread if need be. */
  void signal(UdLink link, int wanted) {
    if (interests.add(link, wanted) == InterestQueue.Outcome.FIRST) {
      wake();
    }
  }

  /** The peer of a link is gone: tells the link when all that has arrived was handed over. */
  void check(UdLink link) {
    checks.add(link);
    wake();
  }

  /** A link waits for what all links share. */
  void starve(UdLink link) {
    starved.add(link);
    wake();
  }

  /** Ends all links, and then the thread. */
  void shutdown() {
    shutdown = true;
    wake();
  }

  private void wake() {
    if (asleep) { // pairs with the write in sleep()
      events.wakeup();
    }
  }

  // The thread.

  /** The link has to be settled at the end of this round. */
  void touch(UdLink link) {
    if (link.touch(true)) {
      touched.add(link);
    }
  }

  /** The link is over. */
  void forget(UdLink link) {
    wheel.remove(link.timer());
  }

  /** What links may have on the way to here. */
  ReceiveShare share() {
    return share;
  }

  /** A datagram was for nobody, or cannot be genuine. */
  void countRefused() {
    refused.lazySet(refused.get() + 1);
  }

  @Override
  public void run() {
    try {
      while (!doWork()) {}
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.ERROR, "datagrams failed; all links are closed", e);
      transport.register().failAll(e);
    }
    end();
  }

  /** One round; returns whether it was the last. */
  private boolean doWork() {
    Thread.interrupted(); // left behind by a handler
    takeChecks();
    nowNs = System.nanoTime();
    int count = completions.poll(batch);
    accept(count);
    settle(); // before links end: who says farewell hears that it has arrived
    if (count == 0
        && !gone.isEmpty()) { // what they had sent was in the queue before they were gone
      gone.forEach(UdLink::gone);
      gone.clear();
    }
    boolean any = applyInterests() || count > 0;
    expire();
    settle();
    resumeStarved();
    timed.look(nowNs);
    if (shutdown && finished()) {
      return true;
    }
    if (any || !touched.isEmpty()) {
      waiting.found();
    } else if (!waiting.looksAgain()) {
      sleep();
    }
    return false;
  }

  private void takeChecks() {
    for (@Nullable UdLink link = checks.poll(); link != null; link = checks.poll()) {
      gone.add(link);
    }
  }

  private void accept(int count) {
    share.advance(nowNs);
    for (int i = 0; i < count; i++) {
      int buffer = (int) batch.id(i);
      boolean kept = false;
      try {
        if (batch.isSuccess(i)) {
          int length = batch.length(i) - UdQueuePair.ROUTE_BYTES;
          receiver.count(length);
          kept = sink.arrived(buffer, length, batch.sourceQueuePair(i));
        }
      } finally {
        if (!kept) {
          receiver.release(buffer);
        }
      }
    }
    receiver.refill(adapter.queuePair());
  }

  private boolean arrived(int buffer, int length, int source) {
    if (!datagram.read(receiver.memory(), receiver.offset(buffer), length)) {
      countRefused();
      return false;
    }
    UdLink link = transport.links().get(datagram.linkNumber());
    return link != null && link.arrived(receiver, buffer, datagram, source, nowNs);
  }

  private boolean applyInterests() {
    InterestQueue.Node node = interests.takeAll();
    boolean any = node != null;
    while (node != null) {
      InterestQueue.Node following = node.unlink();
      UdLink link = (UdLink) node;
      int wanted = link.takeInterests();
      if ((wanted & (UdLink.LIMIT | UdLink.CLOSE)) != 0) {
        timed.add(link);
      }
      if ((wanted & UdLink.CLOSE) != 0) {
        TimedLinks.proceed(link, nowNs);
      }
      if ((wanted & UdLink.TIMER) != 0) {
        touch(link);
      }
      node = following;
    }
    return any;
  }

  private void expire() {
    for (@Nullable UdLink link = wheel.poll(nowNs); link != null; link = wheel.poll(nowNs)) {
      touch(link);
    }
  }

  /** What has come to a link is answered, and when to look at it again is noted. */
  private void settle() {
    for (int i = 0; i < touched.size(); i++) {
      UdLink link = touched.get(i);
      boolean _ = link.touch(false);
      if (link.end().isOver()) {
        continue;
      }
      long deadlineNs = link.settle(nowNs, wheel.dueNs(link.timer()));
      if (deadlineNs != Conversation.NEVER) {
        wheel.schedule(link.timer(), Math.max(deadlineNs, nowNs + 1));
      }
    }
    touched.clear();
  }

  /** Links that lack what all share look again: as many as were there when this began. */
  private void resumeStarved() {
    if (starved.isEmpty()) {
      return;
    }
    boolean _ = adapter.sender().poll();
    for (int left = starved.size(); left > 0; left--) {
      UdLink link = starved.poll();
      if (link != null) {
        link.goOn();
        if (link.isStarved()) {
          starved.add(link);
        }
      }
    }
  }

  private void sleep() {
    notifications.lazySet(notifications.get() + 1);
    completions.requestNotify(false);
    asleep = true; // volatile; pairs with the read in wake()
    nowNs = System.nanoTime();
    int count = completions.poll(batch);
    if (count == 0 && interests.isEmpty() && checks.isEmpty() && shutdown == ending) {
      boolean _ = events.await(timeoutMs());
    }
    asleep = false;
    if (count > 0) {
      accept(count);
      waiting.found();
    }
    adapter.channel().drain();
    if (events.isAsyncEventReady()) {
      takeAsyncEvents();
    }
  }

  private long timeoutMs() {
    long timeoutMs = starved.isEmpty() ? -1 : STARVED_MS;
    if (!gone.isEmpty()) {
      return 0;
    }
    if (!wheel.isEmpty()) {
      timeoutMs = earlier(timeoutMs, wheel.nextNs() - nowNs);
    }
    if (!timed.isEmpty()) {
      timeoutMs = earlier(timeoutMs, timed.nextLookNs() - nowNs);
    }
    return ending ? earlier(timeoutMs, endDeadlineNs - nowNs) : timeoutMs;
  }

  private static long earlier(long timeoutMs, long leftNs) {
    long leftMs = Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNs) + 1);
    return timeoutMs < 0 ? leftMs : Math.min(timeoutMs, leftMs);
  }

  private void takeAsyncEvents() {
    for (var event = adapter.device().takeAsyncEvent();
        event != null;
        event = adapter.device().takeAsyncEvent()) {
      switch (event.type()) {
        case DEVICE_FATAL, CQ_ERR, QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR -> {
          LOG.log(System.Logger.Level.ERROR, "device failed; its links are closed: " + event, null);
          transport.register().failAll(new IOException("device failed: " + event));
        }
        default -> LOG.log(System.Logger.Level.DEBUG, "device: " + event, null);
      }
    }
  }

  /** Once the thread shall end: whether no link is left, or that has taken too long. */
  private boolean finished() {
    if (!ending) {
      ending = true;
      endDeadlineNs = nowNs + END_TIMEOUT_NS;
    }
    return transport.register().isEmpty() || nowNs - endDeadlineNs >= 0;
  }

  private void end() {
    transport.register().forceAll();
    InterestQueue.Node node = interests.end();
    while (node != null) {
      node = node.unlink(); // all links have ended
    }
    transport.threadEnded();
  }

  /** Datagrams for nobody, or that cannot be genuine. */
  long refused() {
    return refused.get();
  }

  /** Events asked for. */
  long notifications() {
    return notifications.get();
  }

  /** What was polled; counters only. */
  WorkCompletions polled() {
    return batch;
  }

  /** After the thread has ended. */
  void close() {
    events.close();
  }
}
