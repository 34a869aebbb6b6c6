package org.ringwire.infiniband.memory;

import static org.ringwire.testing.Awaiting.await;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.WaitInterruptedException;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemoryConfig;
import org.ringwire.infiniband.RemoteMemoryException;
import org.ringwire.infiniband.RemoteRegion;
import org.ringwire.infiniband.simulated.SimulatedDevice;

/**
 * An operation that is given up, one that waits behind it, and a completion queue that cannot be
 * polled as their queue pair is stopped for the first.
 */
final class FailedInterruptProgram {

  private static final int PIECES = 5;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final RemoteMemoryConfig TWO_AT_A_TIME =
      new RemoteMemoryConfig(1 << 20, 1 << 20, 4, 2, PATIENCE);

  private FailedInterruptProgram() {}

  /** Prints how they end, and one after all that was begun has ended. */
  public static void main(String... args) {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Arena arena = Arena.ofShared();
        Node owner = MemoryNode.open(directory, 1);
        Node user = MemoryNode.open(directory, 2);
        NodeMemory owning = NodeMemory.of(owner, TWO_AT_A_TIME);
        NodeMemory using = NodeMemory.of(user, TWO_AT_A_TIME);
        ExportedMemory there =
            owning.export(arena.allocate(PIECES * 4096), MemoryPermission.WRITE)) {
      MemorySegment word = arena.allocate(8, 8);
      RemoteRegion region = using.open(there.descriptor());
      region.write(0, word, PATIENCE);
      // The user asks first, so its queue pair is the one before the last.
      SimulatedDevice.set("held pair", SimulatedDevice.get("last pair") - 1);
      SimulatedDevice.set("failed flush polls", 1);
      MemorySegment pieces = MemorySegment.ofArray(new byte[PIECES * 4096]);
      CompletableFuture<String> given = new CompletableFuture<>();
      Thread writer =
          Thread.ofPlatform()
              .start(() -> given.complete(interrupted(() -> region.write(0, pieces, PATIENCE))));
      Initiator initiator = using.initiator(1);
      await("as many as may be under way", initiator::isBusy);
      CompletionStage<Void> behind = region.writeAsync(0, word);
      writer.interrupt();
      System.out.println("given up: " + given.join());
      System.out.println("behind it: " + failure(behind)); // it may be done before the end of all
      await("the end of all", () -> using.initiator(1) != initiator);
      RemoteRegion anew = using.open(there.descriptor());
      System.out.println("opened anew: " + failure(anew.writeAsync(0, word)));
    }
  }

  private static String interrupted(Runnable write) {
    try {
      write.run();
      return "done";
    } catch (WaitInterruptedException e) {
      return "interrupted";
    }
  }

  private static String failure(CompletionStage<Void> write) {
    try {
      write.toCompletableFuture().join();
      return "none";
    } catch (CompletionException e) {
      return e.getCause() instanceof RemoteMemoryException why ? why.reason().toString() : "" + e;
    }
  }
}
