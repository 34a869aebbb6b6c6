package org.ringwire.engine;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.ringwire.NodeConfig;
import org.ringwire.engine.inbound.GrantBudget;
import org.ringwire.engine.inbound.HandlerPool;
import org.ringwire.engine.inbound.Registrations;
import org.ringwire.engine.inbound.WindowBudget;
import org.ringwire.engine.outbound.Flusher;
import org.ringwire.engine.outbound.SlowEncoders;
import org.ringwire.engine.request.PendingRequests;
import org.ringwire.metrics.EngineCounters;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.transport.Transport;
import org.ringwire.wire.Incarnation;

/**
 * What the parts of a node share; they are made and closed by {@link MessagingNode}.
 *
 * @param config the settings
 * @param incarnation this life of the node
 * @param transport moves the bytes
 * @param buffers memory for frames outside of rings
 * @param requests without answer so far
 * @param handlers the handler pool
 * @param flusher bounds the delay of bursts
 * @param slowEncoders types whose codec must not encode in rings
 * @param registrations the handlers
 * @param counters what is counted
 * @param errors what is reported
 * @param windows bytes that may be granted to senders
 * @param grants bytes that may be granted to large frames
 * @param timers one thread for deadlines of handshakes and futures
 * @param events one thread for listeners and for freeing what connections leave behind
 */
record NodeServices(
    NodeConfig config,
    Incarnation incarnation,
    Transport transport,
    ReceiveBufferPool buffers,
    PendingRequests requests,
    HandlerPool handlers,
    Flusher flusher,
    SlowEncoders slowEncoders,
    Registrations registrations,
    EngineCounters counters,
    ErrorLog errors,
    WindowBudget windows,
    GrantBudget grants,
    ScheduledExecutorService timers,
    ExecutorService events) {

  /** Runs a blocking handler on a virtual thread of its own. */
  void startBlocking(Runnable call) {
    Thread.ofVirtual().name("ringwire-" + config.nodeId() + "-blocking").start(call);
  }

  /** Runs something on the timer's thread after a while; dropped when the node has ended. */
  void later(Runnable action, long delayNs) {
    try {
      ScheduledFuture<?> _ = timers.schedule(action, delayNs, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      errors.report("a deadline after the end of the node", e);
    }
  }

  /** Runs something on the event thread; dropped when the node has ended. */
  void event(Runnable event) {
    try {
      events.execute(() -> {
        try {
          event.run();
        } catch (RuntimeException e) {
          errors.report("node listener", e);
        }
      });
    } catch (RejectedExecutionException e) {
      errors.report("an event after the end of the node", e);
    }
  }
}
