package org.ringwire.engine.dispatch;

import org.jspecify.annotations.Nullable;
import org.ringwire.engine.request.Crowd;

/**
 * The answers that the reading thread of a link hands out one after the other. Threads that park in
 * a crowd ask again while others are still being answered, and leave that to this thread, see
 * {@link Crowd}. Reading thread only.
 */
final class AnswerRound {

  private @Nullable RequestingConnection answering;

  /** An answer is going to be handed out. */
  void begin(@Nullable RequestingConnection connection) {
    if (answering == null && connection != null && connection.crowd().beginAnswers()) {
      answering = connection;
    }
  }

  /** No answer comes next: writes what those that were answered have asked meanwhile. */
  void end() {
    RequestingConnection connection = answering;
    if (connection == null) {
      return;
    }
    answering = null;
    connection.crowd().endAnswers();
    connection.drainLeft();
  }
}
