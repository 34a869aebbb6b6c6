package org.ringwire.engine.dispatch;

import org.jspecify.annotations.Nullable;
import org.ringwire.engine.inbound.Delivery;
import org.ringwire.engine.inbound.LinkType;
import org.ringwire.engine.inbound.MessageExchange;
import org.ringwire.engine.inbound.Registration;
import org.ringwire.engine.inbound.SlowHandlers;
import org.ringwire.engine.outbound.Waits;
import org.ringwire.engine.services.BlockingStarts;
import org.ringwire.wire.FailureReason;

/**
 * One message on its virtual thread. Everything that it holds is on the heap.
 *
 * <p>A handler that waits for another node keeps its message, and so the credit of it. If handlers
 * of two nodes wait like this for each other until both windows are full, no request could pass
 * that would end one of them. So before a handler waits its node lends the peer as much as its
 * message has taken of the window, until the handler ends ({@code ReceiveWindow.lend}).
 *
 * <p>A handler that has retained its message may wait while another thread gives the message back:
 * both happen under the lock of this object, so that what was lent is paid back once. While its
 * handler waits for the end of the connection that it came by, which would wait for the handler, or
 * of another one while that is dismissed, the message is let go: it counts as processed, and keeps
 * the credit, as it takes memory.
 */
final class BlockingCall extends BlockingStarts.Call implements Runnable, Waits.Compensated {

  private final InboundPipe pipe;
  private final Delivery delivery;
  private final LinkType type;
  private final Registration registration;
  private final Object message;
  private final long correlation;
  private final long header;
  private final @Nullable Runnable after;
  private @Nullable MessageExchange exchange; // of its thread, as the next
  private boolean abandoned;
  private boolean lent; // under the lock, as the next
  private boolean endAwaited;
  private boolean letGo;
  private boolean done;

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

  /**
   * All that its thread does. Whatever there is no heap for, also before the handler is called, the
   * message gives its credit back, and those who wait for its end go on.
   */
  @Override
  public void runToEnd() {
    try {
      Waits.run(this);
    } catch (Throwable e) {
      if (exchange == null) { // else it is told already, as far as there was heap for that
        fail(e);
      }
    } finally {
      over();
    }
  }

  @Override
  public void notStarted(Throwable cause) {
    try {
      fail(cause);
    } finally {
      over();
    }
  }

  /** The handler was not called. */
  private void fail(Throwable cause) {
    try {
      String text = delivery.failed(type, cause);
      if (correlation != 0) {
        pipe.replies().fail(correlation, FailureReason.HANDLER_FAILED, text);
      }
    } catch (OutOfMemoryError e) {
      // the requester's deadline ends its request
    }
  }

  /** Once, and last; needs no heap for those who wait. */
  private void over() {
    MessageExchange used = exchange;
    try {
      if (!abandoned && (used == null || used.over())) {
        done();
      }
    } finally {
      if (after != null) {
        after.run();
      }
    }
  }

  @Override
  public void run() {
    if (pipe.hasEnded()) {
      pipe.abandon(header);
      abandoned = true;
      return;
    }
    SlowHandlers slow = pipe.slowHandlers();
    slow.wake();
    MessageExchange begun = new MessageExchange(pipe.replies(), () -> this::done);
    begun.begin(correlation);
    exchange = begun;
    long beganNs = slow.now();
    try {
      registration.handler().handle(message, begun);
      boolean _ = begun.end(); // no other message gets this one
    } catch (Throwable e) { // nothing that a handler does may go unanswered
      boolean _ = begun.end(FailureReason.HANDLER_FAILED, delivery.failed(type, e));
    } finally {
      if (slow.hasEndedSlow(beganNs)) {
        delivery.wasSlow(type, beganNs);
      }
    }
  }

  @Override
  public void aboutToWait() {
    if (isEndAwaited()) { // by another thread, for which this one owed an answer then
      boolean _ = tryLetGo();
    }
    synchronized (this) {
      if (lent || letGo || done) {
        return;
      }
      lent = pipe.lend(header);
      if (!lent) {
        return;
      }
    }
    pipe.tellCredit();
  }

  /** Also by another thread that does something for the handler, which may answer meanwhile. */
  @Override
  public boolean tryLetGo(Object connection) {
    if (!pipe.endsToo(connection)) {
      return true;
    }
    awaitsEnd(); // before the look; pairs with isEndAwaited() after the answer
    return tryLetGo() || !pipe.isOf(connection);
  }

  @Override
  public Waits.Holder forOthers() {
    return this;
  }

  /** The next one of those that keep an order must not come before the end of this. */
  private boolean tryLetGo() {
    if (isLetGo()) {
      return true;
    }
    MessageExchange begun = exchange;
    if (begun != null && begun.isAwaited()) {
      return false;
    }
    if (after == null && takeToLetGo()) {
      pipe.letGo();
    }
    return true;
  }

  private synchronized void awaitsEnd() {
    endAwaited = true;
  }

  private synchronized boolean isEndAwaited() {
    return endAwaited;
  }

  private synchronized boolean isLetGo() {
    return letGo || done;
  }

  private synchronized boolean takeToLetGo() {
    boolean first = !letGo && !done;
    letGo = true;
    return first;
  }

  private void done() {
    boolean wasLent;
    boolean wasLetGo;
    synchronized (this) {
      done = true;
      wasLent = lent;
      wasLetGo = letGo;
      lent = false;
    }
    pipe.done(header, wasLetGo, wasLent);
  }
}
