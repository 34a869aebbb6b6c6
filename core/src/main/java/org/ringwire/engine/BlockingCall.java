package org.ringwire.engine;

import org.jspecify.annotations.Nullable;
import org.ringwire.engine.inbound.Delivery;
import org.ringwire.engine.inbound.LinkType;
import org.ringwire.engine.inbound.MessageExchange;
import org.ringwire.engine.inbound.Registration;
import org.ringwire.engine.inbound.SlowHandlers;
import org.ringwire.wire.FailureReason;

/** One message on its virtual thread. Everything that it holds is on the heap. */
final class BlockingCall implements Runnable {

  private final InboundPipe pipe;
  private final Delivery delivery;
  private final LinkType type;
  private final Registration registration;
  private final Object message;
  private final long correlation;
  private final long header;
  private final @Nullable Runnable after;

  BlockingCall(
      InboundPipe pipe,
      Delivery delivery,
      LinkType type,
      Registration registration,
      Object message,
      long correlation,
      long header,
      @Nullable Runnable after) {
    this.pipe = pipe;
    this.delivery = delivery;
    this.type = type;
    this.registration = registration;
    this.message = message;
    this.correlation = correlation;
    this.header = header;
    this.after = after;
  }

  @Override
  public void run() {
    MessageExchange exchange = new MessageExchange(pipe.replies(), () -> this::done);
    boolean processed;
    exchange.begin(correlation);
    SlowHandlers slow = pipe.slowHandlers();
    slow.wake();
    long beganNs = slow.now();
    try {
      registration.handler().handle(message, exchange);
      processed = exchange.end();
    } catch (Throwable e) { // nothing that a handler does may go unanswered
      processed = exchange.end(FailureReason.HANDLER_FAILED, delivery.failed(type, e));
    } finally {
      if (slow.isSlow(beganNs)) {
        delivery.wasSlow(type, beganNs);
      }
    }
    if (processed) {
      done();
    }
    if (after != null) {
      after.run();
    }
  }

  private void done() {
    pipe.processed(header);
  }
}
