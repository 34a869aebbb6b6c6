package org.ringwire.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.ringwire.infiniband.Finding;
import org.ringwire.tools.CommandRun;
import org.ringwire.tools.Schemas;

final class DoctorCommandTest {

  @Test
  void shouldFindThatMessagesGetThrough() {
    CommandRun run = CommandRun.of("doctor", "--json");

    assertThat(run.status()).as(run.out()).isZero();
    assertThat(Schemas.problems("doctor", run.out())).isEmpty();
    assertThat(run.out())
        .contains("\"name\":\"loopback round trip\",\"status\":\"good\"")
        .contains("\"name\":\"tcp on IPv4\",\"status\":\"good\"")
        .contains("\"name\":\"/dev/shm\"")
        .contains("\"name\":\"InfiniBand\",\"status\":\"good\"");
  }

  @Test
  void shouldEndWithAVerdict() {
    CommandRun run = CommandRun.of("doctor");

    assertThat(run.out().strip().lines().toList().getLast()).startsWith("Verdict: ");
  }

  @Test
  void shouldNotBlameAMachineWithoutInfiniband() {
    assertThat(check(Finding.Status.ABSENT)).isEqualTo(Check.Status.GOOD);
    assertThat(check(Finding.Status.GOOD)).isEqualTo(Check.Status.GOOD);
    assertThat(check(Finding.Status.WRONG)).isEqualTo(Check.Status.LIMITED);
  }

  private static Check.Status check(Finding.Status status) {
    return InfinibandChecks.check(new Finding("a", status, "b", "c")).status();
  }

  @Test
  void shouldJudgeByTheWorst() {
    Check good = Check.good("a", "b");
    Check limited = Check.limited("c", "d", "e");
    Check broken = Check.broken("f", "g", "h");

    assertThat(DoctorCommand.verdict(List.of(good))).isEqualTo(Check.Status.GOOD);
    assertThat(DoctorCommand.verdict(List.of(limited, good))).isEqualTo(Check.Status.LIMITED);
    assertThat(DoctorCommand.verdict(List.of(good, broken, limited)))
        .isEqualTo(Check.Status.BROKEN);
  }
}
