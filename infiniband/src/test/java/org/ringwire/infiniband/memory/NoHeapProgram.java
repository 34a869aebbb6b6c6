package org.ringwire.infiniband.memory;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.ringwire.Authentication;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemory;
import org.ringwire.infiniband.RemoteMemoryConfig;
import org.ringwire.infiniband.RemoteRegion;
import org.ringwire.testing.HeapShortage;

/**
 * Operations on memory of another node that nobody waits for, in a process in which there is no
 * heap left for some seconds; says of how many the end was not told.
 */
final class NoHeapProgram {

  private static final long WITHOUT_NS = 10_000_000_000L;
  private static final long PATIENCE_NS = 60_000_000_000L;
  private static final Duration TIMEOUT = Duration.ofSeconds(100);
  private static final RemoteMemoryConfig CONFIG =
      new RemoteMemoryConfig(1 << 20, 1 << 20, 1, 64, TIMEOUT);
  private static final int MOST = 20_000;
  private static final int AT_ONCE = 32;

  private NoHeapProgram() {}

  public static void main(String[] args) throws Exception {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    Node owner = node(directory, 2);
    Node user = node(directory, 1);
    ExportedMemory memory =
        RemoteMemory.of(owner, CONFIG)
            .export(Arena.global().allocate(8, 8), MemoryPermission.ATOMIC);
    RemoteRegion region = RemoteMemory.of(user, CONFIG).open(memory.descriptor());
    long before = region.fetchAndAddAsync(0, 1).toCompletableFuture().get();
    System.out.println("before: " + before);
    CompletableFuture<?>[] begun = new CompletableFuture<?>[MOST];
    AtomicBoolean over = new AtomicBoolean();
    int[] count = new int[1];
    Thread adding = Thread.ofPlatform().start(() -> count[0] = add(region, begun, over));
    try {
      HeapShortage.last(WITHOUT_NS);
    } finally {
      over.set(true);
    }
    adding.join();
    System.out.println("untold: " + untold(begun, count[0]) + " of some: " + (count[0] > 0));
    System.exit(0); // whatever the hunger has left behind
  }

  private static Node node(NodeDirectory.Mutable directory, int id) {
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .transport("ib")
                .peers(directory)
                .listen("127.0.0.1:0")
                .authentication(Authentication.none())
                .connectTimeout(TIMEOUT)
                .sendTimeout(TIMEOUT)
                .requestTimeout(TIMEOUT)
                .build());
    directory.put(id, String.valueOf(node.address()));
    return node;
  }

  /** Begins one after the other, some at once; how many. */
  private static int add(RemoteRegion region, CompletableFuture<?>[] begun, AtomicBoolean over) {
    int count = 0;
    while (!over.get() && count < MOST) {
      try {
        CompletionStage<Long> stage = region.fetchAndAddAsync(0, 1);
        while (begun[count] == null) {
          begun[count] = attempt(stage);
        }
        count++;
      } catch (RuntimeException | OutOfMemoryError e) {
        LockSupport.parkNanos(1_000);
      }
      while (!over.get() && count >= AT_ONCE && !begun[count - AT_ONCE].isDone()) {
        LockSupport.parkNanos(1_000);
      }
    }
    return count;
  }

  private static CompletableFuture<?> attempt(CompletionStage<Long> stage) {
    try {
      return stage.toCompletableFuture();
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  private static int untold(CompletableFuture<?>[] begun, int count) {
    long deadlineNs = System.nanoTime() + PATIENCE_NS;
    int untold = count;
    while (untold > 0 && System.nanoTime() - deadlineNs < 0) {
      LockSupport.parkNanos(1_000_000);
      untold = 0;
      for (int i = 0; i < count; i++) {
        untold += begun[i].isDone() ? 0 : 1;
      }
    }
    return untold;
  }
}
