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
 * closing, and deliveries that would be nested too deeply; and for much at once, so that a sender
 * goes on meanwhile.
 *
 * <p>Any thread posts or delegates; the loop sleeps without a time limit. No task is slept over:
 * the loop writes {@code asleep}, then reads the queue and what was delegated; {@link #post} adds
 * to the queue, {@link #delegate} to the other, then each reads {@code asleep}, all volatile, so
 * one of them sees the other, and an unpark before the park ends it at once.
 *
 * <p>A task that comes to no end for want of heap is tried again, for some seconds: it may be the
 * end of a link, which nobody else would bring about.
 */
final class LoopbackLoop implements Runnable {

  private static final TransportLog LOG = TransportLog.of(LoopbackLoop.class);

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final Delegation delegation = new Delegation();
  private final Thread thread;
  private final String failure; // made before, as there may be no heap for it
  private volatile boolean asleep;
  private volatile boolean ending;
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

  /**
   * Leaves work to the loop's thread if that does none of another link; any thread.
   *
   * @return false if the caller has to do it itself
   */
  boolean delegate(Delegation.Work work) {
    if (!delegation.offer(work)) {
      return false;
    }
    if (asleep) { // pairs with the write in sleep()
      LockSupport.unpark(thread);
    }
    return true;
  }

  /** Whether something waits that is not being done; the thread only. */
  boolean isWanted() {
    return !tasks.isEmpty() || delegation.isWaiting();
  }

  /**
   * By what the thread is doing: it is to be done once more, after the tasks that wait.
   *
   * @return false if that was posted, not delegated
   */
  boolean again() {
    return delegation.again();
  }

  /** Lets the thread end after the tasks that were posted; takes no heap. */
  void shutdown() {
    ending = true;
    if (asleep) { // pairs with the write in sleep()
      LockSupport.unpark(thread);
    }
  }

  /** Whether the caller is the thread. */
  boolean isCurrentThread() {
    return thread.equals(Thread.currentThread());
  }

  /** The thread, to wait for. */
  Thread thread() {
    return thread;
  }

  @Override
  public void run() {
    while (!ending) {
      boolean any = runTask();
      any |= runDelegated(); // in turns: each may come back after one offer of its link
      if (!any) {
        sleep();
      }
    }
    for (int left = tasks.size(); left > 0; left--) { // no more: each may post others
      boolean _ = runTask();
    }
    ended = true;
    runTasks(); // those that were added before their posters could see the end
    delegation.end();
  }

  private void runTasks() {
    boolean any;
    do {
      any = runTask();
    } while (any);
  }

  private boolean runTask() {
    Runnable task = tasks.poll();
    if (task == null) {
      return false;
    }
    try {
      HeapRetry.run(this, task);
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.ERROR, failure, e);
    }
    return true;
  }

  private boolean runDelegated() {
    try {
      return delegation.run();
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.ERROR, failure, e);
      return true;
    }
  }

  private void sleep() {
    asleep = true;
    Thread.interrupted(); // left behind by a handler, it would end every park at once
    if (!isWanted() && !ending) {
      Pause.idle(this);
    }
    asleep = false;
  }
}
