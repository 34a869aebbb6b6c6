package org.ringwire.engine.inbound;

import org.jspecify.annotations.Nullable;
import org.ringwire.Exchange;
import org.ringwire.RetainedExchange;
import org.ringwire.wire.FailureReason;

/**
 * The exchange of the message that a thread handles; used for message after message, until a
 * handler leaves a request open. Confined to the handling thread. Once retained, everything is left
 * to the {@link RetainedMessageExchange}.
 */
public final class MessageExchange implements Exchange {

  private final Replies replies;
  private final Delivery.@Nullable Retainer retainer;
  private long correlation;
  private boolean active;
  private boolean answered;
  private @Nullable RetainedMessageExchange retained;

  /**
   * An exchange that is not in use.
   *
   * @param retainer keeps a message's memory; null where that is not possible
   */
  public MessageExchange(Replies replies, Delivery.@Nullable Retainer retainer) {
    this.replies = replies;
    this.retainer = retainer;
  }

  /** A message begins; correlation 0 if it is no request. */
  public void begin(long requestCorrelation) {
    correlation = requestCorrelation;
    active = true;
    answered = false;
    retained = null;
  }

  /**
   * The handler has returned.
   *
   * @return whether this may be used for another message: not if the handler has left a request
   *     open. It may mean to answer through this later, and would answer what is handled then
   */
  public boolean end() {
    active = false;
    if (correlation != 0 && !answered && retained == null) {
      replies.fail(
          correlation,
          FailureReason.NO_REPLY,
          "the handler returned without a reply; to reply later it must retain() the exchange");
      return false;
    }
    return true;
  }

  /** The handler has thrown; as {@link #end()}. */
  public boolean end(FailureReason reason, String text) {
    active = false;
    if (retained != null) {
      retained.failUnanswered(reason, text);
    } else if (correlation != 0 && !answered) {
      replies.fail(correlation, reason, text);
      return false;
    }
    return true;
  }

  /** Whether the requester waits for what the handler is going to say. */
  public boolean isAwaited() {
    return active && correlation != 0 && !answered && retained == null;
  }

  /**
   * The last call for a message, also for one that did not begin or whose end has failed, as there
   * was no heap: who has retained it waits for the handler.
   *
   * @return whether it counts as processed now; false if it was retained: then its end says so
   */
  public boolean over() {
    active = false;
    RetainedMessageExchange kept = retained;
    if (kept == null) {
      return true;
    }
    retained = null;
    kept.handlerReturned();
    return false;
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
    if (!active) {
      throw new IllegalStateException(
          "the exchange is valid during its handler only; retain() it to answer later");
    }
    if (retained != null) {
      throw new IllegalStateException("the exchange was retained: answer through what it returned");
    }
    if (correlation == 0) {
      throw new IllegalStateException("the message is no request: nobody waits for an answer");
    }
    if (answered) {
      throw new IllegalStateException("the request was answered already");
    }
    answered = true;
  }

  @Override
  public RetainedExchange retain() {
    if (!active || retained != null) {
      throw new IllegalStateException("retain() once, and during the handler only");
    }
    if (retainer == null) {
      throw new IllegalStateException(
          "an inline handler cannot retain its message: register it as POOLED or BLOCKING");
    }
    retained = new RetainedMessageExchange(replies, correlation, answered, retainer);
    return retained;
  }
}
