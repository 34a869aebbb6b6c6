package org.ringwire.ring;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ringwire.testing.Awaiting;

/**
 * Asks for lazy memory where there can be none, as its folder for files is not there, and again
 * when that is. Says whether there was some.
 */
final class LazyAgainProgram {

  private static final long LENGTH = 1 << 20;

  private LazyAgainProgram() {}

  public static void main(String[] args) throws IOException {
    System.out.println("without a folder: " + isLazy());
    Files.createDirectory(Path.of(System.getProperty("java.io.tmpdir")));
    Awaiting.await("it is tried again", LazyAgainProgram::isLazy);
    System.out.println("with a folder: " + isLazy());
  }

  private static boolean isLazy() {
    try (Arena arena = Arena.ofShared()) {
      boolean lazy = LazyMemory.map(arena, LENGTH) != null;
      if (lazy) {
        LazyMemory.unmapped();
      }
      return lazy;
    }
  }
}
