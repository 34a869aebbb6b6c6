package org.ringwire.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Undeclared.undeclared;

import java.io.IOException;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.LogRecorder;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
@ExpectedErrors("on purpose")
class ErrorLogTest {

  private final LogRecorder recorder =
      LogRecorder.of(Logger.getLogger("org.ringwire"), Level.WARNING);
  private final ErrorLog errors = new ErrorLog(1);

  @AfterEach
  void end() {
    recorder.close();
  }

  private List<String> logged() {
    return recorder.records().stream().map(LogRecord::getMessage).toList();
  }

  private void repeat(String what) {
    for (int times = 0; times < 1000; times++) {
      errors.report(what, new IllegalStateException("on purpose"));
    }
  }

  @Test
  void shouldTellOfARareFailureWhileAnotherRepeats() {
    repeat("handler of messageType=Often");
    errors.report("handler of messageType=Rare", new IllegalStateException("on purpose"));
    errors.warn("no handler, on purpose");
    assertThat(logged())
        .contains(
            "node 1: handler of messageType=Rare (0 reports left out)",
            "node 1: no handler, on purpose (0 reports left out)");
  }

  @Test
  void shouldTellOfAnotherFailureOfTheSameHandler() {
    repeat("handler of messageType=Often");
    errors.report("handler of messageType=Often", new ArithmeticException("on purpose"));
    assertThat(recorder.records())
        .anyMatch(logged -> logged.getThrown() instanceof ArithmeticException);
  }

  @Test
  void shouldBoundWhatIsLoggedOfKindsWithoutEnd() {
    long beganNs = System.nanoTime();
    for (int kind = 0; kind < 10_000; kind++) {
      errors.warn("on purpose " + kind);
    }
    long seconds = (System.nanoTime() - beganNs) / 1_000_000_000L;
    assertThat(logged().size())
        .isBetween(ErrorLog.MOST_KINDS + 1, ErrorLog.MOST_KINDS + 2 + (int) seconds);
  }

  @Test
  void shouldTellOfAFailureWhoseTextThrowsWhatNobodyHasDeclared() {
    errors.report(
        "on purpose",
        new IllegalStateException() {
          private static final long serialVersionUID = 1;

          @Override
          @SuppressWarnings("OverrideThrowableToString") // what the log asks for
          public String toString() {
            throw undeclared(new IOException("on purpose"));
          }
        });
    assertThat(logged()).contains("node 1: on purpose (0 reports left out)");
  }

  @Test
  void shouldOutliveALogThatThrowsWhatNobodyHasDeclared() {
    Logger logger = Logger.getLogger("org.ringwire");
    logger.setFilter(_ -> {
      throw undeclared(new IOException("on purpose"));
    });
    try {
      errors.report("on purpose", new IllegalStateException("on purpose"));
      errors.debug("on purpose");
    } finally {
      logger.setFilter(null);
    }
    assertThat(errors.count()).isOne();
  }
}
