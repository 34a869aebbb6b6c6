package org.ringwire.infiniband.memory;

import static org.ringwire.testing.Awaiting.await;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteRegion;

/** Two nodes whose memory is used for the first time; says when it begins to be. */
final class FirstOperationsProgram {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private FirstOperationsProgram() {}

  public static void main(String... args) {
    try (MemoryPair pair = new MemoryPair()) {
      System.out.println("opened");
      AtomicInteger told = new AtomicInteger();
      MemorySegment here = pair.arena().allocate(64 << 10, 8);
      try (ExportedMemory exported =
          pair.owner()
              .export(
                  pair.arena().allocate(64 << 10, 8),
                  (_, _) -> told.incrementAndGet(),
                  MemoryPermission.values())) {
        RemoteRegion region = pair.user().open(exported.descriptor());
        region.write(0, here.asSlice(0, 8), PATIENCE);
        region.read(0, here, PATIENCE);
        long _ = region.fetchAndAddAsync(0, 1).toCompletableFuture().join();
        region.writeAndNotify(0, here, 1, PATIENCE);
        await("a notice", () -> told.get() == 1);
      }
      System.out.println("closed");
    }
  }
}
