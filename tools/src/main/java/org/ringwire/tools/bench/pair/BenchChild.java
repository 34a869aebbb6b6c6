package org.ringwire.tools.bench.pair;

import java.time.Duration;
import org.ringwire.tools.bench.measure.CpuUse;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.console.Problem;
import org.ringwire.tools.process.ParentLink;

/**
 * Main class of the child processes: {@code receiver SPEC} or {@code sender SPEC}, {@code both
 * SPEC}, or {@code sleeper}, which has no node. Their parent tells them in lines what to do, a
 * sender the receiver's address first; see {@link ProcessPair}.
 */
final class BenchChild {

  static final String RECEIVER = "receiver";
  static final String SENDER = "sender";
  static final String BOTH = "both";
  static final String SLEEPER = "sleeper";
  static final String RUN = "run";
  static final String IDLE = "idle";
  static final String END = "end";

  /** Round trips before an idle pair is observed. */
  private static final int TALK = 1000;

  private final ParentLink parent;

  private BenchChild(ParentLink parent) {
    this.parent = parent;
  }

  /** Runs until the parent says that it is over, or is gone. */
  public static void main(String... args) {
    BenchChild child = new BenchChild(ParentLink.open());
    int status = ExitStatus.GOOD;
    try {
      switch (args[0]) {
        case SLEEPER -> child.sleep();
        case RECEIVER -> child.receive(JsonLine.read(args[1], BenchSpec.class));
        case BOTH -> child.sendToItself(JsonLine.read(args[1], BenchSpec.class));
        default -> child.send(JsonLine.read(args[1], BenchSpec.class));
      }
    } catch (InterruptedException | RuntimeException e) {
      System.err.println(Problem.describe(e));
      status = ExitStatus.UNUSABLE;
    }
    System.exit(status);
  }

  private void receive(BenchSpec spec) throws InterruptedException {
    try (Receiver receiver = Receiver.open(spec)) {
      parent.ready(receiver.address());
      obeyAll();
    }
  }

  private void sendToItself(BenchSpec spec) throws InterruptedException {
    try (Receiver receiver = Receiver.open(spec);
        Sender sender = Sender.open(spec, receiver.address())) {
      obeyAll(sender, true);
    }
  }

  /** What a JVM costs that has no node. */
  private void sleep() throws InterruptedException {
    parent.ready("");
    obeyAll();
  }

  private void obeyAll() throws InterruptedException {
    String line = parent.awaitLine();
    while (!line.equals(END)) {
      obey(line);
      line = parent.awaitLine();
    }
  }

  private void send(BenchSpec spec) throws InterruptedException {
    try (Sender sender = Sender.open(spec)) {
      sender.connect(parent.awaitLine());
      if (spec.benchmark() == BenchSpec.Kind.IDLE) {
        sender.talk(TALK);
      }
      obeyAll(sender, false);
    }
  }

  private void obeyAll(Sender sender, boolean inOneProcess) throws InterruptedException {
    parent.ready("");
    String line = parent.awaitLine();
    while (!line.equals(END)) {
      if (line.equals(RUN)) {
        parent.send(JsonLine.of(sender.run(inOneProcess, System.err::println)));
      } else {
        obey(line);
      }
      line = parent.awaitLine();
    }
  }

  /** What both sides know: {@code idle SECONDS}. */
  private void obey(String line) throws InterruptedException {
    if (!line.startsWith(IDLE)) {
      throw new IllegalArgumentException("not a command: " + line);
    }
    double seconds = Double.parseDouble(line.substring(IDLE.length()));
    Duration time = Duration.ofNanos(Math.round(seconds * 1e9));
    parent.send(JsonLine.of(CpuUse.during(time)));
  }
}
