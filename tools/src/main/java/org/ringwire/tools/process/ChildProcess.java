package org.ringwire.tools.process;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A JVM that this process started and talks to in lines of UTF-8 text: the child's standard input
 * and output, see {@link ParentLink}. Its error output is handed on line by line.
 *
 * <p>No child is left behind: {@link #close()} ends it, a shutdown hook ends those that are open
 * when this JVM exits (also on SIGTERM and SIGINT, see {@link Leftovers}), and a child whose parent
 * was killed sees its standard input close and halts.
 *
 * <p>Every method may be called from any thread; lines go to one reader each.
 */
public final class ChildProcess implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /**
   * Until the next line of who says what was not expected; of one who takes longer, people are told
   * fewer lines.
   */
  private static final Duration MORE = Duration.ofMillis(200);

  private static final int MOST_WRONG_LINES = 8;

  private final String name;
  private final Process process;
  private final Writer in;
  private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();
  private final LineForwarder out;
  private final LineForwarder errors;

  private ChildProcess(String name, Process process, Consumer<String> errorSink) {
    this.name = name;
    this.process = process;
    in =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    out =
        new LineForwarder(
            name + " out",
            process.getInputStream(),
            line -> lines.add(Optional.of(line)),
            () -> lines.add(Optional.empty()));
    errors = new LineForwarder(name + " err", process.getErrorStream(), errorSink, () -> {});
  }

  /**
   * Starts a child whose error output goes to that of this process, each line preceded by its name.
   *
   * @throws ChildFailedException if the operating system refuses
   */
  public static ChildProcess start(ChildCommand command) {
    return start(command, line -> System.err.println("[" + command.name() + "] " + line));
  }

  /**
   * Starts a child.
   *
   * @param errorSink receives each line of its error output, on a thread of the child
   * @throws ChildFailedException if the operating system refuses
   */
  public static ChildProcess start(ChildCommand command, Consumer<String> errorSink) {
    Process process;
    try {
      process = Leftovers.start(new ProcessBuilder(command.words()));
    } catch (IOException e) {
      throw new ChildFailedException("cannot start " + command.name() + ": " + e.getMessage(), e);
    }
    ChildProcess child = new ChildProcess(command.name(), process, errorSink);
    child.out.start();
    child.errors.start();
    return child;
  }

  /** What people call it. */
  public String name() {
    return name;
  }

  /** Its process id. */
  public long pid() {
    return process.pid();
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Waits for the line that says that the child can be used.
   *
   * @return what the child said behind {@code READY}; may be empty
   * @throws ChildFailedException if it ends first, says something else, or takes too long
   */
  public String awaitReady(Duration timeout) {
    String line = awaitLine(timeout);
    if (!line.equals(ParentLink.READY) && !line.startsWith(ParentLink.READY + " ")) {
      throw new ChildFailedException(name + " did not say READY, but: " + withMore(line));
    }
    return line.substring(ParentLink.READY.length()).strip();
  }

  /** A JVM that cannot start says why in several lines, of which the first says nothing. */
  private String withMore(String first) {
    StringJoiner words = new StringJoiner(" ");
    Optional<String> line = Optional.of(first);
    try {
      for (int i = 0; i < MOST_WRONG_LINES && line != null && line.isPresent(); i++) {
        String text = line.get().replaceFirst("^#", "").strip();
        if (!text.isEmpty()) {
          words.add(text);
        }
        line = lines.poll(MORE.toNanos(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // and without the rest
    }
    if (line != null && line.isEmpty()) {
      lines.add(line); // for every later reader
    }
    return words.toString();
  }

  /**
   * Waits for the next line of the child.
   *
   * @throws ChildFailedException if the child ends first, or takes too long
   */
  public String awaitLine(Duration timeout) {
    Optional<String> line;
    try {
      line = lines.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ChildFailedException("interrupted while waiting for " + name, e);
    }
    if (line == null) {
      throw new ChildFailedException(
          name + " (process " + pid() + ") did not answer within " + seconds(timeout));
    }
    if (line.isEmpty()) {
      lines.add(line); // the end stays the end for every later reader
      throw new ChildFailedException(describeEnd());
    }
    return line.get();
  }

  /**
   * Sends one line to the child.
   *
   * @throws ChildFailedException if the child does not read any more
   */
  public void send(String line) {
    try {
      synchronized (in) {
        in.write(line);
        in.write('\n');
        in.flush();
      }
    } catch (IOException e) {
      throw new ChildFailedException(describeEnd(), e);
    }
  }

  /** Completes with the child's exit status when it has ended: 128 + n after signal n. */
  public CompletableFuture<Integer> onExit() {
    return process.onExit().thenApply(Process::exitValue);
  }

  /**
   * Waits for the end of the child.
   *
   * @return its exit status: 128 + n after signal n
   * @throws ChildFailedException if it still runs after the timeout
   */
  public int awaitExit(Duration timeout) {
    if (!endsWithin(timeout)) {
      throw new ChildFailedException(
          name + " (process " + pid() + ") did not end within " + seconds(timeout));
    }
    return process.exitValue();
  }

  /** One line for people: how the child ended, and the last line of its error output. */
  public String describeEnd() {
    if (!endsWithin(PATIENCE)) {
      return name + " (process " + pid() + ") closed its output";
    }
    int status = process.exitValue();
    String how =
        status > 128 ? "was killed by signal " + (status - 128) : "ended with status " + status;
    errors.awaitEnd(PATIENCE);
    String last = errors.lastLine();
    return name + " (process " + pid() + ") " + how + (last.isEmpty() ? "" : ": " + last);
  }

  /** Asks the child to end in order (SIGTERM) and returns at once. */
  public void terminate() {
    process.toHandle().destroy(); // unlike Process.destroy, leaves what it says last readable
  }

  /** Ends the child without asking (SIGKILL) and returns at once. */
  public void kill() {
    process.toHandle().destroyForcibly();
  }

  /**
   * Makes the child stand still until the result is closed.
   *
   * @throws ChildFailedException if it has ended
   */
  public Stall stall() {
    return Stall.of(pid());
  }

  /**
   * Ends the child: closes its standard input, at which it halts, and kills it if that takes more
   * than five seconds. Returns when it has ended. Closing twice is fine.
   */
  @Override
  public void close() {
    if (process.isAlive()) {
      leave();
    }
    if (!endsWithin(PATIENCE)) {
      kill();
      endsWithin(PATIENCE);
    }
    out.awaitEnd(PATIENCE);
    errors.awaitEnd(PATIENCE);
    Leftovers.forget(process);
  }

  /** This process lives on: the child has nothing to clear away but what is its own. */
  private void leave() {
    try {
      synchronized (in) {
        in.write(ParentLink.LEAVING + "\n");
        in.close();
      }
    } catch (IOException e) {
      kill(); // it cannot be told to end, so it is made to
    }
  }

  /** Does not wait, and says no, if this thread was interrupted. */
  private boolean endsWithin(Duration timeout) {
    try {
      return process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return !process.isAlive();
    }
  }

  private static String seconds(Duration timeout) {
    return timeout.toMillis() / 1e3 + " s";
  }
}
