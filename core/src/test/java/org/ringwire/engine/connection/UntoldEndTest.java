package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Node;
import org.ringwire.NodeUnreachableException;
import org.ringwire.SendStatus;
import org.ringwire.engine.TestNodes;
import org.ringwire.engine.services.Transports;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.ForwardingTransport;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;

/**
 * A transport has no heap to open a link, and for a while there is none to tell of that either: the
 * attempt ends all the same, and does not cost the thread that makes it.
 */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("the transport cannot connect")
class UntoldEndTest {

  private static final int TIMES = 5;

  private final TestNodes nodes = new TestNodes("tcp");
  private final AtomicInteger failures = new AtomicInteger(TIMES);
  private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
  private boolean looksUp;

  @AfterEach
  void close() {
    nodes.close();
  }

  /** Even its text cannot be had for want of heap, a few times. */
  private final class NoHeap extends OutOfMemoryError {

    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      if (failures.getAndDecrement() > 0) {
        throw new OutOfMemoryError("for the text");
      }
      return "no heap to connect";
    }
  }

  private final class WithoutHeap extends ForwardingTransport {

    WithoutHeap(Transport real) {
      super(real);
    }

    @Override
    public boolean mayLookUp(String address) {
      return looksUp;
    }

    @Override
    public void connect(String address, LinkHandler handler) {
      Thread.currentThread().setUncaughtExceptionHandler((_, e) -> thrown.add(e));
      if (failures.get() > 0) {
        throw new NoHeap();
      }
      super.connect(address, handler);
    }
  }

  record Tell(long number) {}

  record Ask(long number) {}

  private Node openOne(boolean byAnotherThread) {
    looksUp = byAnotherThread;
    return nodes.open(
        1,
        settings -> settings.connectTimeout(PATIENCE.multipliedBy(10)),
        ForwardingTransport.provider(
            "tcp", settings -> new WithoutHeap(Transports.named("tcp").open(settings))));
  }

  private boolean isAccepted(Node node) {
    try {
      return node.trySend(2, new Tell(1)) == SendStatus.ACCEPTED;
    } catch (OutOfMemoryError e) {
      thrown.add(e);
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldEndTheAttempt(boolean byAnotherThread) {
    Node one = openOne(byAnotherThread);
    Node two = nodes.open(2);
    two.handle(Tell.class, (tell, exchange) -> {});
    two.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
    await("the end of the attempt", () -> isAccepted(one));
    assertThat(one.request(2, new Ask(3), Ask.class, PATIENCE)).isEqualTo(new Ask(3));
    assertThat(failures.get()).isNotPositive();
    assertThat(thrown).isEmpty();
  }

  /** Who asks who is at an address hears of it before the time for that is over. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldEndTheInquiry(boolean byAnotherThread) {
    Node one = openOne(byAnotherThread);
    String address = String.valueOf(nodes.open(2).address());
    assertThatThrownBy(() -> one.connect(address, PATIENCE.multipliedBy(10)))
        .isInstanceOf(NodeUnreachableException.class)
        .hasMessageContaining("no heap to connect");
    assertThat(thrown).isEmpty();
    assertThat(one.connect(address, PATIENCE)).isEqualTo(2);
  }
}
