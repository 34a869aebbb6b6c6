package org.ringwire.transport.selector;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How many file descriptors this process may have, for those who read that it has no more. Read
 * when the class is loaded, because reading it takes a descriptor. Any thread.
 */
public final class DescriptorLimit {

  private static final String NONE_LEFT = "Too many open files";
  private static final String NONE_LEFT_IN_SYSTEM = NONE_LEFT + " in system";
  private static final String LINE = "Max open files";

  private static final String LIMIT = read();

  private DescriptorLimit() {}

  /** While there are descriptors: learns the limit. */
  public static void prepare() {}

  /** The message of a failure; where it is for want of descriptors, with the limit. */
  public static String explain(Throwable failure) {
    String reason = String.valueOf(failure.getMessage());
    if (reason.contains(NONE_LEFT_IN_SYSTEM)) {
      return reason + " (all processes together are at the machine's limit: raise fs.file-max)";
    }
    if (reason.contains(NONE_LEFT)) {
      return reason
          + " (this process is at its limit of file descriptors, ulimit -n"
          + LIMIT
          + "; a connection takes two: raise it, or lower maxConnections)";
    }
    return reason;
  }

  /** Why a name was not resolved, which takes descriptors and does not say so; or null. */
  public static IOException unresolved(IOException failure) {
    try {
      SocketChannel.open().close();
    } catch (IOException e) {
      String message = failure.getMessage() + ": " + explain(e);
      return new IOException(message, failure);
    }
    return failure;
  }

  private static String read() {
    try {
      return parse(Files.readAllLines(Path.of("/proc/self/limits")));
    } catch (IOException | RuntimeException e) {
      return ""; // not Linux
    }
  }

  /** The soft limit in the lines of {@code /proc/self/limits} as part of a sentence, or nothing. */
  public static String parse(List<String> lines) {
    for (String line : lines) {
      if (line.startsWith(LINE)) {
        return "=" + line.substring(LINE.length()).strip().split(" ", 2)[0];
      }
    }
    return "";
  }
}
