package org.ringwire.tools.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class StartLinesTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void shouldSayWhatAChildSaidThatEndedBeforeItWasTold() {
    Queue<String> errors = new ConcurrentLinkedQueue<>();
    StartLines lines = new StartLines(errors::add);
    try (ChildProcess child =
        ChildProcess.start(new ChildCommand("leaving", ChildPrograms.Leaving.class), lines)) {
      assertThat(child.onExit()).succeedsWithin(LIMIT);
      assertThatExceptionOfType(ChildFailedException.class)
          .isThrownBy(() -> lines.awaitReady(child, LIMIT, "an address"))
          .withMessage("leaving did not say READY, but: FAREWELL");
    }
  }
}
