package org.ringwire.tools.bench.scale;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.ringwire.Dispatch;
import org.ringwire.Exchange;
import org.ringwire.Node;

/** The real peer that the node under measurement is busy with: handles notes, answers questions. */
final class Answering implements AutoCloseable {

  private static final long QUIET_NS = 5_000_000_000L;
  private static final long POLL_NS = 50_000;

  private final Node node;
  private final AtomicLong handled = new AtomicLong(); // written by the reading thread

  Answering(ScaleSpec spec) {
    node = Nodes.open(ScaleSpec.BUSY, spec, Nodes.nobody());
    node.handle(
        Messages.Note.class,
        Dispatch.INLINE,
        (note, exchange) -> handled.lazySet(handled.getPlain() + 1));
    node.handle(
        Messages.Question.class,
        Dispatch.INLINE,
        (question, exchange) -> exchange.reply(new Messages.Answer(question.number())));
    node.handle(Messages.Handled.class, Dispatch.BLOCKING, this::awaitHandled);
  }

  String address() {
    return Objects.requireNonNull(node.address(), "it listens");
  }

  private void awaitHandled(Messages.Handled request, Exchange exchange) {
    long seen = handled.get();
    long seenNs = System.nanoTime();
    while (seen < request.count() && System.nanoTime() - seenNs < QUIET_NS) {
      LockSupport.parkNanos(POLL_NS);
      long now = handled.get();
      if (now != seen) {
        seen = now;
        seenNs = System.nanoTime();
      }
    }
    exchange.reply(new Messages.Answer(seen));
  }

  @Override
  public void close() {
    node.close(Duration.ofSeconds(1));
  }
}
