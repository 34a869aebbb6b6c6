package org.ringwire.transport.selector;

import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How many file descriptors this process may have, for those who read that it has no more. Read
 * when the class is loaded, because reading it takes a descriptor. Any thread.
 */
public final class DescriptorLimit {

  private static final String NONE_LEFT = "Too many open files";
  private static final String NONE_LEFT_IN_SYSTEM = NONE_LEFT + " in system";
  private static final String LIMIT_OF_PROCESS = "ulimit -n";
  private static final String LIMIT_OF_SYSTEM = "fs.file-max";
  private static final String LINE = "Max open files";

  private static final String LIMIT = read();

  private DescriptorLimit() {}

  /** While there are descriptors: learns the limit. */
  public static void prepare() {}

  /** The message of a failure; where it is for want of descriptors, with the limit. */
  public static String explain(Throwable failure) {
    return explain(failure, DescriptorLimit::probe);
  }

  /**
   * The same.
   *
   * @param advice what to do if the reason is another
   */
  public static String explain(Throwable failure, String advice) {
    String reason = String.valueOf(failure.getMessage());
    String explained = explain(failure);
    return isExplained(explained) ? explained : reason + " (" + advice + ")";
  }

  /**
   * The same. The system's texts are in the language of its user, so one that is not known is
   * compared with what the system says when it is asked for descriptors now.
   *
   * @param probe what the system says to that, or null if it has some
   */
  static String explain(Throwable failure, Supplier<@Nullable String> probe) {
    String reason = String.valueOf(failure.getMessage());
    if (isExplained(reason)) {
      return reason; // where it happened
    }
    if (reason.contains(NONE_LEFT_IN_SYSTEM)) {
      return reason
          + " (all processes together are at the machine's limit: raise "
          + LIMIT_OF_SYSTEM
          + ")";
    }
    if (reason.contains(NONE_LEFT)) {
      return reason
          + " (this process is at its limit of file descriptors, "
          + LIMIT_OF_PROCESS
          + LIMIT
          + "; a connection takes two: raise it, or lower maxConnections)";
    }
    String said = failure instanceof FileSystemException file ? file.getReason() : reason;
    if (mayBeForWant(failure) && said != null && said.equals(probe.get())) {
      return reason
          + " (no file descriptor is left: this process is at its limit, ulimit -n"
          + LIMIT
          + "; or all together are at the machine's, fs.file-max; a connection takes two: raise it,"
          + " or lower maxConnections)";
    }
    return reason;
  }

  /** What the system refuses for any other reason has a class that says why, mostly. */
  private static boolean mayBeForWant(Throwable failure) {
    return failure.getClass() == IOException.class
        || failure.getClass() == SocketException.class
        || failure.getClass() == FileSystemException.class;
  }

  private static boolean isExplained(String reason) {
    return reason.contains(LIMIT_OF_PROCESS) || reason.contains(LIMIT_OF_SYSTEM);
  }

  /** Needs as many as anything that may have failed. */
  private static @Nullable String probe() {
    try (Selector selector = Selector.open();
        SocketChannel channel = SocketChannel.open()) {
      return selector.isOpen() && channel.isOpen() ? null : "closed";
    } catch (IOException e) {
      return e.getMessage();
    }
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
