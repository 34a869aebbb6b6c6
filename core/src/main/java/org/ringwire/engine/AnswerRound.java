package org.ringwire.engine;

import org.jspecify.annotations.Nullable;

/**
 * The answers that the reading thread of a link hands out one after the other. Threads that park in
 * a crowd ask again while others are still being answered, and leave that to this thread, see
 * {@link org.ringwire.engine.request.Crowd}. Reading thread only.
 */
final class AnswerRound {

  private @Nullable Connection answering;

  /** An answer is going to be handed out. */
  void begin(@Nullable Connection connection) {
    if (answering == null && connection != null && connection.crowd().beginAnswers()) {
      answering = connection;
    }
  }

  /** No answer comes next: writes what those that were answered have asked meanwhile. */
  void end() {
    Connection connection = answering;
    if (connection == null) {
      return;
    }
    answering = null;
    connection.crowd().endAnswers();
    PeerSession data = connection.dataSession();
    if (data != null) {
      data.pipe().drainLeft();
    }
  }
}
