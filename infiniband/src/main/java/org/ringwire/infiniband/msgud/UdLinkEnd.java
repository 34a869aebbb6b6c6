package org.ringwire.infiniband.msgud;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.datagram.Datagram;
import org.ringwire.transport.support.TransportLog;

/**
 * How a link over datagrams ends, step by step, from when nobody is inside any more. What was
 * written before is delivered if the peer takes it, and then a farewell says that this is the
 * orderly end. Otherwise, or if that takes too long, nothing is sent again. Memory is released when
 * the device has completed what names it, which needs no peer. The thread of the engine only.
 */
final class UdLinkEnd {

  private static final long LINGER_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long LINGER_AT_CLOSE_NS = TimeUnit.MILLISECONDS.toNanos(300);
  private static final long FLUSH_NS = TimeUnit.SECONDS.toNanos(1);
  private static final TransportLog LOG = TransportLog.of(UdLinkEnd.class);

  private enum Step {
    /** The link lives, or is in the making. */
    NONE,
    /** What was written is being delivered. */
    DRAINING,
    /** The farewell is being delivered. */
    FAREWELL,
    /** The device completes what it has. */
    FLUSHING,
    /** Over. */
    ENDED
  }

  private final UdTransport transport;
  private final UdLink link;
  private Step step = Step.NONE;
  private boolean told;
  private boolean watched;
  private long deadlineNs;

  /** An attempt begins, whose time is limited. */
  UdLinkEnd(UdTransport transport, UdLink link) {
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
  void proceed(long nowNs) throws IOException {
    if (step == Step.NONE && !link.isOpened() && nowNs - deadlineNs >= 0) {
      long timeoutMs = transport.config().connectTimeout().toMillis();
      link.fail(new SocketTimeoutException("no answer within " + timeoutMs + " ms"));
    }
    if (step == Step.ENDED || !link.isClosed()) {
      return;
    }
    UdStream stream = link.stream();
    if (stream == null) {
      finish(null);
      return;
    }
    if (step == Step.NONE) {
      step = Step.DRAINING;
      deadlineNs = nowNs + (transport.register().isClosed() ? LINGER_AT_CLOSE_NS : LINGER_NS);
    }
    boolean late = nowNs - deadlineNs >= 0;
    if (step == Step.DRAINING && stream.isDrained() && !link.endsAbruptly()) {
      tell();
      if (stream.sendSignal(Datagram.FAREWELL)) {
        step = Step.FAREWELL;
        transport.thread().touch(link);
      }
    } else if (step == Step.FAREWELL && stream.isDrained()) {
      finish(stream);
    } else if (step != Step.FLUSHING && (late || link.endsAbruptly())) {
      step = Step.FLUSHING;
      deadlineNs = nowNs + FLUSH_NS;
      late = false;
      stream.abandon();
    }
    if (step == Step.FLUSHING) {
      flush(stream, late);
    }
  }

  private void flush(UdStream stream, boolean late) {
    boolean _ = transport.adapter().sender().poll();
    stream.abandon();
    if (late && !stream.isDrained()) { // nothing is read of the memory after that
      transport.failDevice(new IOException("the device does not complete what it was given"));
    }
    if (late || stream.isDrained()) {
      finish(stream);
    }
  }

  private void finish(@Nullable UdStream stream) {
    step = Step.ENDED;
    transport.thread().forget(link);
    if (stream != null) {
      stream.close(transport.adapter().receiver());
    }
    if (link.number() >= 0) {
      transport.links().remove(link.number());
    }
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
   * Ends at once, because the transport does not wait any longer. If somebody is inside, what the
   * device has is left to that one.
   */
  void force() {
    if (step == Step.ENDED) {
      return;
    }
    UdStream stream = link.stream();
    if (stream != null) {
      stream.abandon();
      if (!stream.isDrained()) {
        transport.failDevice(new IOException("the transport was closed"));
      }
    }
    if (link.isClosed()) {
      finish(stream);
      return;
    }
    step = Step.ENDED;
    if (stream != null) {
      transport.abandon();
    }
    tell();
    link.setUp().close();
    transport.register().remove(link);
  }
}
