package org.ringwire.transport.shm;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Maps files of a peer while its process has no file descriptor left. */
final class NoDescriptorsProgram {

  private static final long LENGTH = 4096;
  private static final int TIMES = 3;

  private NoDescriptorsProgram() {}

  public static void main(String[] args) throws IOException {
    Path base = Path.of(System.getProperty("base"));
    List<Closeable> files = new ArrayList<>();
    try (SharedFolder own = SharedFolder.open(base);
        SharedFolder peers = SharedFolder.open(base);
        Arena arena = Arena.ofShared()) {
      Path file = peers.create("ring", LENGTH, arena).file();
      map(own, file, arena); // loads what it needs
      for (int i = 0; i < TIMES; i++) {
        useUp(files);
        System.out.println(map(own, file, arena));
      }
      for (Closeable used : files) {
        used.close();
      }
    }
  }

  private static String map(SharedFolder own, Path file, Arena arena) {
    try {
      return "mapped " + own.map(file, "ring", LENGTH, LENGTH, arena).byteSize();
    } catch (IOException e) {
      return "not mapped: " + e;
    }
  }

  private static void useUp(List<Closeable> files) {
    try {
      while (true) {
        files.add(new FileInputStream("/dev/null"));
      }
    } catch (IOException e) {
      // none left
    }
  }
}
