package org.ringwire.tools.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.ringwire.tools.process.ChildCommand;
import org.ringwire.tools.process.ChildProcess;
import org.ringwire.tools.process.ParentLink;

final class PinningTest {

  /** Says where the two of a benchmark go. */
  static final class Pins {
    private Pins() {}

    public static void main(String... words) {
      ParentLink.open().ready(Pinning.ONE.sender() + " " + Pinning.ONE.receiver());
    }
  }

  @Test
  void shouldBindNobodyWhereItIsNotAskedFor() {
    assertThat(Pinning.NONE.sender()).isEmpty();
    assertThat(Pinning.NONE.receiver()).isEmpty();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldPutSenderAndReceiverOnTheFirstCoresThatThisProcessMayUse() {
    List<Integer> cores = AllowedCores.list();
    assumeThat(cores).hasSizeGreaterThan(1);
    List<String> first = List.of("taskset", "-c", String.valueOf(cores.get(0)));
    List<String> second = List.of("taskset", "-c", String.valueOf(cores.get(1)));
    assertThat(Pinning.ONE.sender()).isEqualTo(first);
    assertThat(Pinning.ONE.receiver()).isEqualTo(first);
    assertThat(Pinning.TWO.sender()).isEqualTo(first);
    assertThat(Pinning.TWO.receiver()).isEqualTo(second);
  }

  /** A container, or taskset, may leave others than the first of the machine. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldUseNoCoreThatThisProcessMayNotUse() {
    String last = String.valueOf(AllowedCores.list().getLast());
    ChildCommand command =
        new ChildCommand("pins", Pins.class).withLauncher(List.of("taskset", "-c", last));
    try (ChildProcess pins = ChildProcess.start(command)) {
      assertThat(pins.awaitReady(Duration.ofMinutes(1)))
          .isEqualTo("[taskset, -c, %s] [taskset, -c, %s]".formatted(last, last));
    }
  }

  @Test
  void shouldReadTheKernelsList() {
    assertThat(AllowedCores.parse("0-2,5,8-9")).containsExactly(0, 1, 2, 5, 8, 9);
  }
}
