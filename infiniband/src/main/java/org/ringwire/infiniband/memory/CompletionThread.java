package org.ringwire.infiniband.memory;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.IdleStrategy;
import org.ringwire.MessagingException;
import org.ringwire.idle.Pause;
import org.ringwire.infiniband.device.Waiting;
import org.ringwire.infiniband.link.EngineThread;
import org.ringwire.infiniband.verbs.Device;
import org.ringwire.infiniband.verbs.EventPoll;
import org.ringwire.infiniband.verbs.types.AsyncEvent;

/**
 * Takes the completions of operations that nobody waits for, or whose threads have parked, and
 * tells listeners of what peers have written, and futures for which there was no thread. Polls
 * while there is something to do and for as long as its {@link Waiting} says, then waits for an
 * event.
 *
 * <p><em>Nothing is slept over.</em> Each queue is asked for an event and then polled once more;
 * one that is new was asked when it was made. Events of the device end a wait, too; after one that
 * says that it has failed there is nothing to wait for.
 *
 * <p>What is thrown over the operations on memory of one node ends those, and no others.
 */
final class CompletionThread implements Runnable {

  private final NodeMemory owner;
  private final Notices notices;
  private final EventPoll events;
  private final Waiting waiting = new Waiting(IdleStrategy.adaptive());
  private final Thread thread;
  private volatile boolean ending;
  private boolean lacksHeap; // the thread's
  private boolean ended; // guarded by this, as the next
  private @Nullable Runnable last;

  /** Not started. */
  CompletionThread(NodeMemory owner, String name) {
    this.owner = owner;
    notices = owner.device().notices();
    events = new EventPoll(List.of(owner.device().events()), owner.device().device());
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    thread =
        Thread.ofPlatform()
            .daemon()
            .name(name)
            .inheritInheritableThreadLocals(false)
            .unstarted(this);
    thread.setContextClassLoader(context);
  }

  Thread thread() {
    return thread;
  }

  /** Never started. */
  void close() {
    events.close();
  }

  /** There is something to do; where there is no heap to say so, whoever comes next says it. */
  void wake() {
    try {
      events.wakeup();
    } catch (OutOfMemoryError e) {
      // it stays where the thread looks
    }
  }

  /** Lets the thread end. */
  void shutdown() {
    ending = true;
    events.wakeup();
  }

  /**
   * Runs what may happen only when this thread uses the device no more: now, or, if it has not
   * ended or is the caller, as the last that it does. Once.
   */
  void whenEnded(Runnable step) {
    synchronized (this) {
      if (!ended) {
        last = step;
        return;
      }
    }
    step.run();
  }

  @Override
  public void run() {
    try {
      while (!ending) {
        tryWork();
      }
    } catch (Throwable e) { // who waits for it must not wait for ever
      owner.failed(e);
    } finally {
      events.close();
      end();
    }
  }

  private void end() {
    Runnable step;
    synchronized (this) {
      ended = true;
      step = last;
    }
    if (step != null) {
      step.run();
    }
  }

  /** A round for which there is no heap costs nothing but time. */
  private void tryWork() {
    try {
      if (lacksHeap) {
        lacksHeap = false;
        Pause.blocked(this, EngineThread.NO_HEAP_PAUSE_NS); // needs heap when it is used first
      }
      doWork(owner.initiators());
    } catch (OutOfMemoryError e) {
      lacksHeap = true;
    }
  }

  private void doWork(Collection<Initiator> initiators) {
    boolean untold = owner.endings().retry();
    boolean any = notices.poll();
    boolean busy = any;
    for (Initiator initiator : initiators) {
      any |= look(initiator, false);
      busy |= initiator.isBusy();
    }
    if (any) {
      waiting.found();
    } else if (untold) {
      Pause.blocked(this, EngineThread.NO_HEAP_PAUSE_NS);
    } else if (!busy || !waiting.looksAgain()) {
      sleep(initiators);
    }
  }

  private boolean look(Initiator initiator, boolean arms) {
    try {
      if (arms) {
        initiator.arm();
      }
      return initiator.poll();
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) {
      owner.failed(initiator, e);
      return true;
    }
  }

  private void sleep(Collection<Initiator> initiators) {
    notices.arm();
    boolean any = notices.poll();
    for (Initiator initiator : initiators) {
      any |= look(initiator, true);
    }
    if (!any) {
      boolean _ = events.await(notices.idleMs()); // a wake-up before it ends it at once
      owner.device().events().drain();
      if (events.isAsyncEventReady()) {
        takeDeviceEvents(owner.device());
      }
      if (events.takeFailure()) {
        throw new MessagingException("device failed: its events cannot be had any more");
      }
    } else {
      waiting.found();
    }
  }

  /** Operations without a time limit would wait for ever for a device that has failed. */
  private void takeDeviceEvents(MemoryDevice from) {
    Device device = from.device();
    for (AsyncEvent event = device.takeAsyncEvent();
        event != null;
        event = device.takeAsyncEvent()) {
      switch (event.type()) {
        case DEVICE_FATAL, CQ_ERR, SRQ_ERR ->
            throw new MessagingException("device failed: " + event);
        case QP_LAST_WQE_REACHED -> notices.lastRequestReached(event.number());
        default -> {
          if (event.type().isOfPort()) {
            from.port().changed(event);
          } // a queue pair that failed ends with its operations or its peer
        }
      }
    }
  }
}
