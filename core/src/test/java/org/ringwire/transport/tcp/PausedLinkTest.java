package org.ringwire.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.PatternSource;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.Threads;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/** Links whose handler has no room for a while. */
@ExtendWith(NodeWatcher.class)
class PausedLinkTest {

  private static final long LONG_NS = TestNodes.PATIENCE.toNanos();

  /** Reads nothing until it is told to. */
  private static class PausingHandler extends ProbeHandler {
    private final AtomicInteger asked = new AtomicInteger();
    volatile boolean hasRoom;

    @Override
    public @Nullable ByteBuffer destination() {
      asked.incrementAndGet();
      return hasRoom ? null : ByteBuffer.allocate(0);
    }
  }

  private final PausingHandler server = new PausingHandler();
  private final ProbeHandler client = new ProbeHandler();
  private final PatternSource source = new PatternSource(1, 1000);
  private final Queue<LinkHandler> handlers = new ConcurrentLinkedQueue<>();
  private @Nullable String address;
  private @Nullable Transport opener;

  private static Transport open(int nodeId) {
    return new TcpTransportProvider()
        .open(new TransportConfig(nodeId, 1, IdleStrategy.parking(), 1 << 20, TestNodes.PATIENCE));
  }

  private interface Body {
    void run(Link link) throws Exception;
  }

  /** Runs something when the link to the server has input, and is not read. */
  private void paused(Body body) throws Exception {
    try (source;
        Transport listening = open(1);
        Transport connecting = open(2)) {
      address = listening.listen("127.0.0.1:0", remote -> handlers.poll());
      opener = connecting;
      connect(server, client);
      source.offer(client.link(), 100);
      await("the handler was asked again", () -> server.asked.get() >= 2);
      turn();
      body.run(server.link());
    }
  }

  private void connect(ProbeHandler accepted, ProbeHandler opened) {
    handlers.add(accepted);
    Objects.requireNonNull(opener).connect(Objects.requireNonNull(address), opened);
  }

  /** Waits until the only thread of the listening transport has done what it had to do. */
  private void turn() {
    ProbeHandler accepted = new ProbeHandler();
    ProbeHandler opened = new ProbeHandler();
    connect(accepted, opened);
    accepted.link().close();
    assertThat(opened.cause()).isNull();
  }

  @Test
  void shouldNotLookAtALinkWhoseHandlerHasNoRoom() throws Exception {
    paused(link -> {
      turn();

      assertThat(server.asked).hasValue(2);
      assertThat(server.received()).isZero();
      server.hasRoom = true;
      link.resumeReading();
      server.awaitReceived(100);
    });
  }

  @Test
  void shouldReadALinkWhoseHandlerGetsRoomBeforeTheLinkHasPaused() throws Exception {
    PausingHandler fast =
        new PausingHandler() {
          @Override
          public @Nullable ByteBuffer destination() {
            ByteBuffer answer = super.destination();
            hasRoom = true;
            link().resumeReading();
            return answer;
          }
        };
    paused(link -> {
      ProbeHandler second = new ProbeHandler();
      connect(fast, second);
      try (PatternSource other = new PatternSource(1, 1000)) {
        other.offer(second.link(), 100);
        fast.awaitReceived(100);
      }
    });
  }

  @Test
  void shouldReadALinkAgainThatIsLedWhenItsHandlerHasRoom() throws Exception {
    paused(link -> {
      AtomicBoolean done = new AtomicBoolean();
      AtomicBoolean led = new AtomicBoolean();
      Threads threads = new Threads();
      server.hasRoom = true;
      threads.start(() -> led.set(link.lead(done::get, System.nanoTime() + LONG_NS)));
      server.awaitReceived(100);
      link.resumeReading(); // while somebody leads
      turn();
      done.set(true);
      link.wakeLeader();
      threads.join();

      assertThat(led).isTrue();
      source.offer(client.link(), 100);
      server.awaitReceived(200);
    });
  }
}
