package org.ringwire.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.ringwire.benchmarks.compare.Target.Contender;

class TargetsTest {
  private final List<Target> targets = new Targets(2, 8).all();

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
