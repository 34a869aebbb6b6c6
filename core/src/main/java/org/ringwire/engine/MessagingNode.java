package org.ringwire.engine;

import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;

/** The implementation of {@link Node}. */
public final class MessagingNode {

  private MessagingNode() {}

  /** Opens a node. */
  @SuppressWarnings("DoNotCallSuggester")
  public static Node open(NodeConfig config) {
    throw new MessagingException("no such transport: transport=" + config.transport());
  }
}
