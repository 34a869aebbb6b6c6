package org.ringwire.infiniband.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemory;
import org.ringwire.infiniband.RemoteMemoryConfig;
import org.ringwire.infiniband.RemoteMemoryException;
import org.ringwire.infiniband.RemoteRegion;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.testing.Awaiting;

/**
 * A write that notifies, of a mapped file whose second piece is gone, behind one that is refused:
 * so what was posted of it is posted again. Says how they end, and of what the owner is told.
 */
final class CutWriteProgram {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int PIECE = 4096;
  private static final int LENGTH = 2 * PIECE;
  private static final int CUT = 1;
  private static final int LAST = 7;

  /** None is registered, so what is written is copied, piece by piece. */
  private static final RemoteMemoryConfig COPIES =
      new RemoteMemoryConfig(1 << 20, 1, 2, 8, TIMEOUT);

  private CutWriteProgram() {}

  public static void main(String... args) throws Exception {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    Queue<Integer> told = new ConcurrentLinkedQueue<>();
    try (Node owner = MemoryNode.open(directory, 1);
        Node user = MemoryNode.open(directory, 2);
        RemoteMemory owned = RemoteMemory.of(owner);
        RemoteMemory used = RemoteMemory.of(user, COPIES);
        Arena arena = Arena.ofShared();
        ExportedMemory stays =
            owned.export(
                arena.allocate(LENGTH), (_, tag) -> told.add(tag), MemoryPermission.WRITE)) {
      ExportedMemory goes = owned.export(arena.allocate(8, 8), MemoryPermission.WRITE);
      RemoteRegion refused = used.open(goes.descriptor());
      RemoteRegion region = used.open(stays.descriptor());
      MemorySegment word = arena.allocate(8, 8);
      refused.write(0, word, TIMEOUT); // connects
      goes.close();
      int responder = SimulatedDevice.get("last pair");
      SimulatedDevice.set("held pair", responder - 1); // made before it, and knocks
      var before = refused.writeAsync(0, word).toCompletableFuture();
      var cut =
          region.writeAndNotifyAsync(0, halfOf(Path.of(args[0]), arena), CUT).toCompletableFuture();
      SimulatedDevice.set("held pair", 0);
      System.out.println("before: " + end(before));
      System.out.println("cut: " + end(cut));
      region.writeAndNotify(0, word, LAST, TIMEOUT);
      Awaiting.await("the last notice", () -> told.contains(LAST));
      System.out.println("told: " + told);
    }
  }

  private static MemorySegment halfOf(Path file, Arena arena) throws Exception {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH, arena);
      channel.truncate(PIECE);
      return mapped;
    }
  }

  private static String end(CompletableFuture<Void> operation) {
    return operation
        .orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
        .handle((_, why) -> why == null ? "good" : name(why))
        .join();
  }

  private static String name(Throwable why) {
    Throwable cause = why instanceof CompletionException ? why.getCause() : why;
    if (cause instanceof RemoteMemoryException e) {
      return e.reason().toString();
    }
    return cause instanceof IllegalStateException ? "gone" : String.valueOf(cause);
  }
}
