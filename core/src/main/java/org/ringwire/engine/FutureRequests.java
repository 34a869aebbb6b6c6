package org.ringwire.engine;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.ringwire.SendStatus;
import org.ringwire.engine.connection.Connection;
import org.ringwire.engine.outbound.Waits;
import org.ringwire.engine.request.CompensatedFuture;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.engine.services.SingleTask;
import org.ringwire.idle.Pause;

/**
 * Sends requests whose ends futures tell. Any thread; none of the caller's waits. Deadlines are
 * watched by the timer while there are requests, and by nobody otherwise.
 */
final class FutureRequests {

  private static final long SWEEP_NS = 10_000_000;

  /** Without heap, for ten seconds. */
  private static final int FAIL_ATTEMPTS = 10_000;

  private static final long FAIL_PAUSE_NS = 1_000_000;

  private final NodeServices services;
  private final Connecting connecting;
  private final KeepAlive keepAlive;
  private final OutgoingRequests outgoing;
  private final SingleTask sweep;
  private final ToIntFunction<Object> nodeIdOf; // made before, as there may be no heap for it
  private final Consumer<Object> overdue;

  FutureRequests(
      NodeServices services,
      Connecting connecting,
      KeepAlive keepAlive,
      OutgoingRequests outgoing) {
    this.services = services;
    this.connecting = connecting;
    this.keepAlive = keepAlive;
    this.outgoing = outgoing;
    sweep = new SingleTask(services::later, this::sweepOnce);
    nodeIdOf = FutureRequests::nodeIdOf;
    overdue = this::overdue;
  }

  /**
   * Never waits: where there is no connection yet, or no room, a virtual thread goes on. What fails
   * ends the future; only what is wrong with the arguments is thrown.
   */
  @SuppressWarnings("unchecked") // the response is checked against the type before completion
  <R> CompletableFuture<R> requestAsync(
      int nodeId, Object message, Class<R> responseType, Duration timeout) {
    long deadlineNs = System.nanoTime() + Timeouts.nanos(timeout); // first: it may be wrong
    Objects.requireNonNull(message, MessagingNode.NO_MESSAGE);
    outgoing.register(responseType);
    CompletableFuture<Object> future = new CompensatedFuture<>();
    if (isStarted(startNow(nodeId, message, responseType, timeout, deadlineNs, future))) {
      return (CompletableFuture<R>) future;
    }
    Runnable later = // before it is counted, as there may be no heap for it
        new LaterStart(this, nodeId, message, responseType, timeout, deadlineNs, future);
    if (services.requests().tryWait()) {
      leaveToThread(later);
    } else {
      future.completeExceptionally(outgoing.tooMany()); // nobody depends on it yet
    }
    return (CompletableFuture<R>) future;
  }

  /**
   * What a virtual thread does. No lambda: one for which there is no heap where it is evaluated
   * first may be lost for as long as the process lives.
   */
  private record LaterStart(
      FutureRequests requests,
      int nodeId,
      Object message,
      Class<?> responseType,
      Duration timeout,
      long deadlineNs,
      CompletableFuture<Object> future)
      implements Runnable {

    @Override
    public void run() {
      requests.startLater(nodeId, message, responseType, timeout, deadlineNs, future);
    }
  }

  /** No lambda, for the same reason: the future would never end. */
  private record Failing(CompletableFuture<Object> future, Throwable cause) implements Runnable {
    @Override
    public void run() {
      future.completeExceptionally(cause);
    }
  }

  private void leaveToThread(Runnable start) {
    try {
      services.startBlocking(Waits.handedOn(start));
    } catch (Throwable e) { // no thread can be made
      services.requests().endWaiting();
      throw e;
    }
  }

  private SendStatus startNow(
      int nodeId,
      Object message,
      Class<?> responseType,
      Duration timeout,
      long deadlineNs,
      CompletableFuture<Object> future) {
    Connection connection = connecting.openConnection(nodeId);
    if (connection == null) {
      return SendStatus.NOT_CONNECTED;
    }
    try {
      return start(
          connection,
          message,
          responseType,
          timeout,
          deadlineNs,
          future,
          MessagingNode.NEVER_WAITS);
    } catch (Throwable e) { // as startLater: who asks need not know whether there is a connection
      future.completeExceptionally(e); // nobody depends on it yet
      return SendStatus.CLOSED;
    }
  }

  /** Of a request that is counted as one that waits. */
  private void startLater(
      int nodeId,
      Object message,
      Class<?> responseType,
      Duration timeout,
      long deadlineNs,
      CompletableFuture<Object> future) {
    try {
      Connection connection;
      SendStatus status;
      do {
        connection = awaitConnection(nodeId, deadlineNs);
        status = start(connection, message, responseType, timeout, deadlineNs, future, deadlineNs);
      } while (status == SendStatus.NOT_CONNECTED && isToWaitAgain());
      if (status == SendStatus.BACK_PRESSURED) {
        throw outgoing.notAccepted(connection, SendStatus.BACK_PRESSURED, message);
      }
    } catch (Throwable e) {
      fail(future, e);
    }
  }

  private Connection awaitConnection(int nodeId, long deadlineNs) {
    try {
      return connecting.awaitConnection(nodeId, deadlineNs);
    } finally {
      services.requests().endWaiting(); // a slot counts it from here on
    }
  }

  private boolean isToWaitAgain() {
    if (!services.requests().tryWait()) {
      throw outgoing.tooMany();
    }
    return true;
  }

  /**
   * Nobody else knows of this future: it ends also if there is no heap for that now, not even for
   * the step that {@link org.ringwire.idle.HeapRetry} would try again.
   */
  private void fail(CompletableFuture<Object> future, Throwable cause) {
    for (int attempt = 0; attempt < FAIL_ATTEMPTS; attempt++) {
      try {
        services.handlers().execute(new Failing(future, cause));
        return;
      } catch (OutOfMemoryError e) {
        Pause.starved(future, FAIL_PAUSE_NS);
      }
    }
    future.completeExceptionally(cause); // here: this thread is nobody else's
  }

  private static boolean isStarted(SendStatus status) {
    return status != SendStatus.BACK_PRESSURED && status != SendStatus.NOT_CONNECTED;
  }

  /**
   * Sends; BACK_PRESSURED if nothing was sent and the future is still open; NOT_CONNECTED if in
   * addition the connection ends in good order. What ends the future meanwhile, such as who has
   * asked by cancelling it, takes the slot back at once; what waits for room then is not sent.
   */
  private SendStatus start(
      Connection connection,
      Object message,
      Class<?> responseType,
      Duration timeout,
      long deadlineNs,
      CompletableFuture<Object> future,
      long waitUntilNs) {
    if (future.isDone()) {
      return SendStatus.CLOSED;
    }
    long id =
        services
            .requests()
            .open(connection, message.getClass(), responseType, timeout, deadlineNs, null, future);
    if (id == 0) {
      throw outgoing.tooMany();
    }
    try {
      sweep.later(SWEEP_NS); // before it is encoded, which may take longer than it has time
      CompletableFuture<Object> _ =
          future.whenComplete((response, failure) -> {
            boolean _ = services.requests().withdraw(id);
          });
      SendStatus status =
          outgoing.sendIfWanted(connection, id, message, waitUntilNs, future::isDone);
      if (status == SendStatus.BACK_PRESSURED) {
        return services.requests().withdraw(id) ? status : SendStatus.CLOSED;
      }
      if (status == SendStatus.CLOSED
          && OutgoingRequests.mayGoElsewhere(connection)
          && services.requests().withdraw(id)) {
        return SendStatus.NOT_CONNECTED;
      }
      if (status != SendStatus.ACCEPTED) {
        services.requests().end(id, null, OutgoingRequests.lost(connection));
      }
    } catch (Throwable e) {
      services.requests().withdraw(id);
      throw e;
    }
    services.requests().accepted(id);
    OutgoingRequests.leaveReadingToTransport(connection);
    return SendStatus.ACCEPTED;
  }

  private static int nodeIdOf(Object connection) {
    return ((Connection) connection).nodeId();
  }

  private void overdue(Object connection) {
    keepAlive.suspect((Connection) connection);
  }

  private void sweepOnce() {
    try {
      boolean _ = services.requests().expire(System.nanoTime(), nodeIdOf, overdue);
    } finally { // whatever went wrong: the other requests have deadlines, too
      if (services.requests().outstanding() > 0) {
        sweep.again(SWEEP_NS);
      }
    }
  }
}
