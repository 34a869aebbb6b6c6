package org.ringwire.benchmarks.targets;

import java.util.List;
import java.util.stream.Stream;
import org.ringwire.benchmarks.runs.Figure;
import org.ringwire.benchmarks.runs.Target;
import org.ringwire.benchmarks.runs.Target.Contender;
import org.ringwire.benchmarks.runs.Target.Goal;
import org.ringwire.benchmarks.runs.Target.Program;
import org.ringwire.tools.bench.measure.WarmUp;

/** The targets on a machine with two cores, with their reasons in docs and issues. */
final class Targets {
  /** The JDK's engine is compiled late: with less warm-up, that is what TLS would be judged by. */
  private static final double TLS_WARMUPS = 3;

  private final List<String> times;
  private final List<String> tlsTimes;

  /**
   * @param duration of each run, in seconds
   * @param warmup before; three times as long where TLS is measured
   */
  Targets(double duration, WarmUp warmup) {
    times = times(duration, warmup);
    tlsTimes = times(duration, warmup.times(TLS_WARMUPS));
  }

  private static List<String> times(double duration, WarmUp warmup) {
    return List.of("--duration", Double.toString(duration), "--warmup", warmup.toString());
  }

  List<Target> all() {
    return List.of(
        smallStream(1),
        smallStream(4),
        largeStream(),
        roundTrip("rtt-park-one", "TCP round trip, 64 B, parked, one core", "park", "one", 1.15),
        roundTrip("rtt-park-two", "TCP round trip, 64 B, parked, two cores", "park", "two", 1.15),
        roundTrip("rtt-spin", "TCP round trip, 64 B, spinning, two cores", "spin", "two", 1.25),
        requests(),
        loopbackStream(),
        loopbackRequest(),
        tls("tls-stream-64", "64 B, 1 sender", "stream --payload 64", Figure.MILLION_PER_SECOND),
        tls(
            "tls-stream-16k",
            "16 KiB, 1 sender",
            "stream --payload 16384",
            Figure.GIGABYTES_PER_SECOND),
        tls("tls-rtt", "round trip, 64 B, parked", "pingpong --payload 64", Figure.ROUND_TRIP),
        Codecs.small(),
        Codecs.points());
  }

  private Target smallStream(int threads) {
    String sizes = "--payload 64 --threads " + threads;
    Goal twiceReference = new Goal("reference", true, 2);
    return new Target(
        "stream-64-" + threads,
        "TCP one way, 64 B, " + threads + (threads == 1 ? " sender" : " senders"),
        Figure.MILLION_PER_SECOND.unit(),
        ringwire("bench stream " + sizes, Figure.MILLION_PER_SECOND),
        List.of(
            reference("reference", "stream " + sizes, Figure.MILLION_PER_SECOND),
            reference("netty-epoll", "stream " + sizes, Figure.MILLION_PER_SECOND),
            // A new object per message, as the references make one.
            named(
                "ringwire, record",
                "bench stream --codec record " + sizes,
                Figure.MILLION_PER_SECOND)),
        threads == 1
            ? List.of(twiceReference, new Goal("netty-epoll", true, 4))
            : List.of(twiceReference));
  }

  private Target largeStream() {
    return new Target(
        "stream-16k",
        "TCP one way, 16 KiB, 1 sender",
        Figure.GIGABYTES_PER_SECOND.unit(),
        ringwire("bench stream --payload 16384", Figure.GIGABYTES_PER_SECOND),
        List.of(
            reference("c", "stream --payload 16384", Figure.GIGABYTES_PER_SECOND),
            reference("reference", "stream --payload 16384", Figure.GIGABYTES_PER_SECOND)),
        List.of(new Goal("c", true, 0.8)));
  }

  private Target roundTrip(String id, String title, String mode, String pin, double limit) {
    String words = "pingpong --payload 64 --mode " + mode + " --pin " + pin;
    String plain = mode.equals("spin") ? "minimal-nio" : "reference";
    return new Target(
        id,
        title,
        Figure.ROUND_TRIP.unit(),
        ringwire("bench " + words, Figure.ROUND_TRIP),
        List.of(
            reference("c", words, Figure.ROUND_TRIP), reference(plain, words, Figure.ROUND_TRIP)),
        List.of(new Goal("c", false, limit)));
  }

  private Target requests() {
    String sizes = "--payload 64 --threads 16";
    return new Target(
        "requests-16",
        "TCP, 16 threads issuing blocking 64 B requests",
        Figure.THOUSAND_PER_SECOND.unit(),
        ringwire("bench pingpong --mode adaptive " + sizes, Figure.THOUSAND_PER_SECOND),
        List.of(
            reference("reference", "requests " + sizes, Figure.THOUSAND_PER_SECOND),
            reference("netty-epoll", "requests " + sizes, Figure.THOUSAND_PER_SECOND)),
        List.of(new Goal("reference", true, 1.5)));
  }

  private Target loopbackStream() {
    return new Target(
        "loopback-stream",
        "loopback one way, 64 B, 1 sender, inline handler",
        Figure.NANOS_PER_MESSAGE.unit(),
        ringwire(
            "bench stream --transport loopback --payload 64 --handler inline",
            Figure.NANOS_PER_MESSAGE),
        List.of(),
        List.of(new Goal(null, false, 60)));
  }

  private Target loopbackRequest() {
    return new Target(
        "loopback-request",
        "loopback request, 64 B, inline handler, spinning",
        Figure.ROUND_TRIP.unit(),
        ringwire(
            "bench pingpong --transport loopback --payload 64 --handler inline --mode spin",
            Figure.ROUND_TRIP),
        List.of(),
        List.of(new Goal(null, false, 1)));
  }

  /** TLS has no goal of its own; the table says what it costs. */
  private Target tls(String id, String title, String words, Figure figure) {
    return new Target(
        id,
        "TCP with TLS, " + title,
        figure.unit(),
        new Contender(
            "ringwire", Program.RINGWIRE, words("bench " + words + " --tls", tlsTimes), figure),
        List.of(
            new Contender(
                "ringwire, no TLS", Program.RINGWIRE, words("bench " + words, tlsTimes), figure)),
        List.of());
  }

  private Contender ringwire(String words, Figure figure) {
    return named("ringwire", words, figure);
  }

  private Contender named(String name, String words, Figure figure) {
    return new Contender(name, Program.RINGWIRE, words(words), figure);
  }

  private Contender reference(String system, String words, Figure figure) {
    String line = "--system " + system + " --benchmark " + words;
    return new Contender(system, Program.REFERENCE, words(line), figure);
  }

  private List<String> words(String line) {
    return words(line, times);
  }

  private static List<String> words(String line, List<String> times) {
    return Stream.of(Stream.of(line.split(" ", -1)), times.stream(), Stream.of("--json"))
        .flatMap(part -> part)
        .toList();
  }
}
