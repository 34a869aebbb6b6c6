package org.ringwire.infiniband.msgud;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.datagram.Conversation;
import org.ringwire.infiniband.datagram.Datagram;
import org.ringwire.infiniband.datagram.ReceiveShare;
import org.ringwire.infiniband.datagram.TimerWheel;
import org.ringwire.infiniband.device.Waiting;
import org.ringwire.infiniband.link.AfterInput;
import org.ringwire.infiniband.link.EngineThread;
import org.ringwire.infiniband.verbs.CompletionQueue;
import org.ringwire.infiniband.verbs.UdQueuePair;
import org.ringwire.infiniband.verbs.WorkCompletions;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.types.AsyncEvent;
import org.ringwire.infiniband.verbs.types.WorkStatus;
import org.ringwire.transport.support.TransportLog;

/**
 * What the {@link EngineThread} of {@code msgud} does: receives for all links, acknowledges at the
 * end of each batch, sends again what is lost, lets writers go on, and drives the end of links.
 * Time limits of links are in a {@link TimerWheel}, in which a link is only while something of it
 * is outstanding: an idle node has no timer. Before it waits it asks the completion queue for an
 * event and polls once more.
 */
final class UdThread implements EngineThread.Duty {

  private static final int BATCH = 32;
  private static final long STARVED_MS = 1;
  private static final long BROKEN_MS = 50; // looks for the end of the last link
  private static final long REFUSED_MS = 1000; // what the device lacks may come back
  private static final long LATE_NS = TimeUnit.SECONDS.toNanos(1); // to give buffers back
  private static final TransportLog LOG = TransportLog.of(UdThread.class);

  private final UdTransport transport;
  private final UdAdapter adapter;
  private final UdReceiver receiver;
  private final CompletionQueue completions;
  private final WorkCompletions batch;
  private final Waiting waiting;
  private final EngineThread thread;
  private final DatagramSink sink;
  private final AfterInput lost;
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong notifications = new AtomicLong();
  private final Datagram datagram = new Datagram(); // this thread only, as all below
  private final TimerWheel<UdLink> wheel = new TimerWheel<>(System.nanoTime());
  private final ReceiveShare share;
  private final List<UdLink> touched = new ArrayList<>();
  private long nowNs = System.nanoTime();
  private int count; // completions in the batch
  private int accepted; // of these
  private boolean broken;
  private long brokenNs; // since then
  private boolean stays; // broken, as the device has refused to make it ready again
  private long restartNs = nowNs; // not before

  /** Not started. */
  @SuppressWarnings("this-escape") // a final class
  UdThread(UdTransport transport, String name, Waiting waiting, DatagramSink.Around around) {
    this.transport = transport;
    this.waiting = waiting;
    adapter = transport.adapter();
    receiver = adapter.receiver();
    completions = adapter.receiveCompletions();
    batch = new WorkCompletions(adapter.scope().arena(), BATCH);
    share = new ReceiveShare(receiver.count());
    lost = new AfterInput(receiver.count() + BATCH);
    sink = around.sink(this::arrived, receiver::release);
    thread =
        new EngineThread(
            transport.config(),
            name,
            transport.register(),
            adapter.newEventPoll(),
            adapter.device()::takeAsyncEvent,
            this);
  }

  /** The thread itself. */
  EngineThread thread() {
    return thread;
  }

  // Any thread.

  /** The peer of a link is gone: tells the link when all that has arrived was handed over. */
  void check(UdLink link) {
    lost.add(link.life().tellGone());
    thread.wake();
  }

  // The thread.

  /** The link has to be settled at the end of this round. */
  void touch(UdLink link) {
    boolean added = !link.touch(true);
    try {
      added |= !added && touched.add(link);
    } finally {
      if (!added) { // no heap
        boolean _ = link.touch(false);
      }
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
  public boolean work() {
    lost.take();
    nowNs = System.nanoTime();
    int count = find();
    accept();
    settle(); // before links end: who says farewell hears that it has arrived
    lost.handedOver(count);
    boolean any = thread.applyInterests() || count > 0;
    repair();
    expire();
    settle();
    if (thread.hasStarved()) {
      boolean _ = adapter.sender().poll();
      thread.resumeStarved();
    }
    return any;
  }

  @Override
  public void rest(boolean any) {
    if (any || !touched.isEmpty()) {
      waiting.found();
    } else if (!waiting.looksAgain()) {
      sleep();
    }
  }

  /** Polls, if the last batch was accepted to its end; there may have been no heap for that. */
  private int find() {
    if (accepted == count) {
      accepted = 0;
      count = 0;
      count = completions.poll(batch);
    }
    return count - accepted;
  }

  private void accept() {
    share.advance(nowNs);
    while (accepted < count) {
      int i = accepted++; // one for which there is no heap is lost, as on the wire
      int buffer = (int) batch.id(i);
      boolean kept = false;
      try {
        if (!batch.isSuccess(i)) {
          queuePairFailed(WorkStatus.describe(batch.status(i)));
        } else {
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
    if (!broken) {
      receiver.refill(adapter.queuePair());
    }
  }

  /** Notes that the queue pair has failed, and makes it ready again when nobody uses it. */
  private void repair() {
    String failure = adapter.sender().failure();
    if (failure == null) {
      return;
    }
    if (!broken) {
      queuePairFailed(failure);
    } else if (mayRestart() && nowNs - restartNs >= 0 && transport.links().isEmpty()) {
      restart();
    }
  }

  /** Not where no link can come any more, as of a device that is gone. */
  private boolean mayRestart() {
    return broken && !transport.register().isClosed();
  }

  private void restart() {
    try {
      boolean late = nowNs - brokenNs >= LATE_NS;
      broken = !adapter.tryRestart(batch, late); // of which everything was accepted
      stays &= broken;
    } catch (VerbsException e) {
      restartNs = nowNs + TimeUnit.MILLISECONDS.toNanos(REFUSED_MS);
      LOG.log(
          stays ? System.Logger.Level.DEBUG : System.Logger.Level.ERROR,
          "the queue pair for datagrams is still broken, this is tried again each second",
          e);
      stays = true;
    }
  }

  /**
   * Ends all links. The queue pair gives every request back at once, so it gets none until it is
   * ready again.
   */
  private void queuePairFailed(String why) {
    if (!broken) {
      broken = true;
      brokenNs = System.nanoTime();
      adapter.sender().fail(why);
      transport.failDevice(new IOException("the queue pair for datagrams has failed: " + why));
    }
  }

  private boolean arrived(int buffer, int length, int source) {
    if (!receiver.isWhole(length)
        || !datagram.read(receiver.memory(), receiver.offset(buffer), length)) {
      countRefused();
      return false;
    }
    UdLink link = transport.links().get(datagram.linkNumber());
    return link != null && link.arrived(receiver, buffer, datagram, source, nowNs);
  }

  private void expire() {
    for (@Nullable UdLink link = wheel.poll(nowNs); link != null; link = wheel.poll(nowNs)) {
      boolean touches = false;
      try {
        touch(link);
        touches = true;
      } finally {
        if (!touches) { // no heap: nothing else would remind of it
          wheel.schedule(link.timer(), nowNs);
        }
      }
    }
  }

  /** What has come to a link is answered, and when to look at it again is noted. */
  private void settle() {
    for (int i = 0; i < touched.size(); i++) {
      UdLink link = touched.get(i);
      boolean _ = link.touch(false);
      if (link.life().isOver()) {
        continue;
      }
      long deadlineNs = link.settle(nowNs, wheel.dueNs(link.timer()));
      if (deadlineNs != Conversation.NEVER) {
        wheel.schedule(link.timer(), Math.max(deadlineNs, nowNs + 1));
      }
    }
    touched.clear();
  }

  private void sleep() {
    notifications.lazySet(notifications.get() + 1);
    completions.requestNotify(false);
    thread.beginWait();
    nowNs = System.nanoTime();
    int found = find();
    if (found == 0 && !lost.hasNews() && thread.mayWait()) {
      thread.await(timeoutMs());
    }
    thread.endWait();
    if (found > 0) {
      accept();
      waiting.found();
    }
    adapter.channel().drain();
  }

  private long timeoutMs() {
    if (!lost.isEmpty()) {
      return 0;
    }
    long timeoutMs = mayRestart() ? (stays ? REFUSED_MS : BROKEN_MS) : -1;
    if (thread.hasStarved()) {
      timeoutMs = STARVED_MS;
    }
    return wheel.isEmpty() ? timeoutMs : EngineThread.earlier(timeoutMs, wheel.nextNs() - nowNs);
  }

  /** All links send over one queue pair. */
  @Override
  public void queuePairFailed(AsyncEvent event) {
    queuePairFailed(event.toString());
  }

  /** None of a shared queue. */
  @Override
  public void lastRequestReached(AsyncEvent event) {}

  @Override
  public void portChanged(AsyncEvent event) {
    adapter.port().changed(event);
  }

  @Override
  public void ended() {
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
}
