package org.ringwire.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.ringwire.tools.CommandRun;

/**
 * Short runs of any kind, one after the other, for a fixed time: what goes wrong once in hundreds
 * of beginnings and ends shows nowhere else. The seed is printed; {@code -Dringwire.seed=N} repeats
 * the runs, as far as a machine repeats itself.
 */
@Tag("nightly")
final class BenchStormTest {

  private static final long SEED = Long.getLong("ringwire.seed", new Random().nextLong());
  private static final Duration BUDGET = Duration.ofMinutes(10);

  private final Random random = new Random(SEED);

  @Test
  void shouldLoseNothingInAnyOfManyShortRuns() {
    System.out.println("BenchStormTest: -Dringwire.seed=" + SEED);
    long start = System.nanoTime();
    int runs = 0;
    while (System.nanoTime() - start < BUDGET.toNanos()) {
      List<String> words = words();
      CommandRun run = CommandRun.of(words.toArray(String[]::new));

      runs++;
      assertThat(run.status())
          .as("seed=%d run=%d %s%n%s%s", SEED, runs, words, run.out(), run.err())
          .isZero(); // 1 if anything is lost, comes twice, altered or out of order
    }
    System.out.println("BenchStormTest: " + runs + " runs");
  }

  private List<String> words() {
    String benchmark = oneOf("stream", "stream", "pingpong");
    String transport = oneOf("tcp", "shm", "loopback");
    List<String> words = new ArrayList<>(List.of("bench", benchmark, "--json"));
    add(words, "--transport", transport);
    add(words, "--payload", payload());
    add(words, "--threads", 1 + random.nextInt(16));
    add(words, "--mode", oneOf("park", "spin", "adaptive"));
    add(words, "--codec", oneOf("hand", "record"));
    add(words, "--drain", oneOf("adaptive", "adaptive", "io"));
    add(words, "--warmup", oneOf("0", "0.1", "0.5"));
    add(words, "--duration", oneOf("0.05", "0.2", "0.5", "1"));
    String handler = oneOf("inline", "pooled", "blocking");
    add(words, "--handler", handler);
    if (handler.equals("pooled")) {
      add(words, "--handlers", 1 + random.nextInt(4));
    }
    addSometimes(words, "--ordered");
    addSometimes(words, "--virtual");
    if (random.nextInt(4) > 0) { // to start processes takes longer than all the rest of a run
      words.add("--in-process");
    }
    if (transport.equals("tcp")) {
      addSometimes(words, "--tls");
    }
    return words;
  }

  /** 16 bytes to 300 KB, of every order of magnitude as many. */
  private int payload() {
    return (int) (16 * Math.pow(300_000 / 16.0, random.nextDouble()));
  }

  private String oneOf(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private static void add(List<String> words, String option, Object value) {
    words.add(option);
    words.add(value.toString());
  }

  private void addSometimes(List<String> words, String option) {
    if (random.nextInt(3) == 0) {
      words.add(option);
    }
  }
}
