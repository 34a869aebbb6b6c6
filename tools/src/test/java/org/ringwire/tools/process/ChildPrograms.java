package org.ringwire.tools.process;

import java.io.IOException;
import java.time.Duration;

/** What the children of {@link ChildProcessTest} run. */
final class ChildPrograms {

  private ChildPrograms() {}

  /** Answers every line until it is told to exit. */
  static final class Echo {
    private Echo() {}

    public static void main(String[] args) throws InterruptedException {
      ParentLink link = ParentLink.open();
      System.out.println("printed by the program");
      link.ready(String.join(",", args));
      String line = link.awaitLine();
      while (!line.equals("exit")) {
        link.send("echo " + line);
        line = link.awaitLine();
      }
      System.err.println("went away as told");
      System.exit(7);
    }
  }

  /** Says something else than it should, and does not end when its input does. */
  static final class Stubborn {
    private Stubborn() {}

    public static void main(String[] args) throws InterruptedException {
      System.out.println("HELLO");
      Thread.currentThread().join();
    }
  }

  /** Says something else than it should, and ends. */
  static final class Leaving {
    private Leaving() {}

    public static void main(String[] args) {
      System.out.println("FAREWELL");
      System.exit(3);
    }
  }

  /** Is sent a signal at which a JVM says, on its standard output, that it has crashed. */
  static final class Crashing {
    private Crashing() {}

    public static void main(String[] args) throws IOException, InterruptedException {
      String pid = Long.toString(ProcessHandle.current().pid());
      new ProcessBuilder("kill", "-SEGV", pid).inheritIO().start();
      Thread.currentThread().join();
    }
  }

  /** Starts a child of its own and tells its process id. */
  static final class Middle {
    private Middle() {}

    public static void main(String[] args) throws InterruptedException {
      ParentLink link = ParentLink.open();
      ChildProcess child = ChildProcess.start(new ChildCommand("inner", Echo.class));
      child.awaitReady(Duration.ofSeconds(60));
      link.ready(Long.toString(child.pid()));
      Thread.currentThread().join();
    }
  }

  /** Ends at once, with lines on its error output. */
  static final class Failing {
    private Failing() {}

    public static void main(String[] args) {
      System.err.println("first line");
      System.err.println("no such thing");
      System.exit(4);
    }
  }
}
