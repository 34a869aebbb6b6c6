package org.ringwire.engine.inbound;

import java.util.Objects;
import org.ringwire.Dispatch;
import org.ringwire.Dispatch.Mode;
import org.ringwire.Handler;

/** A user's handler and how its messages reach it. Immutable. */
public final class Registration {

  private final Handler<Object> handler;
  private final Mode mode;
  private final boolean ordered;

  /** Called per message, by the thread that the dispatch says. */
  public Registration(Handler<Object> handler, Dispatch dispatch) {
    this.handler = Objects.requireNonNull(handler, "handler must not be null");
    Objects.requireNonNull(dispatch, "dispatch must not be null");
    mode = dispatch.mode();
    ordered = dispatch.ordered();
  }

  public Handler<Object> handler() {
    return handler;
  }

  public boolean isInline() {
    return mode == Mode.INLINE;
  }

  public boolean isPooled() {
    return mode == Mode.POOLED;
  }

  public boolean isBlocking() {
    return mode == Mode.BLOCKING;
  }

  public boolean isOrdered() {
    return ordered;
  }
}
