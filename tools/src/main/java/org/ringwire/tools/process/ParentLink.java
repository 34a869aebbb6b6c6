package org.ringwire.tools.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A child's side of the line protocol with the process that started it; see {@link ChildProcess}.
 *
 * <p>The parent's end of standard input closes when the parent ends, however that happens. The
 * child's JVM then clears away its {@link Leftovers} and halts, so that no child outlives its
 * parent. Every method may be called from any thread.
 */
public final class ParentLink {

  /**
   * Variable of the environment that a command of {@code ./ringwire} that is started by a program
   * finds set if it is to {@linkplain #endWithParent() end with that}.
   */
  public static final String WATCH = "RINGWIRE_ENDS_WITH_INPUT";

  /**
   * Option of the JVM of whoever watches its input. A JVM that ends waits for threads that are in
   * the system, for 0.3 s at most; the one that reads is there to the end.
   */
  public static final String QUICK_END = "-XX:UserThreadWaitAttemptsAtExit=0";

  /** First word of the line that says that the child can be used. */
  static final String READY = "READY";

  /** The parent closes standard input, and lives on. */
  static final String LEAVING = "LEAVING";

  /** Exit status of a child whose parent is gone. */
  static final int PARENT_GONE = 3;

  /** For what a child clears away at its end. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final PrintStream out;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private ParentLink(PrintStream out) {
    this.out = out;
  }

  /**
   * Takes standard input and output for the protocol. From then on whatever the program prints to
   * {@link System#out} goes to the error output. To be called once, first thing in {@code main}.
   */
  public static ParentLink open() {
    ParentLink link = new ParentLink(System.out);
    System.setOut(System.err);
    watch(link.lines::add);
    return link;
  }

  /**
   * Ends this process with its parent, without a protocol: what comes in does not matter. To be
   * called once, where nobody else reads standard input.
   */
  public static void endWithParent() {
    watch(_ -> {});
  }

  private static void watch(Consumer<String> lines) {
    InputStream in = System.in;
    Thread.ofPlatform()
        .daemon()
        .name("parent-link")
        .start(() -> {
          boolean lives = readToEnd(in, lines);
          // Not exit: a shutdown hook that waits must not keep a process alive that nobody knows
          // of.
          clear(lives ? Leftovers::clear : Leftovers::clearWithThoseOfParent);
          Runtime.getRuntime().halt(PARENT_GONE);
        });
  }

  /**
   * Says that this process can be used.
   *
   * @param facts what the parent needs to know, for example the address; may be empty
   */
  public void ready(String facts) {
    send(facts.isEmpty() ? READY : READY + " " + facts);
  }

  /** Sends one line to the parent. */
  public void send(String line) {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    synchronized (out) {
      out.write(bytes, 0, bytes.length);
      out.flush();
    }
  }

  /** The next line of the parent, or null if none came in time. */
  public @Nullable String awaitLine(Duration timeout) throws InterruptedException {
    return lines.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** The next line of the parent. Waits as long as the parent lives: without it nothing returns. */
  public String awaitLine() throws InterruptedException {
    return lines.take();
  }

  /** Whether the parent has said that it lives on. */
  private static boolean readToEnd(InputStream in, Consumer<String> lines) {
    boolean lives = false;
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      String line = reader.readLine();
      while (line != null) {
        if (line.equals(LEAVING)) {
          lives = true;
        } else {
          lines.accept(line);
        }
        line = reader.readLine();
      }
    } catch (IOException e) {
      System.err.println("the parent process cannot be read: " + e.getMessage());
    }
    return lives;
  }

  private static void clear(Runnable clearing) {
    Thread thread = Thread.ofPlatform().daemon().name("clear-leftovers").start(clearing);
    try {
      thread.join(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
