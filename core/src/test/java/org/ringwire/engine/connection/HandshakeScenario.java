package org.ringwire.engine.connection;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.ringwire.engine.MessagingNode;
import org.ringwire.testing.Awaiting;

/**
 * Something that happens in the middle of a step of a handshake: where a test has the code of that
 * step call {@link #between}. Public, as all of them, because {@link
 * org.ringwire.testing.MutantLoader} makes one.
 */
public abstract class HandshakeScenario implements BooleanSupplier {

  private static Runnable between = () -> {};

  HandshakeScenario() {}

  /** Called in the middle of the step; the first call does what happens there. */
  public static void between() {
    Runnable once = between;
    between = () -> {};
    once.run();
  }

  /** What happens in the middle of the next such step. */
  static void between(Runnable action) {
    between = action;
  }

  @Override
  public final boolean getAsBoolean() {
    MessagingNode node = NowhereProvider.openNode();
    try {
      Connections connections = node.connections();
      boolean holds = holds(node, connections);
      Awaiting.await("the end", connections::allSettled);
      return holds;
    } finally {
      node.close(Duration.ofSeconds(1));
    }
  }

  /** Plays it, ends all links that it has made, and says whether all was as it should be. */
  abstract boolean holds(MessagingNode node, Connections connections);
}
