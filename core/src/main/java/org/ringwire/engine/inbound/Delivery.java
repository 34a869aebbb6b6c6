package org.ringwire.engine.inbound;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.codec.Reader;
import org.ringwire.metrics.EngineCounters;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.wire.FailureReason;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;

/**
 * Decodes one message after another and calls its handler; one instance per place of handling (the
 * reading thread of a link, or a lane), used by one thread at a time.
 *
 * <p>What may go wrong is kept to that message: a handler or a constructor that throws is counted
 * and reported, and answered if it was a request. Bytes that do not decode break a rule of the
 * protocol and end the connection.
 */
public final class Delivery {

  /** Keeps the memory of the message being handled. */
  @FunctionalInterface
  public interface Retainer {
    /** What gives memory and credit back. */
    Runnable retain();
  }

  private final Reader reader = new Reader();
  private final @Nullable Retainer retainer;
  private MessageExchange exchange;
  private final Replies replies;
  private final EngineCounters counters;
  private final ErrorLog errors;
  private final SlowHandlers slow;
  private final int lane;

  public Delivery(
      Replies replies,
      EngineCounters counters,
      ErrorLog errors,
      SlowHandlers slow,
      int lane,
      @Nullable Retainer retainer) {
    this.replies = replies;
    this.counters = counters;
    this.errors = errors;
    this.slow = slow;
    this.lane = lane;
    this.retainer = retainer;
    exchange = new MessageExchange(replies, retainer);
  }

  public static long correlation(MemorySegment memory, long offset, long header) {
    return FrameLayout.kind(header) == FrameLayout.MESSAGE
        ? 0
        : FrameLayout.readWord(memory, offset + FrameLayout.HEADER_LENGTH);
  }

  /**
   * Handles the message of a frame; {@link #over} follows where handlers may retain.
   *
   * @throws ProtocolException if its bytes do not decode
   */
  public void handle(
      LinkType type, Registration registration, MemorySegment memory, long offset, long header) {
    long correlation = correlation(memory, offset, header);
    Object message = decode(type, memory, offset, header, correlation, false);
    if (message == null) {
      return;
    }
    exchange.begin(correlation);
    long beganNs = slow.now();
    try {
      registration.handler().handle(message, exchange);
    } catch (Throwable e) { // nothing that a handler does may end the thread
      if (!exchange.end(FailureReason.HANDLER_FAILED, failed(type, e))) {
        leaveExchange();
      }
      return;
    } finally {
      if (slow.hasEndedSlow(beganNs)) {
        wasSlow(type, beganNs);
      }
    }
    if (!exchange.end()) {
      leaveExchange();
    }
  }

  /** By the handler's thread: whether the requester waits for what the handler is going to say. */
  public boolean isAwaited() {
    return exchange.isAwaited();
  }

  /** To the handler that may use it too late, which is told so then. */
  private void leaveExchange() {
    try {
      exchange = new MessageExchange(replies, retainer);
    } catch (OutOfMemoryError e) { // the link is worth more than that who is too late is told so
      return;
    }
  }

  /**
   * Whatever {@link #handle} has ended with, once; the memory of the message may be reused.
   *
   * @return whether the message counts as processed now; false if the handler retained it
   */
  public boolean over() {
    boolean processed = exchange.over();
    if (!processed) {
      leaveExchange(); // to a handler that answers through it and not through what retaining gave
    }
    return processed;
  }

  /** Decodes the body; null if the codec failed in a way that costs this message only. */
  public @Nullable Object decode(
      LinkType type,
      MemorySegment memory,
      long offset,
      long header,
      long correlation,
      boolean copyViews) {
    int head = FrameLayout.HEADER_LENGTH;
    if (FrameLayout.kind(header) != FrameLayout.MESSAGE) {
      head += FrameLayout.CORRELATION_LENGTH;
    }
    try {
      reader.wrap(memory, offset + head, FrameLayout.length(header) - head);
      reader.copyViews(copyViews);
      Object message = type.decode(reader, copyViews ? -1 : lane);
      if (reader.remaining() != 0) {
        throw undecodable(type, "bytes left over: remaining=" + reader.remaining(), null);
      }
      return message;
    } catch (DecodingException e) {
      throw undecodable(type, String.valueOf(e.getMessage()), e);
    } catch (ProtocolException e) {
      throw e;
    } catch (Throwable e) { // an Error or an undeclared exception must not end the lane either
      counters.handlerFailures.increment();
      errors.report("decoding messageType=" + type.name(), e);
      if (correlation != 0) {
        replies.fail(
            correlation, FailureReason.NOT_DECODED, "decoding failed: " + ErrorLog.textOf(e));
      }
      return null;
    }
  }

  private static ProtocolException undecodable(
      LinkType type, String what, @Nullable Throwable cause) {
    ProtocolException violation =
        new ProtocolException(
            Reason.BODY, "body does not decode: messageType=" + type.name() + ": " + what);
    if (cause != null) {
      violation.initCause(cause);
    }
    return violation;
  }

  /** Counts a handler that took longer than it should; what it has done is worth more than that. */
  public void wasSlow(LinkType type, long beganNs) {
    try {
      slow.add(type.name(), replies.peerId(), beganNs);
    } catch (OutOfMemoryError | StackOverflowError e) {
      return;
    }
  }

  /** Counts and reports a handler's failure; the text for the requester. */
  public String failed(LinkType type, Throwable error) {
    counters.handlerFailures.increment();
    errors.report("handler of messageType=" + type.name(), error);
    return "handler failed: messageType=" + type.name() + ": " + ErrorLog.textOf(error);
  }
}
