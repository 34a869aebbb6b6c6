package org.ringwire.transport.selector;

import java.io.IOException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.ringwire.IdleStrategy;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.support.TransportThreads;

/** Ends a loop that finds no heap to close its selector at first; whether it is closed then. */
public final class StarvedSelectorScenario implements BooleanSupplier {

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final TransportConfig CONFIG =
      new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, LIMIT);

  private static int attempts;

  /** For the loader. */
  public StarvedSelectorScenario() {}

  /** In the place of {@link Selector#close}. */
  public static void close(Selector selector) throws IOException {
    if (attempts++ == 0) {
      throw new OutOfMemoryError("on purpose");
    }
    selector.close();
  }

  @Override
  public boolean getAsBoolean() {
    SelectorLoop loop = SelectorLoop.start(CONFIG, "test", 0);
    Selector selector = loop.selector();
    loop.shutdown();
    boolean ended = TransportThreads.awaitEnd(loop.thread(), LIMIT.toNanos());
    return ended && !selector.isOpen();
  }
}
