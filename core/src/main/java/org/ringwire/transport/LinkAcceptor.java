package org.ringwire.transport;

import org.jspecify.annotations.Nullable;

/** Decides about links that peers open. */
@FunctionalInterface
public interface LinkAcceptor {

  /**
   * The handler for a link that a peer opened, or null to close it at once. Must not block.
   *
   * @param remote the peer's address in the medium, for people
   */
  @Nullable LinkHandler accept(String remote);
}
