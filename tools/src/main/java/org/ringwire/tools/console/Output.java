package org.ringwire.tools.console;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Standard output that remembers why it could not be written. Print streams keep that to
 * themselves, and a result that nobody has would look like success. A pipe that nobody reads any
 * more, as behind {@code | head -1}, ends the process at once and without a word, as it does with
 * programs that a SIGPIPE ends.
 */
public final class Output {

  private static final AtomicReference<@Nullable String> FAILURE = new AtomicReference<>();
  private static final Path TARGET = Path.of("/proc/self/fd/1");

  private static volatile boolean isUnread;

  private Output() {}

  /** What {@link System#out} writes to, with the first error. */
  private static final class Remembering extends FilterOutputStream {

    Remembering(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length);
      } catch (IOException e) {
        fail(String.valueOf(e.getMessage()));
        throw e;
      }
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }
  }

  /** Any thread; the one that writes has a lock that hooks may want, so another one exits. */
  private static void fail(String why) {
    boolean hasNoReader = why.contains("Broken pipe") || isPipe();
    if (hasNoReader) {
      isUnread = true;
    }
    if (FAILURE.compareAndSet(null, why) && hasNoReader) {
      Thread.ofPlatform()
          .daemon()
          .name("output-unread")
          .start(() -> System.exit(ExitStatus.OUTPUT_UNREAD));
    }
  }

  /** Messages of the system may be in any language, and a pipe has no other reason to fail. */
  private static boolean isPipe() {
    try {
      return Files.readSymbolicLink(TARGET).toString().matches("(pipe|socket):.*");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Takes the place of {@link System#out}; first thing in {@code main}. */
  public static void open() {
    System.setOut(
        new PrintStream(
            new BufferedOutputStream(new Remembering(new FileOutputStream(FileDescriptor.out))),
            true,
            System.out.charset()));
  }

  /** Whether something that was flushed could not be written. */
  public static boolean hasFailed() {
    return FAILURE.get() != null;
  }

  /**
   * The status to exit with.
   *
   * @param command what to call it on the error output
   * @param status without regard to the output
   */
  public static int checked(String command, int status) {
    System.out.flush();
    String why = FAILURE.get();
    if (why == null) {
      return status;
    }
    if (isUnread) {
      return ExitStatus.OUTPUT_UNREAD;
    }
    System.err.println(command + ": standard output cannot be written: " + why);
    return ExitStatus.UNUSABLE;
  }
}
