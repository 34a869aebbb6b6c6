package org.ringwire.infiniband.memory;

import java.lang.foreign.Arena;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.infiniband.RemoteMemory;

/** Two nodes of a program on a simulated device: the one has memory that the other uses. */
final class MemoryPair implements AutoCloseable {

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final Node one = MemoryNode.open(directory, 1);
  private final Node two = MemoryNode.open(directory, 2);
  private final RemoteMemory owner = RemoteMemory.of(one);
  private final RemoteMemory user = RemoteMemory.of(two);
  private final Arena arena = Arena.ofShared();

  /** Whose memory is used; its exports are closed before this. */
  RemoteMemory owner() {
    return owner;
  }

  /** Which uses it. */
  RemoteMemory user() {
    return user;
  }

  /** For memory at both. */
  Arena arena() {
    return arena;
  }

  @Override
  public void close() {
    arena.close();
    user.close();
    owner.close();
    two.close();
    one.close();
  }
}
