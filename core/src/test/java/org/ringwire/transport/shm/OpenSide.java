package org.ringwire.transport.shm;

import java.io.IOException;
import java.nio.file.Path;

/** The side of a peer, opened by the thread that wants it. */
final class OpenSide {

  private OpenSide() {}

  /** Maps it for who has a folder. */
  static PeerSide in(SharedFolder folder, Path file) throws IOException {
    PeerFile opened = new PeerFile(folder, PeerSide.in(file), () -> {});
    opened.run();
    return new PeerSide(opened);
  }
}
