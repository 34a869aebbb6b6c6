package org.ringwire.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;
import static org.ringwire.testing.Undeclared.undeclared;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** What follows a directory goes on following it. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("is not usable")
class RefresherTest {

  private static final Duration OFTEN = Duration.ofMillis(1);

  /** A failure that cannot say what it is, as one of a stack that has no end. */
  private static final class SilentError extends Error {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new StackOverflowError("as if");
    }
  }

  private static final class BrokenLog extends Handler {
    private final AtomicInteger calls = new AtomicInteger();

    @Override
    public void publish(LogRecord line) {
      calls.incrementAndGet();
      throw new IllegalStateException("the disk is full");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /** As of another language, which need not declare what it throws. */
  private static final class UndeclaringError extends Error {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw undeclared(new IOException("as if"));
    }
  }

  private static Map<Integer, String> load(AtomicInteger loads, Error failure) {
    int load = loads.getAndIncrement();
    if (load == 1) {
      throw failure;
    }
    return Map.of(1, "load:" + load);
  }

  @Test
  void shouldHaveNothingOfWhoeverOpensIt() {
    InheritableThreadLocal<String> user = new InheritableThreadLocal<>();
    AtomicReference<String> seen = new AtomicReference<>();
    Callable<Map<Integer, String>> load =
        () -> {
          seen.set(String.valueOf(user.get()));
          return Map.of();
        };
    user.set("somebody");
    try (Refresher refresher = new Refresher("test", load)) {
      refresher.start(OFTEN);
      await("a load", () -> seen.get() != null);
    } finally {
      user.remove();
    }
    assertThat(seen).hasValue("null");
  }

  private static Stream<Error> mute() {
    return Stream.of(new SilentError(), new UndeclaringError());
  }

  @ParameterizedTest
  @MethodSource("mute")
  void shouldGoOnAfterAFailureThatCannotSayWhatItIs(Error failure) {
    AtomicInteger loads = new AtomicInteger();
    try (Refresher refresher = new Refresher("test", () -> load(loads, failure))) {
      refresher.refresh();
      refresher.start(OFTEN);
      await("the next loads", () -> loads.get() > 3);
      assertThat(refresher.addresses().get(1)).isNotEqualTo("load:0");
    }
  }

  @Test
  void shouldGoOnWhenNothingCanBeLogged() {
    Logger logger = Logger.getLogger("org.ringwire.discovery");
    BrokenLog log = new BrokenLog();
    logger.addHandler(log);
    AtomicInteger loads = new AtomicInteger();
    try (Refresher refresher = new Refresher("test", () -> load(loads, new OutOfMemoryError()))) {
      refresher.refresh();
      refresher.start(OFTEN);
      await("the next loads", () -> loads.get() > 3);
      assertThat(log.calls).hasPositiveValue();
      assertThat(refresher.problem()).isNull();
    } finally {
      logger.removeHandler(log);
    }
  }
}
