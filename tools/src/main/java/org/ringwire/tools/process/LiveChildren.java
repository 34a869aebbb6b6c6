package org.ringwire.tools.process;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/** The child processes that run: the JVM's shutdown kills them. One lock guards everything. */
final class LiveChildren {

  private static final Set<Process> LIVE = new HashSet<>();
  private static boolean shuttingDown;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(LiveChildren::killAll, "kill-children"));
  }

  private LiveChildren() {}

  /** Starts a process; fails once this JVM is shutting down, so that none is missed. */
  static Process start(ProcessBuilder builder) throws IOException {
    synchronized (LIVE) {
      if (shuttingDown) {
        throw new IOException("this process is shutting down");
      }
      Process process = builder.start();
      LIVE.add(process);
      return process;
    }
  }

  static void forget(Process process) {
    synchronized (LIVE) {
      LIVE.remove(process);
    }
  }

  private static void killAll() {
    synchronized (LIVE) {
      shuttingDown = true;
      LIVE.forEach(Process::destroyForcibly);
    }
  }
}
