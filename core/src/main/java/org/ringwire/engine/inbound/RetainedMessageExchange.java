package org.ringwire.engine.inbound;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.ringwire.RetainedExchange;
import org.ringwire.wire.FailureReason;

/** A message kept beyond its handler. Any thread; the first answer and the first close count. */
public final class RetainedMessageExchange implements RetainedExchange {

  private final Replies replies;
  private final long correlation;
  private final AtomicBoolean answered;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicInteger holders = new AtomicInteger(2);
  private final Runnable release;

  /**
   * A retained exchange.
   *
   * @param retainer says what gives memory and credit back, once handler and holder are done
   */
  public RetainedMessageExchange(
      Replies replies, long correlation, boolean answered, Delivery.Retainer retainer) {
    this.replies = replies;
    this.correlation = correlation;
    this.answered = new AtomicBoolean(answered);
    release = retainer.retain(); // last: if there is no heap for the rest, nothing is retained
  }

  public void handlerReturned() {
    drop();
  }

  public void failUnanswered(FailureReason reason, String text) {
    if (correlation != 0 && answered.compareAndSet(false, true)) {
      replies.fail(correlation, reason, text);
    }
  }

  @Override
  public int source() {
    return replies.peerId();
  }

  @Override
  public boolean isRequest() {
    return correlation != 0;
  }

  @Override
  public void reply(Object response) {
    claimAnswer();
    replies.reply(correlation, response);
  }

  @Override
  public void fail(String reason) {
    claimAnswer();
    replies.failed(correlation, reason);
  }

  private void claimAnswer() {
    if (closed.get()) {
      throw new IllegalStateException("the exchange was closed");
    }
    if (correlation == 0) {
      throw new IllegalStateException("the message is no request: nobody waits for an answer");
    }
    if (!answered.compareAndSet(false, true)) {
      throw new IllegalStateException("the request was answered already");
    }
  }

  @Override
  public RetainedExchange retain() {
    throw new IllegalStateException("the exchange is retained already");
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      try {
        failUnanswered(FailureReason.NO_REPLY, "the handler closed the exchange without a reply");
      } finally {
        drop();
      }
    }
  }

  private void drop() {
    if (holders.decrementAndGet() == 0) {
      release.run();
    }
  }
}
