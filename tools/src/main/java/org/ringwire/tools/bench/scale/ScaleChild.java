package org.ringwire.tools.bench.scale;

import java.io.IOException;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.console.Problem;
import org.ringwire.tools.process.ParentLink;

/** Main class of the processes: {@code node SPEC}, {@code busy SPEC} or {@code farm SPEC}. */
final class ScaleChild {

  static final String NODE = "node";
  static final String BUSY = "busy";
  static final String FARM = "farm";

  static final String KNOW = "know";
  static final String CONNECT = "connect";
  static final String COST = "cost";
  static final String FOOTPRINT = "footprint";
  static final String IDLE = "idle";

  private ScaleChild() {}

  /** Runs until the parent is gone. */
  public static void main(String... args) {
    ParentLink parent = ParentLink.open();
    try {
      ScaleSpec spec = JsonLine.read(args[1], ScaleSpec.class);
      switch (args[0]) {
        case NODE -> measure(parent, spec);
        case BUSY -> answer(parent, spec);
        case FARM -> farm(parent, spec);
        default -> throw new CommandException("not a role: " + args[0]);
      }
    } catch (InterruptedException | IOException | RuntimeException e) {
      System.err.println(Problem.describe(e));
      System.exit(ExitStatus.UNUSABLE);
    }
  }

  private static void measure(ParentLink parent, ScaleSpec spec) throws InterruptedException {
    try (MeasuredNode node = new MeasuredNode(spec)) {
      parent.ready(node.address());
      while (true) {
        String[] words = parent.awaitLine().split(" ", -1);
        switch (words[0]) {
          case KNOW -> {
            node.know(Integer.parseInt(words[1]), Integer.parseInt(words[2]), words[3]);
            parent.send(KNOW);
          }
          case CONNECT -> parent.send(JsonLine.of(node.connect(Integer.parseInt(words[1]))));
          case COST -> parent.send(JsonLine.of(node.cost(Double.parseDouble(words[1]))));
          case FOOTPRINT -> parent.send(JsonLine.of(node.footprint()));
          case IDLE -> parent.send(Double.toString(node.idlePercent(Double.parseDouble(words[1]))));
          default -> throw new CommandException("not a command: " + words[0]);
        }
      }
    }
  }

  private static void answer(ParentLink parent, ScaleSpec spec) throws InterruptedException {
    try (Answering peer = new Answering(spec)) {
      parent.ready(peer.address());
      while (true) {
        parent.awaitLine();
      }
    }
  }

  private static void farm(ParentLink parent, ScaleSpec spec) throws IOException {
    try (PeerFarm farm = new PeerFarm(spec)) {
      parent.ready(farm.address());
      farm.run();
    }
  }
}
