package org.ringwire.infiniband.msgrc;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.infiniband.verbs.RcQueuePair;
import org.ringwire.transport.support.TransportLog;

/**
 * How a link ends, step by step, from when nobody is inside any more. What was written before is
 * delivered if the peer takes it, and then a farewell says that this is the orderly end. Otherwise,
 * or if that takes too long, the queue pair is put into its error state, in which the device gives
 * all requests back. The memory that they name stays registered until then, or until the queue pair
 * is destroyed, after which the device uses nothing of it. The send thread only.
 */
final class LinkEnd {

  private static final long LINGER_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long LINGER_AT_CLOSE_NS = TimeUnit.MILLISECONDS.toNanos(300);
  private static final long FLUSH_NS = TimeUnit.SECONDS.toNanos(1);
  private static final TransportLog LOG = TransportLog.of(LinkEnd.class);

  private enum Step {
    /** The link lives, or is in the making. */
    NONE,
    /** What was written is being delivered. */
    DRAINING,
    /** The farewell is being delivered. */
    FAREWELL,
    /** The device gives requests back. */
    FLUSHING,
    /** Over. */
    ENDED
  }

  private final IbTransport transport;
  private final IbLink link;
  private Step step = Step.NONE;
  private boolean told;
  private boolean watched;
  private long deadlineNs;

  /** An attempt begins, whose time is limited. */
  LinkEnd(IbTransport transport, IbLink link) {
    this.transport = transport;
    this.link = link;
    deadlineNs = System.nanoTime() + transport.config().connectTimeout().toNanos();
  }

  /** Whether it is over. */
  boolean isOver() {
    return step == Step.ENDED;
  }

  /** Notes whether its time limit is being watched; returns whether that is a change. */
  boolean watch(boolean watching) {
    boolean changes = watched != watching;
    watched = watching;
    return changes;
  }

  /** Goes as far as it can; called after what may make a difference, and now and then. */
  void proceed(long nowNs) {
    if (step == Step.NONE && !link.isOpened() && nowNs - deadlineNs >= 0) {
      long timeoutMs = transport.config().connectTimeout().toMillis();
      link.fail(new SocketTimeoutException("no answer within " + timeoutMs + " ms"));
    }
    if (step == Step.ENDED || !link.isClosed()) {
      return;
    }
    Channel channel = link.channel();
    if (channel == null) {
      finish(null);
      return;
    }
    if (step == Step.NONE) {
      step = Step.DRAINING;
      deadlineNs = nowNs + (transport.register().isClosed() ? LINGER_AT_CLOSE_NS : LINGER_NS);
    }
    boolean late = nowNs - deadlineNs >= 0;
    int outstanding = channel.queue().outstanding();
    if (step == Step.DRAINING && outstanding == 0 && !link.endsAbruptly()) {
      tell();
      step = sayFarewell(channel) ? Step.FAREWELL : Step.FLUSHING;
      outstanding = channel.queue().outstanding();
    }
    if (step == Step.FAREWELL && outstanding == 0) {
      finish(channel);
    } else if (step == Step.FLUSHING && (outstanding == 0 || late)) {
      finish(channel);
    } else if (step != Step.FLUSHING && (late || link.endsAbruptly())) {
      flush(channel, nowNs);
    }
  }

  private static boolean sayFarewell(Channel channel) {
    try {
      channel.queue().postSignal(Immediate.FAREWELL);
      return true;
    } catch (IOException e) {
      return false; // the peer learns it from the connection over TCP
    }
  }

  private void flush(Channel channel, long nowNs) {
    step = Step.FLUSHING;
    deadlineNs = nowNs + FLUSH_NS;
    try {
      channel.queuePair().toError();
    } catch (MessagingException e) {
      LOG.log(System.Logger.Level.DEBUG, "no error state: remote=" + link.remote(), e);
    }
    if (channel.queue().outstanding() == 0) {
      finish(channel);
    }
  }

  private void finish(@Nullable Channel channel) {
    step = Step.ENDED;
    RcQueuePair queuePair = link.queuePair();
    if (queuePair != null) {
      queuePair.close();
    }
    boolean clean = channel == null || channel.queue().outstanding() == 0;
    if (channel != null) {
      channel.queue().completeAll();
      transport.reuse(channel.queue().posted());
    }
    if (clean && link.number() >= 0) {
      transport.links().remove(link.number());
    } // else a late completion could be taken for one of the next link with that number
    tell();
    link.setUp().close();
    transport.register().remove(link);
  }

  private void tell() {
    if (told) {
      return;
    }
    told = true;
    try {
      link.tellEnd();
    } catch (Throwable e) {
      LOG.log(
          System.Logger.Level.ERROR, "handler failed at the end of a link: " + link.remote(), e);
    }
  }

  /**
   * Ends at once, because the transport does not wait any longer. If somebody is inside, the queue
   * pair is left in its error state, and never destroyed, since that one may still post to it.
   */
  void force() {
    if (step == Step.ENDED) {
      return;
    }
    Channel channel = link.channel();
    if (link.isClosed()) {
      finish(channel);
      return;
    }
    step = Step.ENDED;
    if (channel != null) {
      transport.abandon();
      try {
        channel.queuePair().toError();
      } catch (MessagingException e) {
        LOG.log(System.Logger.Level.DEBUG, "no error state: remote=" + link.remote(), e);
      }
    }
    tell();
    link.setUp().close();
    transport.register().remove(link);
  }
}
