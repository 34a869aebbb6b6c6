package org.ringwire.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
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

  private static Map<Integer, String> load(AtomicInteger loads, Error failure) {
    int load = loads.getAndIncrement();
    if (load == 1) {
      throw failure;
    }
    return Map.of(1, "load:" + load);
  }

  @Test
  void shouldGoOnAfterAFailureThatCannotSayWhatItIs() {
    AtomicInteger loads = new AtomicInteger();
    try (Refresher refresher = new Refresher("test", () -> load(loads, new SilentError()))) {
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
