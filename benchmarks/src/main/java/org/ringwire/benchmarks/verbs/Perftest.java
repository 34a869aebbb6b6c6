package org.ringwire.benchmarks.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.process.Leftovers;

/**
 * {@code ib_send_bw} and {@code ib_send_lat}: what a program in C gets out of a device that does
 * nothing but send and receive, with a buffer of its own that is always ready.
 *
 * @param device name of the device
 * @param port its port
 * @param gid index of the GID; -1 for none, on InfiniBand
 * @param mtu the longest message that it sends as a datagram; 0: it sends none, all over
 *     connections
 */
record Perftest(String device, int port, int gid, int mtu) {

  private static final String BANDWIDTH = "ib_send_bw";
  private static final String LATENCY = "ib_send_lat";
  private static final int FIRST_PORT = 18_600;
  private static final int PORTS = 1000;
  private static final int ROUND_TRIPS = 1000;
  private static final Pattern MTU = Pattern.compile("\\bMtu\\s*:\\s*(\\d+)\\[B]");
  private static final int LEAST = 64;
  private static final int MOST = 10_000_000;
  private static final int ATTEMPTS = 3;
  private static final long PATIENCE_SECONDS = 60;
  private static final int RATE_COLUMN = 4;
  private static final int MEDIAN_COLUMN = 4;
  private static final int MEAN_COLUMN = 5;
  private static final double MILLION = 1e6;

  private static int started; // one thread

  /** Whether it is installed. */
  static void require() {
    for (String program : List.of(BANDWIDTH, LATENCY)) {
      boolean found =
          List.of(System.getenv().getOrDefault("PATH", "").split(":", -1)).stream()
              .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
      if (!found) {
        throw new CommandException(program + " is not installed: apt install perftest");
      }
    }
  }

  /** The same with datagrams for all that fits into one, as the engine {@code msgud} sends. */
  Perftest withDatagrams() throws InterruptedException {
    List<String> lines = run(LATENCY, LEAST, List.of("-n", Integer.toString(LEAST)));
    return new Perftest(device, port, gid, mtu(lines));
  }

  /** The path's, of which perftest tells before it begins. */
  static int mtu(List<String> lines) {
    return lines.stream()
        .map(MTU::matcher)
        .filter(Matcher::find)
        .map(found -> Integer.parseInt(found.group(1)))
        .findFirst()
        .orElseThrow(
            () -> new CommandException("perftest has told no MTU: " + String.join(" | ", lines)));
  }

  /** Whether messages of so many bytes are datagrams; longer ones it cannot send as such. */
  boolean sendsDatagrams(int size) {
    return size <= mtu;
  }

  /**
   * Messages per second of a stream, in both directions together.
   *
   * @param guess of the same, so that it takes about as long as wanted
   */
  double messagesPerSecond(Cell cell, double guess, double seconds) throws InterruptedException {
    // Its way to measure by time hangs now and then on a soft device.
    long count = Math.clamp(Math.round(guess * seconds / cell.directions()), LEAST, MOST);
    List<String> options = new ArrayList<>(List.of("-n", Long.toString(count)));
    if (cell.directions() == 2) {
      options.add("-b");
    }
    return number(run(BANDWIDTH, cell.size(), options), cell.size(), RATE_COLUMN) * MILLION;
  }

  /** Round trips in microseconds, mean and median; the program shows halves. */
  RoundTrip roundTrip(Cell cell) throws InterruptedException {
    List<String> lines = run(LATENCY, cell.size(), List.of("-n", Integer.toString(ROUND_TRIPS)));
    return new RoundTrip(
        2 * number(lines, cell.size(), MEDIAN_COLUMN), 2 * number(lines, cell.size(), MEAN_COLUMN));
  }

  /** What round trips took, in microseconds. */
  record RoundTrip(double median, double mean) {}

  private List<String> run(String program, int size, List<String> options)
      throws InterruptedException {
    String failure = "";
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      List<String> words = words(program, size, options);
      Process server = start(words, ProcessBuilder.Redirect.DISCARD);
      try {
        words.add("127.0.0.1");
        return client(words);
      } catch (CommandException | IOException e) {
        failure = String.valueOf(e.getMessage());
        System.err.println(failure);
      } finally {
        end(server);
      }
    }
    throw new CommandException(failure);
  }

  private List<String> words(String program, int size, List<String> options) {
    List<String> words = new ArrayList<>(List.of(program, "-F", "-d", device));
    words.addAll(List.of("-i", Integer.toString(port), "-s", Integer.toString(size)));
    words.addAll(List.of("-p", Integer.toString(FIRST_PORT + started++ % PORTS)));
    if (sendsDatagrams(size)) {
      words.addAll(List.of("-c", "UD"));
    }
    if (gid >= 0) {
      words.addAll(List.of("-x", Integer.toString(gid)));
    }
    words.addAll(options);
    return words;
  }

  /** Tries again as long as the server does not listen. */
  private static List<String> client(List<String> words) throws IOException, InterruptedException {
    Path output = Leftovers.file("perftest", ".txt");
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    try {
      while (true) {
        TimeUnit.MILLISECONDS.sleep(200);
        Process client = start(words, ProcessBuilder.Redirect.to(output.toFile()));
        boolean ended = client.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        client.destroyForcibly().waitFor();
        Leftovers.forget(client);
        List<String> lines = Files.readAllLines(output);
        if (ended && client.exitValue() == 0) {
          return lines;
        }
        if (System.nanoTime() - endNs > 0 || lines.stream().noneMatch(Perftest::isTooEarly)) {
          throw new CommandException(
              String.join(" ", words) + " has failed: " + String.join(" | ", lines));
        }
      }
    } finally {
      Leftovers.delete(output);
    }
  }

  private static boolean isTooEarly(String line) {
    return line.contains("Couldn't connect") || line.contains("Unable to");
  }

  private static Process start(List<String> words, ProcessBuilder.Redirect output) {
    try {
      return Leftovers.start(
          new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output));
    } catch (IOException e) {
      throw new CommandException("cannot start " + words.getFirst() + ": " + e.getMessage(), e);
    }
  }

  private static void end(Process process) throws InterruptedException {
    if (!process.waitFor(2, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
    Leftovers.forget(process);
  }

  /** A column of the line of results, which begins with the size. */
  static double number(List<String> lines, int size, int column) {
    for (String line : lines) {
      String[] words = line.strip().split("\\s+", -1);
      if (words.length > column && words[0].equals(Integer.toString(size))) {
        return Double.parseDouble(words[column]);
      }
    }
    throw new CommandException("perftest has printed no result: " + String.join(" | ", lines));
  }
}
