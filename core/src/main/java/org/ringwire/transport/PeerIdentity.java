package org.ringwire.transport;

import java.util.Set;

/**
 * Who the peer at the other end of a link has proved to be to the medium.
 *
 * @param nodeIds the nodes of this cluster that it may be
 * @param proof what proves it, for people, such as the names of a certificate
 */
public record PeerIdentity(Set<Integer> nodeIds, String proof) {

  /** Copies the set. */
  public PeerIdentity {
    nodeIds = Set.copyOf(nodeIds);
  }

  /** Whether the peer may be this node. */
  public boolean covers(int nodeId) {
    return nodeIds.contains(nodeId);
  }
}
