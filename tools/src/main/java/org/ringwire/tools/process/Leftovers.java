package org.ringwire.tools.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ringwire.Node;
import org.ringwire.NodeConfig;

/**
 * What this process must not leave behind: processes that it has started, nodes whose memory has a
 * name in the file system, files. Who has made them ends or deletes them; if a signal ends this
 * process before that, a shutdown hook does. A child whose parent is gone does so before it halts,
 * and deletes the files of the parent as well, which may have been killed; see {@link ParentLink}.
 *
 * <p>Every method may be called from any thread. Once the end has begun nothing new can be made.
 */
public final class Leftovers {

  /** For those that are asked to end, until they are made to. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** What a node that is closed by a signal may wait for its peers. */
  private static final Duration NODE_PATIENCE = Duration.ofMillis(200);

  private static final int ATTEMPTS = 5;
  private static final String ENDING = "this process is ending";

  /**
   * Variable of the environment that tells a child which files of its parent, and of nobody else,
   * it deletes when that is gone.
   */
  private static final String OF_PARENT = "RINGWIRE_LEFTOVERS";

  private static final String SEPARATOR = ":"; // which is not in what is encoded

  /** Held while what exists is ended, so that who comes second waits for it. */
  private static final Object CLEARING = new Object();

  /** Guards what follows. */
  private static final Object LOCK = new Object();

  private static final Set<Process> PROCESSES = new LinkedHashSet<>();
  private static final Set<Path> PATHS = new LinkedHashSet<>();
  private static final Set<Node> NODES = Collections.newSetFromMap(new WeakHashMap<>());
  private static int opening;
  private static boolean ending;

  static {
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(Leftovers::clear, "clear-leftovers"));
    } catch (IllegalStateException e) {
      ending = true; // first used by somebody who fails because of the end
    }
  }

  private Leftovers() {}

  /**
   * Whether this process is ending. What fails from then on need not be told: it is a consequence.
   */
  public static boolean areBeingCleared() {
    synchronized (LOCK) {
      return ending;
    }
  }

  /**
   * Starts a process.
   *
   * @throws IOException if it cannot be started, or this process is ending
   */
  public static Process start(ProcessBuilder builder) throws IOException {
    synchronized (LOCK) {
      requireNoEnd();
      builder.environment().put(OF_PARENT, paths());
      Process process = builder.start();
      PROCESSES.add(process);
      return process;
    }
  }

  /** A process that {@link #start} has started is over. */
  public static void forget(Process process) {
    synchronized (LOCK) {
      PROCESSES.remove(process);
    }
  }

  /**
   * Ends a process with all that it has started: asks them (SIGTERM), so that they leave nothing
   * behind either, and makes those end that have not after ten seconds.
   */
  public static void end(Process process) {
    List<ProcessHandle> handles = withDescendants(process);
    handles.forEach(ProcessHandle::destroy);
    awaitEnd(handles);
    forget(process);
  }

  /** A folder for temporary files that only this user can read. */
  public static Path folder(String prefix) throws IOException {
    return folder(Path.of(System.getProperty("java.io.tmpdir")), prefix);
  }

  /** The same within another folder. */
  public static Path folder(Path parent, String prefix) throws IOException {
    synchronized (LOCK) {
      requireNoEnd();
      return addPath(Files.createTempDirectory(parent, prefix));
    }
  }

  /** A temporary file. */
  public static Path file(String prefix, String suffix) throws IOException {
    synchronized (LOCK) {
      requireNoEnd();
      return addPath(Files.createTempFile(prefix, suffix));
    }
  }

  /** A file or folder that somebody else has made, for this process to delete at the latest. */
  public static Path addPath(Path path) {
    synchronized (LOCK) {
      PATHS.add(path);
      return path;
    }
  }

  /**
   * Deletes a file, or a folder with all that is in it, also while another process does the same.
   *
   * @return whether it is no longer there
   */
  public static boolean delete(Path path) {
    for (int attempt = 0; Files.exists(path) && attempt < ATTEMPTS; attempt++) {
      try (Stream<Path> tree = Files.walk(path)) {
        for (Path each : tree.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(each);
        }
      } catch (IOException | UncheckedIOException e) {
        // something came or went meanwhile
      }
    }
    synchronized (LOCK) {
      PATHS.remove(path);
    }
    return !Files.exists(path);
  }

  /**
   * Opens a node, for the caller to close.
   *
   * @throws IllegalStateException if this process is ending
   */
  public static Node open(NodeConfig config) {
    synchronized (LOCK) {
      if (ending) {
        throw new IllegalStateException(ENDING);
      }
      opening++;
    }
    Node node = null;
    try {
      node = Node.open(config);
      return node;
    } finally {
      synchronized (LOCK) {
        opening--;
        if (node != null) {
          NODES.add(node);
        }
        LOCK.notifyAll();
      }
    }
  }

  /** In a child whose parent is gone. */
  static void clearWithThoseOfParent() {
    synchronized (CLEARING) { // so that a shutdown hook does not end this half-way
      clear();
      String paths = System.getenv(OF_PARENT);
      if (paths != null && !paths.isEmpty()) {
        Stream.of(paths.split(SEPARATOR, -1))
            .map(path -> Path.of(URLDecoder.decode(path, StandardCharsets.UTF_8)))
            .forEach(Leftovers::delete);
      }
    }
  }

  /** Processes end before the files are deleted that they write. */
  static void clear() {
    synchronized (CLEARING) {
      List<Process> processes;
      List<Path> paths;
      synchronized (LOCK) {
        ending = true;
        processes = List.copyOf(PROCESSES);
        paths = List.copyOf(PATHS);
      }
      List<ProcessHandle> handles =
          processes.stream().flatMap(each -> withDescendants(each).stream()).toList();
      handles.forEach(ProcessHandle::destroy);
      nodes().forEach(Leftovers::close);
      awaitEnd(handles);
      paths.forEach(Leftovers::delete);
    }
  }

  /** Waits for those that are being opened: they have made files, and cannot be closed yet. */
  private static List<Node> nodes() {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    synchronized (LOCK) {
      try {
        for (long leftNs = PATIENCE.toNanos(); opening > 0 && leftNs > 0; ) {
          TimeUnit.NANOSECONDS.timedWait(LOCK, leftNs);
          leftNs = endNs - System.nanoTime();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return List.copyOf(NODES);
    }
  }

  /** Encoded: a path may contain any character, and no other one may be deleted in its place. */
  private static String paths() {
    return PATHS.stream()
        .map(path -> URLEncoder.encode(path.toString(), StandardCharsets.UTF_8))
        .collect(Collectors.joining(SEPARATOR));
  }

  private static void requireNoEnd() throws IOException {
    if (ending) {
      throw new IOException(ENDING);
    }
  }

  private static void close(Node node) {
    try {
      node.close(NODE_PATIENCE);
    } catch (RuntimeException e) {
      System.err.println("cannot close node " + node.id() + ": " + e.getMessage());
    }
  }

  private static List<ProcessHandle> withDescendants(Process process) {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
  }

  /** Bounded for all together. */
  private static void awaitEnd(List<ProcessHandle> handles) {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    try {
      for (ProcessHandle each : handles) {
        each.onExit().get(Math.max(0, endNs - System.nanoTime()), TimeUnit.NANOSECONDS);
      }
    } catch (ExecutionException | TimeoutException e) {
      insist(handles);
    } catch (InterruptedException e) {
      insist(handles);
      Thread.currentThread().interrupt();
    }
  }

  private static void insist(List<ProcessHandle> handles) {
    handles.forEach(ProcessHandle::destroyForcibly);
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    try {
      for (ProcessHandle each : handles) {
        each.onExit().get(Math.max(0, endNs - System.nanoTime()), TimeUnit.NANOSECONDS);
      }
    } catch (ExecutionException | TimeoutException e) {
      System.err.println("some processes do not end: " + handles);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
