package org.ringwire.tools;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * Standard output that remembers why it could not be written. Print streams keep that to
 * themselves, and a result that nobody has would look like success.
 */
public final class Output {

  private static volatile @Nullable String failure;

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
        failure = failure == null ? String.valueOf(e.getMessage()) : failure;
        throw e;
      }
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
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
    return failure != null;
  }

  /**
   * The status to exit with.
   *
   * @param command what to call it on the error output
   * @param status without regard to the output
   */
  public static int checked(String command, int status) {
    System.out.flush();
    String why = failure;
    if (why == null) {
      return status;
    }
    System.err.println(command + ": standard output cannot be written: " + why);
    return ExitStatus.UNUSABLE;
  }
}
