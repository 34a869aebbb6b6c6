package org.ringwire.tools.process;

import java.io.IOException;

/**
 * A process that stands still (SIGSTOP) until this is closed (SIGCONT).
 *
 * <p>Both signals are sent by a shell that waits for the end of its input in between. So the
 * process goes on too when this JVM is killed meanwhile; then it sees that its parent is gone, and
 * ends. A signal that is meant for the shell, or for all processes of a terminal, ends the wait, so
 * that the process can follow it.
 */
public final class Stall implements AutoCloseable {

  private static final String SCRIPT =
      "trap : INT TERM HUP; kill -STOP \"$1\" && echo stopped && read line; kill -CONT \"$1\"";

  private final Process shell;

  private Stall(Process shell) {
    this.shell = shell;
  }

  /**
   * Stops a process; returns when it stands still.
   *
   * @throws ChildFailedException if that is not possible
   */
  static Stall of(long pid) {
    try {
      Process shell =
          Leftovers.start(
              new ProcessBuilder("/bin/sh", "-c", SCRIPT, "stall", Long.toString(pid))
                  .redirectError(ProcessBuilder.Redirect.DISCARD));
      if (shell.getInputStream().read() < 0) {
        Leftovers.forget(shell);
        throw new ChildFailedException("process " + pid + " cannot be stopped");
      }
      return new Stall(shell);
    } catch (IOException e) {
      throw new ChildFailedException("process " + pid + " cannot be stopped: " + e.getMessage(), e);
    }
  }

  /** Lets the process go on. Closing twice is fine. */
  @Override
  public void close() {
    try {
      shell.getOutputStream().close();
      shell.waitFor();
    } catch (IOException e) {
      shell.destroy(); // its input is closed all the same, so it has sent the signal
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      Leftovers.forget(shell);
    }
  }
}
