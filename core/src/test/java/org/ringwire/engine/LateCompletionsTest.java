package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.SendStatus;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.Tap;
import org.ringwire.transport.TappedTransport;
import org.ringwire.transport.tcp.TcpTransportProvider;

/**
 * A medium that goes on reading what it has taken, and says when it is done with it if it is asked.
 */
@ExtendWith(NodeWatcher.class)
class LateCompletionsTest {

  private static final int LENGTH = 16 << 10;
  private static final long QUIET_NS = 1_000_000;
  private static final int ROUNDS = 14; // restarts come every few messages: some are met
  private static final int MANY = 8;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Block(byte[] bytes) {}

  /** Completes all but the last bytes with the next write, or nothing until it is asked. */
  private static final class Late extends Tap implements OutboundSource {
    private final AtomicInteger asked = new AtomicInteger();
    private OutboundSource source; // guarded by this, as the next
    private long uncompleted;
    private volatile boolean withholds;

    @Override
    public boolean completesLate() {
      return true;
    }

    @Override
    public void tellOfCompletions() {
      asked.incrementAndGet();
      complete();
      handler().writable();
    }

    private synchronized void complete() {
      long bytes = uncompleted;
      uncompleted = 0;
      if (bytes > 0) {
        source.completed(bytes);
      }
    }

    @Override
    public synchronized boolean write(OutboundSource written) throws IOException {
      if (!withholds) {
        complete();
      }
      source = written;
      return super.write(this);
    }

    @Override
    public long next(OutboundRanges ranges) {
      return source.next(ranges);
    }

    @Override
    public void sent(long bytes) {
      source.sent(bytes);
    }

    @Override
    public synchronized void completed(long bytes) {
      uncompleted += bytes;
    }
  }

  private final TestNodes nodes = new TestNodes("tcp");
  private final AtomicInteger received = new AtomicInteger();
  private final Late late = new Late();
  private int sent;

  @AfterEach
  void end() {
    nodes.close();
  }

  /** What a sender does until there is room. */
  enum Way {
    SEND,
    WHEN_WRITABLE,
    TRY_AGAIN
  }

  private void send(Node sender, Way way) throws Exception {
    Block block = new Block(new byte[LENGTH]);
    switch (way) {
      case SEND -> sender.send(1, block);
      case WHEN_WRITABLE -> {
        while (sender.trySend(1, block) != SendStatus.ACCEPTED) {
          sender.whenWritable(1).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
      }
      case TRY_AGAIN -> await("room", () -> sender.trySend(1, block) == SendStatus.ACCEPTED);
    }
    sent++;
  }

  /** One at a time, the ring soon restarts ahead of completions; then come many. */
  @ParameterizedTest
  @EnumSource
  void shouldAskForCompletionsBeforeItWaitsForRoom(Way way) throws Exception {
    Node receiver = nodes.open(1);
    receiver.handle(Block.class, Dispatch.INLINE, (block, exchange) -> received.incrementAndGet());
    Node sender =
        nodes.added(
            MessagingNode.open(
                nodes.builder(2).ringCapacity(1 << 20).build(),
                1,
                TappedTransport.provider(new TcpTransportProvider(), () -> late)));
    for (int round = 1; round < ROUNDS; round++) {
      late.withholds = false;
      for (int number = 0; number < round; number++) {
        send(sender, way);
        LockSupport.parkNanos(QUIET_NS);
      }
      late.withholds = true;
      for (int number = 0; number < MANY; number++) {
        send(sender, way);
      }
      await("all of them", () -> received.get() == sent);
    }
    assertThat(late.asked).hasPositiveValue();
  }
}
