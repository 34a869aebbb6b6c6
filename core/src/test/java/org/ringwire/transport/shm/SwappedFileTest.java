package org.ringwire.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.NodeWatcher;

/** A hostile peer puts other things in the place of its file while that is opened. */
@ExtendWith(NodeWatcher.class)
class SwappedFileTest {

  private static final int TIMES = 5_000;
  private static final int LENGTH = 4096;
  private static final long PATIENCE_MS = 30_000;

  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  @TempDir private Path base;

  @Test
  void shouldNotWaitForWhatIsNoFileAnyMore() throws Exception {
    try (SharedFolder own = SharedFolder.open(base);
        SharedFolder hostile = SharedFolder.open(base)) {
      Path pipe = hostile.resolve("pipe");
      Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
      assertThat(made.waitFor(PATIENCE_MS, TimeUnit.MILLISECONDS)).isTrue();
      assertThat(made.exitValue()).isZero();
      Path regular = Files.write(hostile.resolve("regular"), new byte[LENGTH]);
      Path file = hostile.resolve("ring-1");
      Thread swapper = start(() -> swap(file, regular, pipe));
      Thread reader = start(() -> map(own, file));
      reader.join(PATIENCE_MS);
      boolean waits = reader.isAlive();
      over.set(true);
      swapper.join();
      if (waits) { // lets it go
        FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE).close();
        reader.join();
      }
      assertThat(waits).isFalse();
      assertThat(failure.get()).isNull();
    }
  }

  private Thread start(Runnable body) {
    return Thread.ofPlatform()
        .start(() -> {
          try {
            body.run();
          } catch (RuntimeException | Error e) {
            failure.set(e);
          }
        });
  }

  private void swap(Path file, Path... others) {
    while (!over.get()) {
      for (Path other : others) {
        try {
          Path link = Files.createLink(file.resolveSibling("link"), other);
          Files.move(link, file, StandardCopyOption.ATOMIC_MOVE);
          Files.deleteIfExists(link); // both names were of one file: then nothing has moved
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  private void map(SharedFolder own, Path file) {
    for (int time = 0; time < TIMES && !over.get(); time++) {
      try (Arena arena = Arena.ofShared()) {
        own.map(file, "ring", LENGTH, LENGTH, arena);
      } catch (IOException e) {
        // it was no file at that time, or none of this length
      }
    }
  }
}
