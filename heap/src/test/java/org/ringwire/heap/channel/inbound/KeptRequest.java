package org.ringwire.heap.channel.inbound;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.RetainedExchange;

/** A request of a sender that waits: keeps what it is answered or told, or fails at that. */
public final class KeptRequest implements RetainedExchange {
  private final int source;
  private final @Nullable Throwable atReply;
  private final @Nullable Throwable atClose;
  private final List<Object> replies = new ArrayList<>();
  private String told = "";
  private boolean isClosed;

  /**
   * One that nobody has answered.
   *
   * @param atReply what an answer ends with, if it fails
   * @param atClose what its end ends with, if that fails
   */
  public KeptRequest(int source, @Nullable Throwable atReply, @Nullable Throwable atClose) {
    this.source = source;
    this.atReply = atReply;
    this.atClose = atClose;
  }

  private static void failWith(@Nullable Throwable failure) {
    switch (failure) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case null, default -> {}
    }
  }

  /** What it was answered. */
  public List<Object> replies() {
    return replies;
  }

  /** Why it gets no answer. */
  public String told() {
    return told;
  }

  /** Whether its end has come, if only to fail. */
  public boolean isClosed() {
    return isClosed;
  }

  @Override
  public int source() {
    return source;
  }

  @Override
  public boolean isRequest() {
    return true;
  }

  @Override
  public void reply(Object response) {
    failWith(atReply);
    replies.add(response);
  }

  @Override
  public void fail(String reason) {
    told = reason;
  }

  @Override
  public RetainedExchange retain() {
    return this;
  }

  @Override
  public void close() {
    isClosed = true;
    failWith(atClose);
  }
}
