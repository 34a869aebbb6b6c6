package org.ringwire.engine;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ringwire.IdleStrategy;
import org.ringwire.MessagingException;
import org.ringwire.SendStatus;
import org.ringwire.WaitInterruptedException;
import org.ringwire.engine.connection.Connection;
import org.ringwire.engine.connection.PeerSession;
import org.ringwire.engine.outbound.OutboundPipe;
import org.ringwire.engine.outbound.SendContext;
import org.ringwire.engine.outbound.Waits;
import org.ringwire.engine.request.Crowd;
import org.ringwire.engine.request.PendingRequest;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.idle.Pause;
import org.ringwire.idle.WaitingPlace;
import org.ringwire.transport.Link;

/** Sends requests and waits for their ends; {@link FutureRequests} does not wait. Any thread. */
final class Requester {

  private static final int POLLS_PER_CLOCK = 32;

  private final NodeServices services;
  private final Connecting connecting;
  private final KeepAlive keepAlive;
  private final OutgoingRequests outgoing;

  /** Of those that wait while another one leads; they share what they learn. */
  private final WaitingPlace place;

  Requester(
      NodeServices services,
      Connecting connecting,
      KeepAlive keepAlive,
      OutgoingRequests outgoing) {
    this.services = services;
    this.connecting = connecting;
    this.keepAlive = keepAlive;
    this.outgoing = outgoing;
    place = WaitingPlace.of(services.config().idleStrategy());
  }

  <R> R request(int nodeId, Object message, Class<R> responseType, Duration timeout) {
    Timeouts.check(timeout);
    Objects.requireNonNull(message, MessagingNode.NO_MESSAGE);
    SendContext context = SendContext.current();
    if (context.isInline()) {
      throw new IllegalStateException(
          "an inline handler may not wait for a response: register it as POOLED or BLOCKING, or use"
              + " requestAsync; messageType="
              + message.getClass().getName());
    }
    int batch = context.suspendBatch(); // nothing may be put off by a thread that waits
    try {
      long nowNs = System.nanoTime();
      context.noteClock(nowNs);
      long deadlineNs = nowNs + Timeouts.nanos(timeout);
      outgoing.register(responseType); // what is generated the first time takes of the timeout
      return requestNow(context, nodeId, message, responseType, timeout, deadlineNs);
    } finally {
      context.forgetClock();
      context.resumeBatch(batch);
    }
  }

  private <R> R requestNow(
      SendContext context,
      int nodeId,
      Object message,
      Class<R> responseType,
      Duration timeout,
      long deadlineNs) {
    while (true) {
      Connection connection = connecting.awaitConnection(nodeId, deadlineNs);
      Crowd crowd = connection.crowd();
      crowd.enter();
      try {
        R response = requestOn(connection, context, message, responseType, timeout, deadlineNs);
        if (response != null) {
          return response;
        }
      } finally {
        crowd.leave();
      }
    }
  }

  /** Null if the connection ends in good order, and has not taken the request. */
  private <R> @Nullable R requestOn(
      Connection connection,
      SendContext context,
      Object message,
      Class<R> responseType,
      Duration timeout,
      long deadlineNs) {
    long id =
        services
            .requests()
            .open(
                connection,
                message.getClass(),
                responseType,
                timeout,
                deadlineNs,
                Thread.currentThread(),
                null);
    if (id == 0) {
      throw outgoing.tooMany();
    }
    PendingRequest slot = services.requests().slot(id);
    boolean taken = false;
    try {
      boolean sent = sendOrEnd(connection, context, id, slot, message, deadlineNs);
      if (sent) {
        context.forgetClock();
        await(connection, id, slot, deadlineNs);
      } else {
        endOwn(id, slot, OutgoingRequests.lost(connection));
      }
      RuntimeException failure = slot.failure();
      Object response = slot.response();
      taken = true;
      services.requests().free(id);
      if (!sent) {
        return null;
      }
      if (failure != null) {
        throw withCaller(failure);
      }
      return responseType.cast(Objects.requireNonNull(response, "response"));
    } finally {
      if (!taken) { // this thread has failed, or who has ended the request has
        services.requests().giveUp(id);
      }
    }
  }

  /** As {@link #sendOrThrow}; what goes wrong is the outcome of the request. */
  private boolean sendOrEnd(
      Connection connection,
      SendContext context,
      long id,
      PendingRequest slot,
      Object message,
      long deadlineNs) {
    try {
      boolean yields = mayYield(connection);
      boolean together = yields || isCrowded(connection);
      return together
          ? sendInCrowd(connection, context, id, slot, message, deadlineNs, yields)
          : sendOrThrow(connection, context, id, message, deadlineNs);
    } catch (RuntimeException e) {
      endOwn(id, slot, e);
      if (e instanceof MessagingException failure && !failure.mayBeHandled()) {
        slot.overrule(failure);
      }
      return true;
    }
  }

  /** False if the connection ends in good order: then another one may take the request. */
  private boolean sendOrThrow(
      Connection connection, SendContext context, long id, Object message, long deadlineNs) {
    SendStatus status = outgoing.send(connection, context, id, message, deadlineNs);
    if (status == SendStatus.CLOSED && OutgoingRequests.mayGoElsewhere(connection)) {
      return false;
    }
    if (status == SendStatus.CLOSED) {
      throw OutgoingRequests.lost(connection);
    }
    if (status != SendStatus.ACCEPTED) {
      throw outgoing.notAccepted(connection, status, message);
    }
    return true;
  }

  /** Who always spins has cores for all, and need not get along. */
  private boolean isCrowded(Connection connection) {
    IdleStrategy strategy = services.config().idleStrategy();
    return (strategy.adapts() || !strategy.spins()) && connection.crowd().isCrowded();
  }

  /** Who must park at once, or spins as it likes, does not; a virtual thread has no core. */
  private boolean mayYield(Connection connection) {
    return services.config().idleStrategy().adapts()
        && !Thread.currentThread().isVirtual()
        && connection.crowd().mayYield();
  }

  /** Sends as {@link #sendOrThrow}, and writes when others had a chance to send, too. */
  private boolean sendInCrowd(
      Connection connection,
      SendContext context,
      long id,
      PendingRequest slot,
      Object message,
      long deadlineNs,
      boolean yields) {
    boolean sent = false;
    context.beginBatch(); // nothing is written before its end, unless there is much of it
    try {
      sent = sendOrThrow(connection, context, id, message, deadlineNs);
    } finally {
      if (!sent || !yields) {
        context.endBatchLater(sent ? leftToReader(connection) : null);
      }
    }
    if (sent && yields) {
      OutgoingRequests.leaveReadingToTransport(connection);
      Crowd.awaitYielding(slot, deadlineNs, context.batchEnd());
    }
    return sent;
  }

  /** What the thread that hands out answers is going to write, if it is doing so. */
  private static @Nullable OutboundPipe leftToReader(Connection connection) {
    PeerSession data = connection.dataSession();
    return data != null && connection.crowd().leavesToReader() ? data.pipe() : null;
  }

  /**
   * Ends a request of this thread; somebody else may have been first, which is fine, unless it does
   * not say how: then the cause is thrown.
   */
  private void endOwn(long id, PendingRequest slot, RuntimeException cause) {
    if (!services.requests().end(id, null, cause) && !slot.awaitOutcome()) {
      throw cause;
    }
  }

  private void await(Connection connection, long id, PendingRequest slot, long deadlineNs) {
    boolean leads = !Thread.currentThread().isVirtual() && !isCrowded(connection);
    if (!leads) {
      OutgoingRequests.leaveReadingToTransport(connection);
    }
    long untilNs = Waits.graceEnd(deadlineNs);
    while (!slot.getAsBoolean()) {
      if (Thread.currentThread().isInterrupted()) {
        endOwn(id, slot, new WaitInterruptedException("interrupted while waiting for a response"));
      } else if (System.nanoTime() - deadlineNs >= 0) {
        keepAlive.suspect(connection);
        endOwn(id, slot, services.requests().late(connection.nodeId(), id));
      } else if (untilNs != deadlineNs && System.nanoTime() - untilNs >= 0) {
        Waits.begin();
        untilNs = deadlineNs;
      } else if (!leads || !lead(connection, slot, untilNs)) {
        if (!place.spins() || !spin(slot)) {
          slot.park(untilNs - System.nanoTime());
        }
      }
    }
  }

  /**
   * Reads the link itself, if nobody else does; hands on to the transport if others wait for what
   * comes over it. Somebody always waits for something else, and waking the transport takes longer
   * than to read an answer.
   */
  private boolean lead(Connection connection, PendingRequest slot, long deadlineNs) {
    PeerSession session = connection.inbound();
    Link link = session == null ? null : session.link();
    if (link == null || !link.lead(slot, deadlineNs)) {
      return false;
    }
    Crowd crowd = connection.crowd(); // this one is counted in both until it leaves
    int waiting = link.leadsOthers() ? services.requests().outstanding() : crowd.requests();
    if (waiting > 1) {
      link.resumeReading();
    }
    return true;
  }

  private boolean spin(PendingRequest slot) {
    long beganNs = System.nanoTime();
    long spinNs = place.begin(SendContext.current().active(), beganNs);
    long nowNs = beganNs;
    int rounds = 0;
    while (nowNs - beganNs < spinNs) {
      for (int poll = 0; poll < POLLS_PER_CLOCK; poll++) {
        if (slot.getAsBoolean()) {
          place.succeeded();
          return true;
        }
        Pause.look();
      }
      long lastNs = nowNs;
      nowNs = System.nanoTime();
      place.gap(lastNs, nowNs);
      Pause.spinning(++rounds);
    }
    if (spinNs > 0) {
      place.failed();
    }
    return false;
  }

  /** The same failure with the caller's stack beside the one of where it was found. */
  private static RuntimeException withCaller(RuntimeException failure) {
    if (failure instanceof MessagingException) {
      failure.addSuppressed(new CallerTrace());
    }
    return failure;
  }

  /** Shows where a failed request was made. */
  private static final class CallerTrace extends RuntimeException {
    private static final long serialVersionUID = 1;

    CallerTrace() {
      super("the request was made here");
    }
  }
}
