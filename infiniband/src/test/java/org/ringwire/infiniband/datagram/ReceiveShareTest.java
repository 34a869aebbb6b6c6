package org.ringwire.infiniband.datagram;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class ReceiveShareTest {

  private static final long EPOCH_NS = 10_000_000;

  @Test
  void shouldDivideRequestsAmongThoseThatSend() {
    ReceiveShare share = new ReceiveShare(1600);
    long[] seen = new long[200];
    long nowNs = 0;
    share.advance(nowNs);
    assertThat(share.window()).isEqualTo(256);
    for (int round = 0; round < 3; round++) {
      for (int link = 0; link < 100; link++) {
        seen[link] = share.count(seen[link]);
        seen[link] = share.count(seen[link]); // once per time
      }
      assertThat(share.window()).isEqualTo(16);
      nowNs += EPOCH_NS;
      share.advance(nowNs);
    }
    for (int link = 0; link < 200; link++) {
      seen[link] = share.count(seen[link]);
    }
    assertThat(share.window()).as("never less").isEqualTo(8);
    share.advance(nowNs + EPOCH_NS);
    share.advance(nowNs + 2 * EPOCH_NS);
    assertThat(share.window()).as("nobody sends").isEqualTo(256);
  }
}
