package org.ringwire.transport.shm;

import java.io.IOException;
import java.nio.file.Path;

/** Another process that opens a folder and closes it. */
final class SharedFolderProgram {

  private SharedFolderProgram() {}

  public static void main(String[] args) throws IOException {
    SharedFolder.open(Path.of(System.getProperty("base"))).close();
  }
}
