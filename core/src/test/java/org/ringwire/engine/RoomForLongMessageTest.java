package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;
import org.ringwire.engine.connection.PeerSession;
import org.ringwire.engine.services.Transports;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.ForwardingTransport;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;

/** To make room for a long message takes its time, in which a node reads nothing of its peers. */
@ExtendWith(NodeWatcher.class)
class RoomForLongMessageTest {

  /** Longer than what a pool keeps, so that room is made for each. */
  private static final int LENGTH = 60 << 20;

  private static final int MOST_MESSAGES = 30;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Bulk(byte[] bytes) {}

  private final AtomicInteger handled = new AtomicInteger();
  private volatile @Nullable Watched last;
  private boolean seen;

  /** A session that is asked where input should go, and is watched meanwhile. */
  private static final class Watched implements LinkHandler {

    private final PeerSession session;
    private volatile int calls; // odd while one makes room

    Watched(LinkHandler handler) {
      session = (PeerSession) handler;
    }

    boolean isSeenAtWork() {
      int call = calls;
      return (call & 1) != 0 && session.pulse().isInside() && calls == call;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // by the thread that reads
    public @Nullable ByteBuffer destination() {
      calls++;
      try {
        return session.destination();
      } finally {
        calls++;
      }
    }

    @Override
    public void opened(Link link) {
      session.opened(link);
    }

    @Override
    public void received(MemorySegment memory, long offset, long length) {
      session.received(memory, offset, length);
    }

    @Override
    public void receivedInDestination(int length) {
      session.receivedInDestination(length);
    }

    @Override
    public boolean hasRest() {
      return session.hasRest();
    }

    @Override
    public void handleRest() {
      session.handleRest();
    }

    @Override
    public void writable() {
      session.writable();
    }

    @Override
    public void closed(@Nullable Throwable cause) {
      session.closed(cause);
    }
  }

  private final class Watching extends ForwardingTransport {

    Watching(Transport real) {
      super(real);
    }

    @Override
    public String listen(String address, LinkAcceptor acceptor) throws IOException {
      return super.listen(
          address,
          remote -> {
            LinkHandler handler = acceptor.accept(remote);
            last = handler == null ? null : new Watched(handler);
            return last;
          });
    }
  }

  private boolean isHandled(int count) {
    Watched watched = last;
    seen |= watched != null && watched.isSeenAtWork();
    return handled.get() == count;
  }

  /** Else its timer takes what lies unread for silence, and gives up who has sent it. */
  @Test
  void shouldBeAtWorkOnInputWhileItMakesRoomForMore() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      nodes
          .open(
              2,
              settings -> settings,
              ForwardingTransport.provider(
                  "tcp", settings -> new Watching(Transports.named("tcp").open(settings))))
          .handle(Bulk.class, (bulk, exchange) -> handled.incrementAndGet());
      for (int sent = 1; sent <= MOST_MESSAGES && !seen; sent++) {
        one.send(2, new Bulk(new byte[LENGTH]));
        int count = sent;
        await("the message", () -> isHandled(count));
      }
      assertThat(seen).isTrue();
    }
  }
}
