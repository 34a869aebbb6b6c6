package org.ringwire.infiniband.link;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.verbs.EventPoll;
import org.ringwire.infiniband.verbs.types.AsyncEvent;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/** All that an engine has of this package, and no device: links without one, and their thread. */
final class Engineless implements EngineThread.Duty, AutoCloseable {

  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

  final CountDownLatch ended = new CountDownLatch(1);
  final LinkRegister<EndingLink> register;
  final EngineThread thread;
  volatile boolean fails;
  volatile boolean lacksHeap; // once
  volatile boolean lacksHeapForEvents; // once
  volatile boolean spins;
  volatile int lastReached;
  final Queue<AsyncEvent> deviceEvents = new ConcurrentLinkedQueue<>();
  private final EventPoll events;

  /** Its thread is not started. */
  Engineless() {
    TransportConfig config =
        new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, CONNECT_TIMEOUT, "test", null);
    Transport medium = SetUpMedium.open(config);
    register = new LinkRegister<>(config, medium, (_, address, remote) -> newLink(address, remote));
    events = new EventPoll(List.of(), null);
    thread = new EngineThread(config, "engineless", register, events, this::takeEvent, this);
  }

  private @Nullable AsyncEvent takeEvent() {
    if (lacksHeapForEvents) {
      lacksHeapForEvents = false;
      throw new OutOfMemoryError("as this test wants it");
    }
    return deviceEvents.poll();
  }

  EndingLink newLink() {
    return newLink(null, "peer");
  }

  private EndingLink newLink(@Nullable String address, String remote) {
    return new EndingLink(thread, address, remote);
  }

  /** A link of the register, which is open. */
  EndingLink begin() {
    boolean _ = register.begin(newLink().handler, null, "peer") != null;
    EndingLink link = register.iterator().next();
    link.life.open();
    return link;
  }

  @Override
  public boolean work() {
    boolean any = thread.applyInterests();
    thread.resumeStarved();
    if (lacksHeap) {
      lacksHeap = false;
      throw new OutOfMemoryError("as this test wants it");
    }
    if (fails) {
      throw new IllegalStateException("as this test wants it");
    }
    return any;
  }

  @Override
  public void rest(boolean any) {
    if (spins) {
      Thread.onSpinWait();
      return;
    }
    thread.beginWait();
    if (!any && !thread.hasStarved() && !fails && !lacksHeap && thread.mayWait()) {
      thread.await(-1);
    }
    thread.endWait();
  }

  @Override
  public void queuePairFailed(AsyncEvent event) {
    thread.failAll(event);
  }

  @Override
  public void lastRequestReached(AsyncEvent event) {
    lastReached = event.number();
  }

  @Override
  public void portChanged(AsyncEvent event) {}

  @Override
  public void ended() {
    ended.countDown();
  }

  @Override
  public void close() {
    register.closeMedium();
    events.close();
  }
}
