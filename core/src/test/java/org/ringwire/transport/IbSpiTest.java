package org.ringwire.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Links over InfiniBand, where there is a device. */
@Tag("rdma")
class IbSpiTest extends TransportSpiTest {

  @Override
  protected TransportProvider provider() {
    return IbNodes.provider();
  }

  @Override
  protected String freeAddress() {
    return "127.0.0.1:0";
  }

  /** A soft device takes milliseconds to destroy a queue pair, and a close takes four seconds. */
  @Override
  protected int stormConnects() {
    return 40;
  }

  @Override
  protected String deadAddress() {
    return "127.0.0.1:1";
  }

  /**
   * The connection over TCP ends while the handler is told that the link is open. Nobody can see
   * when that has arrived, so the handler takes its time; with too little of it the test would pass
   * for another reason, and never fail for it.
   */
  @Test
  void shouldEndInOrderWhenThePeerClosesWhileTheLinkOpens() throws IOException {
    ProbeHandler server = new ProbeHandler();
    ProbeHandler client =
        new ProbeHandler() {
          @Override
          public void opened(Link link) {
            super.opened(link);
            server.link().close();
            assertThat(server.cause()).isNull();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
          }
        };
    Transport listening = open(1);
    String address = listening.listen(freeAddress(), accepting(server));
    open(2).connect(address, client);
    assertThat(client.cause()).isNull();
  }
}
