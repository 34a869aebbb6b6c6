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

  /** Whether everybody has left. */
  boolean isDue() {
    return !receiver.isAlive() && used.stream().allMatch(link -> link.life().isClosed());
  }

  /** Lets a thread wait for it; the send thread, as the last that it does. */
  void begin(TransportConfig config) {
    String name = "ringwire-" + config.nodeId() + "-ib-close";
    TransportThreads.create(config, name, this).start();
  }

  @Override
  public void run() {
    while (!isDue()) {
      Pause.blocked(this, LOOK_NS);
    }
    close();
  }

  /** The handlers have heard of the end, and memory that was sent from is not theirs any more. */
  void close() {
    for (IbLink link : used) {
      RcQueuePair queuePair = link.queuePair();
      if (queuePair != null) {
        close(queuePair, link.remote());
      }
    }
    adapter.close();
  }

  private static void close(RcQueuePair queuePair, String remote) {
    try {
      queuePair.close();
    } catch (MessagingException e) {
      LOG.log(System.Logger.Level.WARNING, "cannot free what a link has: " + remote, e);
    }
  }
}
