package org.ringwire.benchmarks.codec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Measures nanoseconds per encode and decode, and bytes, of every codec and message: rounds of all
 * contenders in turn, so that a slow second of the machine hits all of them, and the median of the
 * rounds. With {@code --json} the result is one line of JSON on stdout.
 */
public final class CodecComparison {
  private static final List<String> CODECS =
      List.of("hand", "generated", "kryo", "fory", "protobuf");
  private static final List<String> MESSAGES = List.of("small", "points");
  private static final int ROUNDS = 25;
  private static final int WARM_UP_ROUNDS = 10;
  private static final long ROUND_NS = 25_000_000;
  private static final long WARM_UP_NS = 80_000_000;

  private CodecComparison() {}

  /**
   * The figures of one codec and message.
   *
   * @param codec one of hand, generated, kryo, fory, protobuf
   * @param message small or points
   * @param nanos median nanoseconds for encoding and decoding once
   * @param bytes the length of the encoded message
   */
  public record Row(String codec, String message, double nanos, int bytes) {}

  private static final class Contender {
    private final String codec;
    private final String message;
    private final Trip trip;
    private final double[] rounds = new double[ROUNDS];
    private int batch = 1;

    Contender(String codec, String message) {
      this.codec = codec;
      this.message = message;
      this.trip = Trips.of(codec, message);
    }

    void warmUp() {
      long start = System.nanoTime();
      long trips = 0;
      while (System.nanoTime() - start < WARM_UP_NS) {
        trip.run(100);
        trips += 100;
      }
      batch = (int) Math.max(100, trips * ROUND_NS / WARM_UP_NS);
    }

    void measure(int round) {
      long start = System.nanoTime();
      Object last = trip.run(batch);
      rounds[round] = (System.nanoTime() - start) / (double) batch;
      if (last.hashCode() == 0) {
        throw new IllegalStateException("a message was lost: " + codec);
      }
    }

    Row row() {
      double[] sorted = rounds.clone();
      Arrays.sort(sorted);
      return new Row(codec, message, sorted[sorted.length / 2], trip.bytes());
    }
  }

  /**
   * Runs the comparison, some 15 seconds.
   *
   * @return a row for each codec and message
   */
  public static List<Row> run() {
    List<Contender> contenders = new ArrayList<>();
    for (String message : MESSAGES) {
      for (String codec : CODECS) {
        Contender contender = new Contender(codec, message);
        verify(contender);
        contenders.add(contender);
      }
    }
    for (int round = 0; round < WARM_UP_ROUNDS; round++) {
      contenders.forEach(Contender::warmUp);
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (Contender contender : contenders) {
        contender.measure(round);
      }
    }
    return contenders.stream().map(Contender::row).toList();
  }

  private static void verify(Contender contender) {
    Object example = contender.message.equals("small") ? Small.example() : Points.example();
    if (!contender.trip.once().equals(example)) {
      throw new IllegalStateException(
          "copy differs: codec=" + contender.codec + " message=" + contender.message);
    }
  }

  /**
   * Runs the comparison and prints it.
   *
   * @param arguments {@code --json} or nothing
   */
  public static void main(String[] arguments) {
    boolean json = List.of(arguments).contains("--json");
    List<Row> rows = run();
    System.out.println(json ? toJson(rows) : toTable(rows));
  }

  private static String toJson(List<Row> rows) {
    List<String> objects = new ArrayList<>();
    for (Row row : rows) {
      objects.add(
          String.format(
              Locale.ROOT,
              "{\"codec\":\"%s\",\"message\":\"%s\",\"nanos\":%.2f,\"bytes\":%d}",
              row.codec(),
              row.message(),
              row.nanos(),
              row.bytes()));
    }
    return String.format(
        Locale.ROOT,
        "{\"benchmark\":\"codec\",\"results\":[%s],\"java\":\"%s\",\"kernel\":\"%s\",\"cpus\":%d}",
        String.join(",", objects),
        Runtime.version(),
        System.getProperty("os.version"),
        Runtime.getRuntime().availableProcessors());
  }

  private static String toTable(List<Row> rows) {
    StringBuilder table = new StringBuilder();
    table.append(
        String.format("%-8s %-10s %12s %8s%n", "message", "codec", "ns per trip", "bytes"));
    for (Row row : rows) {
      table.append(
          String.format(
              Locale.ROOT,
              "%-8s %-10s %12.1f %8d%n",
              row.message(),
              row.codec(),
              row.nanos(),
              row.bytes()));
    }
    return table.toString();
  }
}
