package org.ringwire.infiniband.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemory;
import org.ringwire.infiniband.RemoteMemoryConfig;
import org.ringwire.infiniband.RemoteRegion;

/**
 * Requests of which the stack of a thread ends when they are nearly made, as many as may be under
 * way; whether all goes on then. Loaded with such requests.
 */
public final class LostChunkScenario implements BooleanSupplier {

  private static final int REQUESTS = 8;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final RemoteMemoryConfig CONFIG =
      new RemoteMemoryConfig(1 << 20, 1 << 20, 1, REQUESTS, TIMEOUT);

  private static boolean isDeep;

  /** Scenarios are made by their loader. */
  public LostChunkScenario() {}

  /** Called when a request was made; once, for the thread that has no stack. */
  public static void made() {
    if (isDeep) {
      isDeep = false;
      throw new StackOverflowError();
    }
  }

  @Override
  public boolean getAsBoolean() {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node owner = MemoryNode.open(directory, 1);
        Node user = MemoryNode.open(directory, 2);
        RemoteMemory owned = RemoteMemory.of(owner, CONFIG);
        RemoteMemory used = RemoteMemory.of(user, CONFIG);
        Arena arena = Arena.ofShared();
        ExportedMemory memory = owned.export(arena.allocate(8, 8), MemoryPermission.WRITE)) {
      RemoteRegion region = used.open(memory.descriptor());
      MemorySegment word = arena.allocate(8, 8);
      for (int i = 0; i < REQUESTS; i++) {
        region.write(0, word, TIMEOUT);
        isDeep = true;
        writeFromDepth(region, word);
      }
      List<CompletableFuture<Void>> writes = new ArrayList<>();
      for (int i = 0; i < 4 * REQUESTS; i++) {
        writes.add(region.writeAsync(0, word).toCompletableFuture());
      }
      CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new))
          .orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
          .join();
      return !isDeep;
    }
  }

  private static void writeFromDepth(RemoteRegion region, MemorySegment word) {
    try {
      region.write(0, word, TIMEOUT);
    } catch (StackOverflowError e) {
      // as told
    }
  }
}
