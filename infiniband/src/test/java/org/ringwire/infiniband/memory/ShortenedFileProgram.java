package org.ringwire.infiniband.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteRegion;

/**
 * Writes from, and reads into, a mapped file that became shorter, and then memory that is there.
 * Says how each of these ends.
 *
 * <p>Arguments: the file, and how often it is used before, while it has its length.
 */
final class ShortenedFileProgram {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int LENGTH = 4096;

  private ShortenedFileProgram() {}

  public static void main(String... args) throws Exception {
    try (MemoryPair pair = new MemoryPair();
        ExportedMemory memory =
            pair.owner()
                .export(
                    pair.arena().allocate(LENGTH, 8),
                    MemoryPermission.WRITE,
                    MemoryPermission.READ)) {
      Arena arena = pair.arena();
      RemoteRegion region = pair.user().open(memory.descriptor());
      MemorySegment whole = arena.allocate(LENGTH);
      region.write(0, whole, TIMEOUT);
      MemorySegment gone = shortened(Path.of(args[0]), arena, region, Integer.parseInt(args[1]));
      System.out.println("write: " + end(region.writeAsync(0, gone).toCompletableFuture()));
      System.out.println("next: " + end(region.writeAsync(0, whole).toCompletableFuture()));
      System.out.println("read: " + end(region.readAsync(0, gone).toCompletableFuture()));
      System.out.println("last: " + end(region.readAsync(0, whole).toCompletableFuture()));
    }
    System.exit(0); // threads of what has not ended
  }

  private static MemorySegment shortened(Path file, Arena arena, RemoteRegion region, int uses)
      throws Exception {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH, arena);
      for (int use = 0; use < uses; use++) {
        region.write(0, mapped, TIMEOUT);
        region.read(0, mapped, TIMEOUT);
      }
      channel.truncate(0);
      return mapped;
    }
  }

  private static String end(CompletableFuture<Void> operation) {
    return operation
        .orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
        .handle((_, why) -> why == null ? "good" : String.valueOf(why.getMessage()))
        .join();
  }
}
