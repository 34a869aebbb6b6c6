package org.ringwire.benchmarks.targets;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.ringwire.benchmarks.runs.Figure;
import org.ringwire.benchmarks.runs.Target;
import org.ringwire.benchmarks.runs.Target.Contender;
import org.ringwire.benchmarks.runs.Target.Goal;
import org.ringwire.tools.bench.measure.WarmUp;

class TargetsTest {
  private final List<Target> targets = new Targets(2, WarmUp.of(8)).all();
  private final List<Target> peerTargets = new PeerTargets(2, WarmUp.of(8)).all();

  @Test
  void shouldCompareTlsWithTheSameCommandWithoutIt() {
    List<Target> ofTls = targets.stream().filter(each -> each.id().startsWith("tls-")).toList();

    assertThat(ofTls)
        .extracting(Target::id)
        .containsExactly("tls-stream-64", "tls-stream-16k", "tls-rtt");
    for (Target target : ofTls) {
      Contender plain = target.others().getFirst();
      assertThat(target.subject().words()).contains("--tls").containsAll(plain.words());
      assertThat(plain.words()).doesNotContain("--tls").containsSequence("--warmup", "24.0");
    }
  }

  @Test
  void shouldHaveIdsOfTheirOwnAndGoalsAboutContenders() {
    check(targets);
    check(peerTargets);
  }

  @Test
  void shouldTakeProcessorTimeFromTheRunsOfTheStream() {
    Target stream = peerTarget("tcp-stream-64-1");
    Target time = peerTarget("tcp-cpu");

    assertThat(time.contenders())
        .extracting(Contender::words)
        .isEqualTo(stream.contenders().stream().map(Contender::words).toList());
    assertThat(time.unit()).isNotEqualTo(stream.unit());
  }

  @Test
  void shouldCompareMostThreadsWithEveryOtherNumber() {
    Target threads = peerTarget("tcp-threads");

    assertThat(threads.subject().words()).containsSequence("--threads", "128");
    assertThat(threads.goals()).hasSize(7).allMatch(Goal::atLeast);
  }

  /** There are few of them in a second, so that their code is compiled late. */
  @Test
  void shouldWarmUpLongerForLongMessages() {
    assertThat(peerTarget("tcp-stream-1024k").contenders())
        .allMatch(each -> each.words().indexOf("24.0") == each.words().indexOf("--warmup") + 1);
    assertThat(peerTarget("tcp-stream-16k").contenders())
        .allMatch(each -> each.words().indexOf("8.0") == each.words().indexOf("--warmup") + 1);
  }

  @Test
  void shouldMeasureRequestsAsLibraryWaitsByDefault() {
    Target requests = peerTarget("tcp-requests-16");

    assertThat(requests.subject().words()).containsSequence("--mode", "adaptive");
    assertThat(requests.others()).allMatch(each -> !each.words().contains("--mode"));
  }

  @Test
  void shouldPromiseMoreOfWhatIsBetterMoreAndLessOfTheRest() {
    for (List<Target> all : List.of(targets, peerTargets)) {
      for (Target target : all) {
        boolean isLess =
            !(target.subject().figure() instanceof Figure it) || it.isLess(); // a codec's
        assertThat(target.goals()).as(target.id()).allMatch(goal -> goal.atLeast() != isLess);
      }
    }
  }

  /** A goal that is easier than that of the table which people read would be reached too easily. */
  @Test
  void shouldPromiseWhatTheTablesSay() throws Exception {
    List<List<String>> rows =
        Files.readAllLines(Path.of("..", "docs", "performance.md")).stream()
            .map(line -> List.of(line.replaceAll("^\\| | \\|$", "").split(" \\| ", -1)))
            .filter(cells -> cells.size() == 8)
            .toList();
    Map<List<String>, String> promised = new HashMap<>();
    for (List<Target> all : List.of(targets, peerTargets)) {
      for (Target target : all) {
        for (Goal goal : target.goals()) {
          String versus = goal.versus() == null ? "" : goal.versus();
          promised.put(List.of(target.title(), target.unit(), versus), goal.text(target.unit()));
        }
      }
    }

    List<List<String>> known = new ArrayList<>();
    for (List<String> row : rows) {
      List<String> key = List.of(row.get(0), row.get(1), row.get(3));
      if (promised.containsKey(key)) {
        known.add(key);
        assertThat(promised.get(key)).as(row.toString()).isEqualTo(row.get(6));
      }
    }
    assertThat(known).hasSizeGreaterThan(promised.size() / 2);
  }

  private Target peerTarget(String id) {
    return peerTargets.stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
  }

  private static void check(List<Target> targets) {
    assertThat(targets).extracting(Target::id).doesNotHaveDuplicates();
    for (Target target : targets) {
      List<String> others = target.others().stream().map(Contender::name).toList();
      assertThat(target.goals())
          .allSatisfy(goal -> {
            if (goal.versus() != null) {
              assertThat(others).contains(goal.versus());
            }
          });
    }
  }
}
