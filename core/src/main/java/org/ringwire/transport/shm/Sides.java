package org.ringwire.transport.shm;

import java.nio.file.Path;

/**
 * The two files of a link.
 *
 * @param own written by this side
 * @param peer written by the other one
 * @param files what opens those of peers
 * @param peerFolder where the other's are
 */
record Sides(OwnSide own, PeerSide peer, PeerFiles files, Path peerFolder)
    implements AutoCloseable {

  /** Lets go of the memory. */
  @Override
  public void close() {
    try {
      own.close();
    } finally {
      peer.close();
    }
  }
}
