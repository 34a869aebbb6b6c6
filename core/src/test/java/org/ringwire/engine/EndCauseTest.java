package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.SendStatus;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Tap;
import org.ringwire.transport.TappedTransport;
import org.ringwire.transport.TransportProvider;
import org.ringwire.transport.loopback.LoopbackTransportProvider;
import org.ringwire.transport.shm.ShmTransportProvider;
import org.ringwire.transport.tcp.TcpTransportProvider;

/**
 * A thread that writes to a link may be the first to hear of its end, and is told no more than that
 * it is closed; what is said of the end is why.
 */
@ExtendWith(NodeWatcher.class)
class EndCauseTest {

  record Ask(long number) {}

  /** A link of node 1, to which that writes between its end and the word of it. */
  private static final class WrittenLast extends Tap {

    private volatile @Nullable Node sender;
    private volatile boolean fails;

    @Override
    public void received(MemorySegment memory, long offset, long length) {
      if (fails) {
        throw new IllegalStateException("not to be read");
      }
      super.received(memory, offset, length);
    }

    @Override
    public void closed(@Nullable Throwable cause) {
      Node node = sender;
      sender = null;
      if (node != null) {
        assertThat(node.trySend(2, new Ask(2))).isEqualTo(SendStatus.ACCEPTED);
      }
      super.closed(cause);
    }
  }

  private final WrittenLast link = new WrittenLast();
  private final Tap ofPeer = new Tap() {};
  private final Queue<LossReport> lost = new ConcurrentLinkedQueue<>();

  static Stream<TransportProvider> transports() {
    return Stream.of(
        new TcpTransportProvider(), new ShmTransportProvider(), new LoopbackTransportProvider());
  }

  @ParameterizedTest
  @MethodSource("transports")
  void shouldBeThePeerThatHasClosedTheLink(TransportProvider transport) {
    assertThat(end(transport, ofPeer::close)).isEqualTo("the peer closed the link");
  }

  @ParameterizedTest
  @MethodSource("transports")
  void shouldBeWhatHasFailedWhereTheLinkIsRead(TransportProvider transport) {
    assertThat(
            end(
                transport,
                () -> {
                  Node one = Objects.requireNonNull(link.sender);
                  link.fails = true;
                  var _ = one.requestAsync(2, new Ask(3), Ask.class, PATIENCE); // for its credit
                }))
        .contains("not to be read");
  }

  /** What node 1 is told of a connection that ends in this way. */
  private String end(TransportProvider transport, Runnable way) {
    Queue<Tap> taps = new ConcurrentLinkedQueue<>();
    taps.add(link);
    Queue<Tap> tapsOfPeer = new ConcurrentLinkedQueue<>();
    tapsOfPeer.add(ofPeer);
    try (TestNodes nodes = new TestNodes(transport.name())) {
      Node one =
          nodes.open(
              1,
              settings -> settings.listener(new Losses(lost)),
              TappedTransport.provider(transport, () -> next(taps)));
      Node two =
          nodes.open(
              2, settings -> settings, TappedTransport.provider(transport, () -> next(tapsOfPeer)));
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      assertThat(one.request(2, new Ask(1), Ask.class, PATIENCE)).isEqualTo(new Ask(1));
      link.sender = one;
      way.run();
      await("the end", () -> !lost.isEmpty());
      return lost.element().cause();
    }
  }

  private static Tap next(Queue<Tap> taps) {
    Tap next = taps.poll();
    return next == null ? new Tap() {} : next;
  }
}
