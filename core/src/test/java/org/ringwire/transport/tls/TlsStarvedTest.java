package org.ringwire.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.transport.tls.TlsTransports.TCP;
import static org.ringwire.transport.tls.TlsTransports.listen;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.Tap;
import org.ringwire.transport.TappedTransport;

/** Links that end while there is no memory to say farewell, or even for the link. */
@ExtendWith(NodeWatcher.class)
class TlsStarvedTest {

  @TempDir private Path folder;

  private final AtomicBoolean starved = new AtomicBoolean();
  private final AtomicInteger closes = new AtomicInteger();

  private final class StarvedMedium extends Tap {

    @Override
    public boolean write(OutboundSource source) throws IOException {
      if (starved.get()) {
        throw new OutOfMemoryError("as if");
      }
      return super.write(source);
    }

    @Override
    public void close() {
      if (closes.getAndIncrement() == 0) {
        throw new OutOfMemoryError("as if");
      }
      super.close();
    }
  }

  @Test
  void shouldEndWithoutAFarewellForWhichThereIsNoMemory() throws IOException {
    try (TlsTransports transports = new TlsTransports(folder)) {
      ProbeHandler server = new ProbeHandler();
      ProbeHandler client = new ProbeHandler();
      String address = listen(transports.open(1), server);
      transports
          .open(2, TappedTransport.provider(TCP, StarvedMedium::new))
          .connect(address, client);
      server.link();
      starved.set(true);
      close(client);
      close(client); // as a node does that takes up what came no further

      assertThat(client.cause()).isInstanceOf(OutOfMemoryError.class);
      assertThat(server.cause()).hasMessageContaining("without close_notify");
    }
  }

  /** The node counts a handshake from when it accepts until it hears of the end. */
  @Test
  void shouldTellTheHandlerThatAnAcceptedLinkCannotBeMade() {
    ProbeHandler handler = new ProbeHandler();
    assertThatThrownBy(() -> TlsTransport.accepted(null, handler))
        .isInstanceOf(NullPointerException.class); // as it is for want of heap
    assertThat(handler.cause()).isInstanceOf(NullPointerException.class);
  }

  private static void close(ProbeHandler handler) {
    try {
      handler.link().close();
    } catch (OutOfMemoryError e) {
      // is told of what it was not able to do
    }
  }
}
