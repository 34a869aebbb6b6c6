package org.ringwire.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.ringwire.SendStatus;
import org.ringwire.WaitInterruptedException;
import org.ringwire.engine.outbound.Waits;
import org.ringwire.engine.services.NodeServices;

/**
 * Those receivers of one message that cannot take it at once. Each is waited for by a thread of its
 * own, so that none keeps another one waiting, and each takes its turn among others who wait for
 * the same; the calling thread does what no other one has begun.
 *
 * <p>They copy from the message's memory. A thread that was told to give up may still look at it,
 * so that memory is given back by whoever is done with it last. It sends nothing any more: the
 * calling thread goes on, and what it sends next would come first ({@link #isOver}).
 */
final class MulticastRest {

  private final NodeServices services;
  private final Runnable giveBack;
  private final AtomicInteger holders = new AtomicInteger(1); // the calling thread
  private volatile boolean over;

  /**
   * Held by the calling thread.
   *
   * @param giveBack gives the message's memory back
   */
  MulticastRest(NodeServices services, Runnable giveBack) {
    this.services = services;
    this.giveBack = giveBack;
  }

  /** The calling thread, or one of the others, needs the memory no more. */
  void release() {
    if (holders.decrementAndGet() == 0) {
      giveBack.run();
    }
  }

  /**
   * Whether the calling thread waits for nobody any more. Who has got a place in a ring behind
   * something that this thread has sent since then sees that it is so: to get one is to change what
   * the one before has changed.
   */
  boolean isOver() {
    return over;
  }

  private boolean tryHold() {
    int before = holders.get();
    while (before > 0) {
      int witness = holders.compareAndExchange(before, before + 1);
      if (witness == before) {
        return true;
      }
      before = witness;
    }
    return false;
  }

  /**
   * Waits for all that are not connected or have no room, and enters what became of it.
   *
   * @param send waits for one of them
   * @throws WaitInterruptedException if the thread is interrupted; the others give up as well
   */
  void sendToRest(Map<Integer, SendStatus> statuses, IntFunction<SendStatus> send) {
    List<Integer> rest = new ArrayList<>();
    statuses.forEach((nodeId, status) -> {
      if (status == SendStatus.NOT_CONNECTED || status == SendStatus.BACK_PRESSURED) {
        rest.add(nodeId);
      }
    });
    try {
      if (rest.size() == 1) {
        statuses.replace(rest.getFirst(), send.apply(rest.getFirst()));
      } else if (!rest.isEmpty()) {
        sendTogether(rest, statuses, send);
      }
    } catch (WaitInterruptedException e) { // it says of one that it has nothing; others may have it
      throw new WaitInterruptedException("interrupted while sending to several nodes", e);
    }
  }

  private void sendTogether(
      List<Integer> rest, Map<Integer, SendStatus> statuses, IntFunction<SendStatus> send) {
    List<FutureTask<SendStatus>> tasks = new ArrayList<>();
    for (int nodeId : rest) {
      tasks.add(new FutureTask<>(() -> sendHolding(nodeId, send)));
    }
    try {
      tasks.subList(1, tasks.size()).forEach(this::start);
      tasks.forEach(FutureTask::run); // nothing, if another thread has begun it
      for (int index = 0; index < tasks.size(); index++) {
        statuses.replace(rest.get(index), outcome(tasks.get(index)));
      }
    } finally {
      over = true; // an interrupt comes too late for who has stopped waiting, or heeds none
      tasks.forEach(task -> task.cancel(true)); // nothing, unless this thread fails
      Waits.end();
    }
  }

  private void start(FutureTask<SendStatus> task) {
    try {
      services.startBlocking(Waits.handedOnAndAwaited(task));
    } catch (OutOfMemoryError e) {
      // the calling thread comes to it later
    }
  }

  private SendStatus sendHolding(int nodeId, IntFunction<SendStatus> send) {
    if (!tryHold()) {
      throw new CancellationException("the message is not there any more: nodeId=" + nodeId);
    }
    try {
      return send.apply(nodeId);
    } finally {
      release();
    }
  }

  private static SendStatus outcome(FutureTask<SendStatus> task) {
    try {
      if (!task.isDone()) {
        Waits.begin();
      }
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WaitInterruptedException("interrupted while sending to several nodes", e);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw new IllegalStateException(e); // nothing checked is thrown
      }
    }
  }
}
