package org.ringwire.tools.soak;

import java.time.Duration;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.console.Problem;
import org.ringwire.tools.process.ParentLink;

/**
 * Main class of the process of one life of a node. Its parent first says what it is, and then in
 * lines what to do; what takes time is answered by a line when it is done.
 */
final class SoakChild {

  static final String PEER = "peer";
  static final String RUN = "run";
  static final String STALLED = "stalled";
  static final String PAUSE = "pause";
  static final String TOUCH = "touch";
  static final String SETTLE = "settle";
  static final String MEASURE = "measure";
  static final String CORRUPT = "corrupt";
  static final String END = "end";
  static final String DONE = "done";
  static final String NOT_YET = "not yet";

  private final ParentLink parent;
  private final SoakNode node;

  private SoakChild(ParentLink parent, SoakNode node) {
    this.parent = parent;
    this.node = node;
  }

  /** Runs until the parent says that it is over, or is gone. */
  public static void main(String... args) {
    ParentLink parent = ParentLink.open();
    int status = ExitStatus.GOOD;
    try {
      SoakNode node =
          new SoakNode(JsonLine.read(parent.awaitLine(), SoakSpec.class), SoakChild::end);
      parent.ready(node.address());
      new SoakChild(parent, node).obey();
    } catch (InterruptedException | RuntimeException | InternalError e) { // the last: a full disk
      System.err.println(Problem.describe(e));
      status = ExitStatus.UNUSABLE;
    }
    System.exit(status);
  }

  /** Ends the process at once: its ledger would accuse the library of what was not taken down. */
  private static void end(Throwable ledgerLost) {
    System.err.println(Problem.describe(ledgerLost));
    Runtime.getRuntime().halt(ExitStatus.UNUSABLE);
  }

  private void obey() throws InterruptedException {
    boolean ended = false;
    while (!ended) {
      String[] words = parent.awaitLine().split(" ", -1);
      String answer = null;
      switch (words[0]) {
        case PEER -> node.peer(Integer.parseInt(words[1]), words[2]);
        case RUN -> node.run();
        case STALLED ->
            node.stalled(Integer.parseInt(words[1]), Duration.ofNanos(Long.parseLong(words[2])));
        case PAUSE -> {
          node.pause();
          answer = DONE;
        }
        case TOUCH -> {
          node.touch();
          answer = DONE;
        }
        case SETTLE -> answer = node.settle() ? DONE : NOT_YET;
        case MEASURE -> answer = JsonLine.of(node.measure());
        case CORRUPT -> {
          node.corrupt(Corruption.valueOf(words[1]));
          answer = DONE;
        }
        case END -> {
          node.close();
          answer = node.timedOutRequests() + " " + node.wrongRequests();
          ended = true;
        }
        default -> throw new IllegalArgumentException("not a command: " + words[0]);
      }
      if (answer != null) {
        parent.send(answer);
      }
    }
  }
}
