package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.engine.services.Transports;
import org.ringwire.transport.ForwardingTransport;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;

/** TCP that hears nothing of some addresses, as of a machine that is gone. */
final class DeafTransport extends ForwardingTransport {

  /** What they begin with. */
  static final String SILENT = "silent:1";

  /** Tells when its link has ended. */
  private record Late(LinkHandler real, CountDownLatch closed) implements LinkHandler {

    @Override
    public void opened(Link link) {
      real.opened(link);
    }

    @Override
    public void received(MemorySegment memory, long offset, long length) {
      real.received(memory, offset, length);
    }

    @Override
    public @Nullable ByteBuffer destination() {
      return real.destination();
    }

    @Override
    public void receivedInDestination(int length) {
      real.receivedInDestination(length);
    }

    @Override
    public void writable() {
      real.writable();
    }

    @Override
    public void closed(@Nullable Throwable cause) {
      real.closed(cause);
      closed.countDown();
    }
  }

  private final Queue<LinkHandler> waiting;

  private DeafTransport(Transport real, Queue<LinkHandler> waiting) {
    super(real);
    this.waiting = waiting;
  }

  /**
   * Of such transports.
   *
   * @param waiting takes who waits for a link to such an address
   */
  static TransportProvider provider(Queue<LinkHandler> waiting) {
    return ForwardingTransport.provider(
        "tcp", settings -> new DeafTransport(Transports.named("tcp").open(settings), waiting));
  }

  @Override
  public void connect(String address, LinkHandler handler) {
    if (address.startsWith(SILENT)) {
      waiting.add(handler);
    } else {
      super.connect(address, handler);
    }
  }

  @Override
  public void close() {
    waiting.forEach(handler -> handler.closed(null));
    super.close();
  }

  /** A link comes after all, which leads to a node, and must be closed at once. */
  static void comeLate(LinkHandler handler, Node there) throws InterruptedException {
    CountDownLatch closed = new CountDownLatch(1);
    TransportConfig settings =
        new TransportConfig(1, 1, NodeConfig.builder(1).build().idleStrategy(), 1 << 16, PATIENCE);
    try (Transport transport = Transports.named("tcp").open(settings)) {
      transport.connect(String.valueOf(there.address()), new Late(handler, closed));
      assertThat(closed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }
}
