package org.ringwire.infiniband;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.ringwire.Authentication;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;

/** Two nodes over the transport {@code ib}: one owns memory, the other uses it. */
final class RemoteMemoryPair implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(100);
  static final int OWNER = 2;

  final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  final Arena arena = Arena.ofShared();
  final Node user;
  final RemoteMemory using;
  Node owner;
  RemoteMemory owning;

  RemoteMemoryPair() {
    this(RemoteMemoryConfig.DEFAULT);
  }

  /** With limits for both. */
  RemoteMemoryPair(RemoteMemoryConfig config) {
    user = node(directory, 1);
    using = RemoteMemory.of(user, config);
    owner = node(directory, OWNER);
    owning = RemoteMemory.of(owner, config);
  }

  static Node node(NodeDirectory.Mutable directory, int id) {
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .transport("ib")
                .peers(directory)
                .listen("127.0.0.1:0")
                .authentication(Authentication.none())
                .connectTimeout(PATIENCE)
                .sendTimeout(PATIENCE)
                .requestTimeout(PATIENCE)
                .build());
    directory.put(id, String.valueOf(node.address()));
    return node;
  }

  /** Ends the owner and opens another life of it. */
  void restartOwner() {
    owning.close();
    owner.close();
    owner = node(directory, OWNER);
    owning = RemoteMemory.of(owner);
  }

  ExportedMemory export(long length, MemoryPermission... permissions) {
    return owning.export(arena.allocate(length, 8), permissions);
  }

  /** Exports memory to be used for everything. */
  ExportedMemory export(long length) {
    return export(length, MemoryPermission.values());
  }

  RemoteRegion open(ExportedMemory memory) {
    return using.open(memory.descriptor());
  }

  MemorySegment allocate(long length) {
    return arena.allocate(length, 8);
  }

  @Override
  public void close() {
    using.close();
    owning.close();
    user.close();
    owner.close();
    arena.close();
  }
}
