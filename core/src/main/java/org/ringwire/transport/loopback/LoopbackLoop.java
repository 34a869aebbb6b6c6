package org.ringwire.transport.loopback;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.ringwire.idle.HeapRetry;
import org.ringwire.idle.Pause;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.support.TransportLog;
import org.ringwire.transport.support.TransportThreads;

/**
 * The thread of a loopback transport, for what must not happen on a sender's thread: opening,
 * closing, and deliveries that would be nested too deeply. Most bytes never see it.
 *
 * <p>Any thread posts; the loop sleeps without a time limit. No task is slept over: the loop writes
 * {@code asleep}, then reads the queue; {@link #post} adds to the queue, then reads {@code asleep},
 * all volatile, so one of them sees the other, and an unpark before the park ends it at once.
 *
 * <p>A task that comes to no end for want of heap is tried again, for some seconds: it may be the
 * end of a link, which nobody else would bring about.
 */
final class LoopbackLoop implements Runnable {

  private static final TransportLog LOG = TransportLog.of(LoopbackLoop.class);

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private final String failure; // made before, as there may be no heap for it
  private volatile boolean asleep;
  private volatile boolean ended;

  /** Not started. */
  LoopbackLoop(TransportConfig config) {
    String name = "ringwire-" + config.nodeId() + "-loopback";
    thread = TransportThreads.create(config, name, this);
    failure = "a task of " + name + " failed";
  }

  /** Starts the thread, once. */
  void start() {
    thread.start();
  }

  /** Runs a task on the loop's thread; any thread. After the end, tasks run on the caller's. */
  void post(Runnable task) {
    tasks.add(task);
    if (ended) { // pairs with the write in run()
      runTasks();
    } else if (asleep) { // pairs with the write in sleep()
      LockSupport.unpark(thread);
    }
  }

  /** Lets the thread end after the tasks that were posted. */
  void shutdown() {
    post(() -> ended = true);
  }

  /** The thread, to wait for. */
  Thread thread() {
    return thread;
  }

  @Override
  public void run() {
    while (!ended) {
      if (!runTasks()) {
        sleep();
      }
    }
    boolean _ = runTasks(); // those that were added before their posters could see the end
  }

  private boolean runTasks() {
    boolean any = false;
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      any = true;
      try {
        HeapRetry.run(this, task);
      } catch (Throwable e) {
        LOG.log(System.Logger.Level.ERROR, failure, e);
      }
    }
    return any;
  }

  private void sleep() {
    asleep = true;
    Thread.interrupted(); // left behind by a handler, it would end every park at once
    if (tasks.isEmpty() && !ended) {
      Pause.idle(this);
    }
    asleep = false;
  }
}
