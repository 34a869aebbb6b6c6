package org.ringwire.transport.shm;

import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The folders whose locks this process holds. Each class loader that has loaded this library has
 * such a set of its own; what they share are the properties of the system, which a program may
 * replace by others. Any thread.
 */
final class OwnFolders {

  /** Begin of the names of properties. */
  private static final String PROPERTY = "org.ringwire.folder:";

  private final Set<Path> own = ConcurrentHashMap.newKeySet();

  void add(Path folder) {
    own.add(folder);
    System.setProperty(PROPERTY + folder, "locked");
  }

  boolean contains(Path folder) {
    return own.contains(folder) || System.getProperty(PROPERTY + folder) != null;
  }

  void remove(Path folder) {
    System.clearProperty(PROPERTY + folder);
    own.remove(folder);
  }
}
