package org.ringwire.infiniband.msgrc;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.device.IbOptions;
import org.ringwire.testing.Ignoring;
import org.ringwire.transport.Link;
import org.ringwire.transport.TransportConfig;

/** Two transports with the settings of the process, and a link between them. */
final class LinkedTransports implements AutoCloseable {

  /** Bytes of a ring. */
  static final int RING = 1 << 16;

  /** One end; what it hears of opening and ending. */
  static class End extends Ignoring {
    final CompletableFuture<Link> opened = new CompletableFuture<>();
    final CompletableFuture<String> closed = new CompletableFuture<>();

    @Override
    public void opened(Link link) {
      opened.complete(link);
    }

    @Override
    public void closed(@Nullable Throwable cause) {
      closed.complete(String.valueOf(cause));
    }
  }

  private final IbTransport one = open(1);
  private final IbTransport two = open(2);
  private final Link link;

  /** Opened at both ends. */
  LinkedTransports(End here, End there) throws Exception {
    two.connect(one.listen("127.0.0.1:0", _ -> here), there);
    Link _ = await(there.opened);
    link = await(here.opened);
  }

  private static IbTransport open(int id) {
    return IbTransport.open(
        new TransportConfig(id, 1, IdleStrategy.parking(), RING, Duration.ofSeconds(10)),
        IbOptions.of(System::getProperty));
  }

  /** Of the end that is here. */
  IbTransport transport() {
    return one;
  }

  /** Of the end that is here. */
  Link link() {
    return link;
  }

  static <T> T await(CompletableFuture<T> something) {
    return something.orTimeout(20, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    two.close();
    one.close();
  }
}
