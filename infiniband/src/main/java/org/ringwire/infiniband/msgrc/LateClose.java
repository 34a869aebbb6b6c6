package org.ringwire.infiniband.msgrc;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.ringwire.MessagingException;
import org.ringwire.idle.Pause;
import org.ringwire.infiniband.verbs.RcQueuePair;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.support.TransportLog;
import org.ringwire.transport.support.TransportThreads;

/**
 * The end of a transport that does not wait any longer for who is inside of its links, such as a
 * handler that does not return: what it has of the device is closed when they have left. Until then
 * a thread looks now and then; it costs no more than the one that it waits for.
 */
final class LateClose implements Runnable {

  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final TransportLog LOG = TransportLog.of(LateClose.class);

  private final Adapter adapter;
  private final Thread receiver;
  private final Queue<IbLink> used = new ConcurrentLinkedQueue<>();

  /**
   * Of nothing yet.
   *
   * @param receiver the thread that receives, which uses the device until its end
   */
  LateClose(Adapter adapter, Thread receiver) {
    this.adapter = adapter;
    this.receiver = receiver;
  }

  /** Somebody is inside of a link, whose queue pair stays. */
  void add(IbLink link) {
    used.add(link);
  }

  /**
   * The send thread, as the last that it does: at once if everybody has left, else a thread waits
   * for that; this one itself if there is none to be had.
   */
  void closeOrBegin(TransportConfig config) {
    if (tryClose()) {
      return;
    }
    try {
      String name = "ringwire-" + config.nodeId() + "-ib-close";
      TransportThreads.create(config, name, this).start();
    } catch (OutOfMemoryError e) {
      run();
    }
  }

  @Override
  public void run() {
    while (!tryClose()) {
      Pause.blocked(this, LOOK_NS);
    }
  }

  /** Returns whether everybody has left, and all is closed; needs no heap to find that. */
  private boolean tryClose() {
    if (receiver.isAlive()) {
      return false;
    }
    try {
      for (IbLink link = used.peek(); link != null; link = used.peek()) {
        if (!link.life().isClosed()) {
          return false;
        }
        close(link);
        IbLink _ = used.poll(); // after it: it is tried again if there was no heap
      }
      adapter.close();
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  /** Its handler has heard of the end, and memory that was sent from is not its own any more. */
  private static void close(IbLink link) {
    RcQueuePair queuePair = link.queuePair();
    if (queuePair != null) {
      close(queuePair, link.remote());
    }
  }

  private static void close(RcQueuePair queuePair, String remote) {
    try {
      queuePair.close();
    } catch (MessagingException e) {
      LOG.log(System.Logger.Level.WARNING, "cannot free what a link has: " + remote, e);
    }
  }
}
