package org.ringwire.benchmarks.targets;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.runs.Cell;
import org.ringwire.benchmarks.runs.Cell.Benchmark;
import org.ringwire.benchmarks.runs.Cell.Mode;
import org.ringwire.benchmarks.runs.Cell.Pin;
import org.ringwire.benchmarks.runs.ComparedSystem;
import org.ringwire.benchmarks.runs.Figure;
import org.ringwire.benchmarks.runs.Target;
import org.ringwire.benchmarks.runs.Target.Contender;
import org.ringwire.benchmarks.runs.Target.Goal;
import org.ringwire.benchmarks.runs.Target.Program;
import org.ringwire.tools.bench.measure.WarmUp;

/** The targets against every other system: the same points as {@code bench compare} measures. */
final class PeerTargets {
  private static final String TCP = "ringwire-tcp";
  private static final String SHM = "ringwire-shm";

  /** Its handler is given a new object for each message, as those of most others are. */
  private static final String RECORD = "ringwire-tcp-record";

  /** Those that send objects one way over TCP, or do the same over UDP. */
  private static final List<String> STREAMING =
      List.of(
          "netty-io_uring", "netty-nio", "netty-epoll", "reference", "aeron-udp", "jeromq", "grpc");

  /** The same, and what Ringwire has with a new object for each message. */
  private static final List<String> SMALL =
      Stream.concat(STREAMING.stream(), Stream.of(RECORD)).toList();

  private static final List<String> REQUESTING =
      List.of("netty-io_uring", "netty-epoll", "reference", "aeron-udp", "grpc", "rmi", "jeromq");

  private static final List<Integer> THREADS = List.of(1, 2, 4, 8, 16, 32, 64);
  private static final int MOST_THREADS = 128;

  /** There are few of them in a second, so that their code is compiled late. */
  private static final int LONG_MESSAGE = 1 << 20;

  private static final double LONG_WARMUPS = 3;
  private static final String IDLE_SECONDS = "10";

  /** A round trip each. */
  private static final String SILENT_SECONDS = "20";

  /** Bytes per message: what other threads allocate meanwhile is not nothing. */
  private static final double LEAST_GARBAGE = 1;

  private final double duration;
  private final WarmUp warmup;

  /**
   * @param duration of each run, in seconds
   * @param warmup before
   */
  PeerTargets(double duration, WarmUp warmup) {
    this.duration = duration;
    this.warmup = warmup;
  }

  List<Target> all() {
    return Stream.of(streams(), roundTrips(), requests(), sharedMemory(), loopback(), costs())
        .flatMap(List::stream)
        .toList();
  }

  private List<Target> streams() {
    List<Target> targets = new ArrayList<>();
    targets.add(
        target(
            "tcp-stream-64-1", stream(64, 1), TCP, SMALL, ofOthers(PeerTargets::singleSenderGoal)));
    targets.add(target("tcp-stream-64-4", stream(64, 4), TCP, SMALL, ofOthers(atLeast(1.4))));
    for (int bytes : List.of(16, 256, 1024, 4096)) {
      targets.add(target("tcp-stream-" + bytes, stream(bytes, 1), TCP, STREAMING, atLeast(1)));
    }
    for (int bytes : List.of(16 << 10, LONG_MESSAGE)) {
      targets.add(
          target(
              "tcp-stream-" + (bytes >> 10) + "k",
              stream(bytes, 1),
              TCP,
              List.of("c", "reference"),
              peer -> peer.equals("c") ? new Goal(peer, true, 0.9) : null));
    }
    targets.add(manyThreads("tcp-threads", TCP));
    return targets;
  }

  private static Goal singleSenderGoal(String peer) {
    return switch (peer) {
      case "netty-epoll" -> new Goal(peer, true, 6);
      case "reference" -> new Goal(peer, true, 2.5);
      default -> new Goal(peer, true, 1.6);
    };
  }

  private List<Target> roundTrips() {
    List<Target> targets = new ArrayList<>();
    for (int bytes : List.of(64, 1024, 16 << 10)) {
      targets.add(
          target(
              "tcp-rtt-spin-" + bytes,
              new Cell(Benchmark.PINGPONG, bytes, 1, Mode.SPIN, Pin.TWO),
              TCP,
              List.of("c", "minimal-nio", "netty-epoll", "aeron-udp"),
              peer -> new Goal(peer, false, peer.equals("c") ? 1.15 : 1)));
      for (Pin pin : List.of(Pin.ONE, Pin.TWO)) {
        targets.add(
            target(
                "tcp-rtt-park-" + Cell.word(pin) + "-" + bytes,
                new Cell(Benchmark.PINGPONG, bytes, 1, Mode.PARK, pin),
                TCP,
                List.of("c", "reference", "netty-epoll", "netty-io_uring"),
                peer -> new Goal(peer, false, peer.equals("c") ? 1.1 : 1)));
      }
    }
    return targets;
  }

  private List<Target> requests() {
    return List.of(
        target("tcp-requests-16", requests(16), TCP, REQUESTING, atLeast(1.5)),
        target("tcp-requests-64", requests(64), TCP, REQUESTING, atLeast(3)));
  }

  private List<Target> sharedMemory() {
    List<Target> targets = new ArrayList<>();
    for (int bytes : List.of(64, 1024, 16 << 10)) {
      targets.add(
          target(
              "shm-rtt-spin-" + bytes,
              new Cell(Benchmark.PINGPONG, bytes, 1, Mode.SPIN, Pin.TWO),
              SHM,
              List.of("aeron-ipc", "c-shm"),
              peer -> roundTripGoal(peer, bytes)));
    }
    List<String> aeron = List.of("aeron-ipc");
    targets.add(target("shm-stream-64-1", stream(64, 1), SHM, aeron, atLeast(1)));
    targets.add(target("shm-stream-64-4", stream(64, 4), SHM, aeron, atLeast(1.3)));
    targets.add(target("shm-stream-16k", stream(16 << 10, 1), SHM, aeron, atLeast(1.5)));
    targets.add(manyThreads("shm-threads", SHM));
    return targets;
  }

  private static @Nullable Goal roundTripGoal(String peer, int bytes) {
    return peer.equals("c-shm")
        ? bytes == 64 ? new Goal(peer, false, 1.5) : null
        : new Goal(peer, false, 1);
  }

  private List<Target> loopback() {
    return List.of(loopback(1, 40), loopback(4, 50));
  }

  private Target loopback(int senders, double nanos) {
    String words = "bench stream --transport loopback --payload 64 --handler inline --threads ";
    return alone(
        "loopback-64-" + senders,
        "loopback one way, 64 B, inline handler, senders: " + senders,
        ringwire(words + senders, times(), Figure.NANOS_PER_MESSAGE),
        Figure.NANOS_PER_MESSAGE,
        nanos);
  }

  /** What is not speed: processor time, garbage, and what a pair costs that has nothing to do. */
  private List<Target> costs() {
    List<Target> targets = new ArrayList<>();
    targets.add(processorTime());
    for (String system : List.of(TCP, SHM)) {
      Contender stream = sending(system, 1);
      String title = title(system) + ", " + stream(64, 1).title() + ", objects reused";
      for (Figure figure : List.of(Figure.ALLOCATED_SENDING, Figure.ALLOCATED_RECEIVING)) {
        String id = system + "-" + Cell.word(figure).replace('_', '-');
        targets.add(alone(id, title, with(figure, stream), figure, LEAST_GARBAGE));
      }
    }
    for (String transport : List.of("tcp", "shm")) {
      List<String> seconds = List.of("--seconds", IDLE_SECONDS);
      Contender pair = ringwire("bench idle --transport " + transport, seconds, Figure.IDLE);
      targets.add(
          alone("idle-" + transport, "idle pair over " + transport, pair, Figure.IDLE, 0.5));
      targets.add(afterSilence(transport));
    }
    return targets;
  }

  /**
   * The first message for a second, against one after the other. What programs over sockets pay for
   * a silence stands beside it: cores that sleep and cold caches are theirs as well.
   */
  private Target afterSilence(String transport) {
    String words = "bench pingpong --payload 64 --mode park --transport " + transport;
    List<String> seconds = List.of("--duration", SILENT_SECONDS, "--warmup", warmup.toString());
    Contender busy = named("without silence", ringwire(words, times(), Figure.ROUND_TRIP));
    Stream<Contender> silent = Stream.of("c", "reference").map(system -> silent(system, seconds));
    return new Target(
        "silence-" + transport,
        "round trip over " + transport + ", 64 B, parked, after a second of silence",
        Figure.ROUND_TRIP.unit(),
        ringwire(words + " --pause 1", seconds, Figure.ROUND_TRIP),
        Stream.concat(Stream.of(busy), silent).toList(),
        List.of(new Goal(busy.name(), false, 1.2)));
  }

  private static Contender silent(String system, List<String> seconds) {
    String words =
        "--system " + system + " --benchmark pingpong --payload 64 --mode park --pause 1";
    List<String> line =
        Stream.of(Stream.of(words.split(" ", -1)), seconds.stream(), Stream.of("--json"))
            .flatMap(part -> part)
            .toList();
    return new Contender(system + ", after silence", Program.REFERENCE, line, Figure.ROUND_TRIP);
  }

  /** Of the same runs as the first target's. */
  private Target processorTime() {
    Target stream =
        target("tcp-cpu", stream(64, 1), TCP, SMALL, ofOthers(peer -> new Goal(peer, false, 1)));
    return new Target(
        stream.id(),
        stream.title() + ", processor time",
        Figure.CPU_SECONDS.unit(),
        with(Figure.CPU_SECONDS, stream.subject()),
        stream.others().stream().map(each -> with(Figure.CPU_SECONDS, each)).toList(),
        stream.goals());
  }

  private static Contender with(Figure figure, Contender contender) {
    return new Contender(contender.name(), contender.program(), contender.words(), figure);
  }

  private static Target alone(
      String id, String title, Contender subject, Figure figure, double limit) {
    Goal bound = new Goal(null, false, limit);
    return new Target(id, title, figure.unit(), subject, List.of(), List.of(bound));
  }

  /** The most threads against fewer: more of them must not cost much. */
  private Target manyThreads(String id, String system) {
    List<Contender> fewer =
        THREADS.stream()
            .map(threads -> named(threads + " threads", sending(system, threads)))
            .toList();
    return new Target(
        id,
        title(system) + ", " + stream(64, MOST_THREADS).title(),
        Figure.MILLION_PER_SECOND.unit(),
        named("ringwire", sending(system, MOST_THREADS)),
        fewer,
        fewer.stream().map(each -> new Goal(each.name(), true, 0.8)).toList());
  }

  private Contender sending(String system, int threads) {
    return stream(64, threads).target(List.of(system(system)), duration, warmup).subject();
  }

  private static Contender named(String name, Contender contender) {
    return new Contender(name, contender.program(), contender.words(), contender.figure());
  }

  private static Function<String, @Nullable Goal> atLeast(double ratio) {
    return peer -> new Goal(peer, true, ratio);
  }

  /** What Ringwire itself has otherwise is shown, and no goal. */
  private static Function<String, @Nullable Goal> ofOthers(Function<String, @Nullable Goal> goal) {
    return peer -> peer.equals(RECORD) ? null : goal.apply(peer);
  }

  private Target target(
      String id,
      Cell cell,
      String subject,
      List<String> peers,
      Function<String, @Nullable Goal> goal) {
    List<ComparedSystem> systems =
        Stream.concat(Stream.of(subject), peers.stream()).map(PeerTargets::system).toList();
    WarmUp before = cell.payloadBytes() < LONG_MESSAGE ? warmup : warmup.times(LONG_WARMUPS);
    Target measured = cell.target(systems, duration, before);
    return new Target(
        id,
        title(subject) + ", " + measured.title(),
        measured.unit(),
        measured.subject(),
        measured.others(),
        peers.stream().flatMap(peer -> Stream.ofNullable(goal.apply(peer))).toList());
  }

  private static String title(String system) {
    return system.equals(SHM) ? "shared memory" : "TCP";
  }

  private static ComparedSystem system(String name) {
    return ComparedSystem.find(name).orElseThrow();
  }

  private static Cell stream(int bytes, int threads) {
    return new Cell(Benchmark.STREAM, bytes, threads, null, Pin.NONE);
  }

  private static Cell requests(int threads) {
    return new Cell(Benchmark.REQUESTS, 64, threads, null, Pin.NONE);
  }

  private List<String> times() {
    return List.of("--duration", Double.toString(duration), "--warmup", warmup.toString());
  }

  private static Contender ringwire(String words, List<String> times, Figure figure) {
    List<String> line =
        Stream.of(Stream.of(words.split(" ", -1)), times.stream(), Stream.of("--json"))
            .flatMap(part -> part)
            .toList();
    return new Contender("ringwire", Program.RINGWIRE, line, figure);
  }
}
