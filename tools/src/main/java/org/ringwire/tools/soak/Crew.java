package org.ringwire.tools.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.process.ChildCommand;
import org.ringwire.tools.process.ChildFailedException;
import org.ringwire.tools.process.ChildProcess;
import org.ringwire.tools.process.Stall;

/** The nodes, each a process; some of them not there, or standing still, for a while. */
final class Crew implements AutoCloseable {

  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration LONG = Duration.ofMinutes(3);
  private static final List<String> VM_OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "-Xmx256m",
          "--illegal-native-access=deny",
          "--sun-misc-unsafe-memory-access=deny");

  private final SoakSpec spec;
  private final Consumer<String> progress;
  private final Function<Integer, List<String>> launcher;
  private final IntFunction<String> listen;
  private final List<Member> members = new ArrayList<>();
  private long timedOutRequests;
  private long wrongRequests;

  /** A node in its present life. */
  private static final class Member {
    final int id;
    int life = -1;
    String address = "";
    boolean ending;
    @Nullable ChildProcess process;
    @Nullable Stall stall;
    long stalledNs;

    Member(int id) {
      this.id = id;
    }

    ChildProcess process() {
      ChildProcess present = process;
      if (present == null) {
        throw new IllegalStateException("node " + id + " is not there");
      }
      if (!present.isAlive()) {
        throw new IllegalStateException("not on purpose: " + present.describeEnd());
      }
      return present;
    }
  }

  /**
   * Nobody yet.
   *
   * @param listen address to listen on, by id
   * @param launcher words that start the process of a node, by id
   */
  Crew(
      SoakSpec spec,
      IntFunction<String> listen,
      Function<Integer, List<String>> launcher,
      Consumer<String> progress) {
    this.spec = spec;
    this.listen = listen;
    this.launcher = launcher;
    this.progress = progress;
    for (int id = 1; id <= spec.nodes(); id++) {
      members.add(new Member(id));
    }
  }

  /** Starts the first life of every node, all at the same time. */
  void startAll() {
    members.forEach(this::launch);
    members.forEach(this::introduce);
  }

  /** Starts the next life of a node, and tells the others where it is. */
  void start(int id) {
    Member member = member(id);
    launch(member);
    introduce(member);
  }

  private void launch(Member member) {
    int id = member.id;
    member.life++;
    ChildCommand command =
        new ChildCommand("node " + id, SoakChild.class, VM_OPTIONS, List.of())
            .withLauncher(launcher.apply(id));
    ChildProcess process =
        ChildProcess.start(command, line -> progress.accept("node " + id + ": " + line));
    member.process = process;
    process.send(JsonLine.of(spec.with(id, member.life, listen.apply(id))));
  }

  /** Waits until a node listens; it and those that listen already then know of each other. */
  private void introduce(Member member) {
    member.address = member.process().awaitReady(START);
    for (Member other : members) {
      if (other != member && other.process != null && !other.address.isEmpty()) {
        tell(member, other);
        if (!other.ending) {
          tell(other, member);
        }
      }
    }
  }

  private static void tell(Member one, Member of) {
    one.process().send(SoakChild.PEER + " " + of.id + " " + of.address);
  }

  /** Lets a node send. */
  void run(int id) {
    member(id).process().send(SoakChild.RUN);
  }

  /** Ends a node without a word. */
  void kill(int id) {
    Member member = member(id);
    ChildProcess process = member.process();
    process.kill();
    process.awaitExit(START);
    gone(member);
  }

  /** Asks a node to end in good order, and does not wait. */
  void beginEnd(int id) {
    Member member = member(id);
    member.process().send(SoakChild.END);
    member.ending = true;
  }

  /** Waits until a node has ended that was asked to. */
  void awaitEnd(int id) {
    Member member = member(id);
    ChildProcess process = Objects.requireNonNull(member.process);
    String[] counts = process.awaitLine(LONG).split(" ", -1);
    timedOutRequests += Long.parseLong(counts[0]);
    wrongRequests += Long.parseLong(counts[1]);
    process.awaitExit(START);
    gone(member);
  }

  /** Whether a process that was asked to end, or was killed, is no more. */
  boolean hasEnded(int id) {
    ChildProcess process = member(id).process;
    return process == null || !process.isAlive();
  }

  private static void gone(Member member) {
    ChildProcess process = member.process;
    member.process = null;
    member.ending = false;
    if (process != null) {
      process.close();
    }
  }

  /** Makes a node stand still. */
  void stall(int id) {
    Member member = member(id);
    member.stall = member.process().stall();
    member.stalledNs = System.nanoTime();
  }

  /** Lets it go on. */
  void resume(int id) {
    Member member = member(id);
    Stall stall = member.stall;
    member.stall = null;
    if (stall != null) {
      stall.close();
      tellStall(id, System.nanoTime() - member.stalledNs);
    }
  }

  /** What waits for a node that stands still waits for good reason. */
  private void tellStall(int id, long timeNs) {
    for (Member member : members) {
      ChildProcess process = member.process;
      if (process != null && process.isAlive() && !member.ending) {
        process.send(SoakChild.STALLED + " " + id + " " + timeNs);
      }
    }
  }

  /** Whether a node is there and neither stands still nor ends. */
  boolean isWell(int id) {
    Member member = member(id);
    return member.process != null && member.stall == null && !member.ending;
  }

  int life(int id) {
    return member(id).life;
  }

  /** Fails if a process has ended that nobody has told to. */
  void check() {
    for (Member member : members) {
      if (member.process != null && !member.ending) {
        ChildProcess alive = member.process();
        assert alive.isAlive();
      }
    }
  }

  /** Holds every node's threads; returns when what they sent is written. */
  void pause() {
    askAll(SoakChild.PAUSE);
  }

  /** Sees that every node reaches every other; they must be paused. */
  void touch() {
    askAll(SoakChild.TOUCH);
  }

  /** Leads every node to the connections that it rests with; whether all are there. */
  boolean settle() {
    members.forEach(member -> member.process().send(SoakChild.SETTLE));
    List<String> answers =
        members.stream().map(member -> member.process().awaitLine(LONG)).toList();
    return answers.stream().allMatch(SoakChild.DONE::equals);
  }

  /** What every process holds; they must be paused. */
  List<Resources> measure() {
    members.forEach(member -> member.process().send(SoakChild.MEASURE));
    return members.stream()
        .map(member -> JsonLine.read(member.process().awaitLine(LONG), Resources.class))
        .toList();
  }

  /** Lets a node make a mistake; returns when it has. */
  void corrupt(int id, Corruption corruption) {
    ChildProcess process = member(id).process();
    process.send(SoakChild.CORRUPT + " " + corruption);
    expectDone(process.awaitLine(LONG));
  }

  /** Requests that were not answered in time, of nodes that ended in good order. */
  long timedOutRequests() {
    return timedOutRequests;
  }

  /** Requests that were answered wrong, too late, or not for no reason, of the same nodes. */
  long wrongRequests() {
    return wrongRequests;
  }

  private void askAll(String question) {
    members.forEach(member -> member.process().send(question));
    members.forEach(member -> expectDone(member.process().awaitLine(LONG)));
  }

  private static void expectDone(String line) {
    if (!line.equals(SoakChild.DONE)) {
      throw new IllegalStateException("not an answer: " + line);
    }
  }

  private Member member(int id) {
    return members.get(id - 1);
  }

  @Override
  public void close() {
    for (Member member : members) {
      try {
        resume(member.id);
      } catch (ChildFailedException e) {
        // one that was to be told has just ended by itself, as all do now
      }
      ChildProcess process = member.process;
      if (process != null) {
        process.kill();
        gone(member);
      }
    }
  }
}
