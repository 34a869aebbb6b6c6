package org.ringwire.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.loopback.LoopbackTransportProvider;
import org.ringwire.transport.tcp.TcpTransportProvider;

@ExtendWith(NodeWatcher.class)
class FaultyLinkTest {

  @SuppressWarnings("ImmutableEnumChecker") // providers hold no state
  enum Medium {
    TCP(new TcpTransportProvider(), "127.0.0.1:0"),
    LOOPBACK(new LoopbackTransportProvider(), "faulty");

    private final TransportProvider provider;
    private final String address;

    Medium(TransportProvider provider, String address) {
      this.provider = provider;
      this.address = address;
    }

    TransportProvider provider() {
      return provider;
    }

    /** Where a node listens. */
    String address(int nodeId) {
      return this == TCP ? address : address + nodeId;
    }
  }

  private static Transport open(Medium medium, int nodeId, Faults faults) {
    return FaultyTransport.provider(medium.provider, faults)
        .open(
            new TransportConfig(
                nodeId, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(30)));
  }

  private static void transfer(Medium medium, Faults faults, int rangeLength, long bytes)
      throws IOException {
    try (PatternSource source = new PatternSource(3, rangeLength);
        Transport listening = open(medium, 1, faults);
        Transport connecting = open(medium, 2, faults)) {
      ProbeHandler server = new ProbeHandler();
      ProbeHandler client =
          new ProbeHandler() {
            @Override
            protected void resume() {
              source.resume(link());
            }
          };
      String address = listening.listen(medium.address, remote -> server);
      connecting.connect(address, client);
      source.offer(client.link(), bytes);
      source.awaitSent();
      server.awaitReceived(bytes);
      client.check();
    }
  }

  @ParameterizedTest
  @EnumSource(Medium.class)
  void shouldCarryBytesWithShortWritesOfEveryLength(Medium medium) throws IOException {
    for (int length = 1; length <= 70; length++) {
      transfer(medium, Faults.NONE.withMaxWrite(length), 23, 1000);
    }
  }

  @ParameterizedTest
  @EnumSource(Medium.class)
  void shouldCarryBytesWithShortReadsOfEveryLength(Medium medium) throws IOException {
    for (int length = 1; length <= 70; length++) {
      transfer(medium, Faults.NONE.withMaxRead(length), 23, 1000);
    }
  }

  @Test
  void shouldCarryBytesThatAreLate() throws IOException {
    transfer(Medium.TCP, Faults.NONE.withMaxRead(100).withDelay(100_000), 1000, 20_000);
  }

  @ParameterizedTest
  @EnumSource(Medium.class)
  void shouldEndBothSidesWhenLinkIsCut(Medium medium) throws IOException {
    try (PatternSource source = new PatternSource(1, 100);
        Transport listening = open(medium, 1, Faults.NONE.withDropAfter(1000));
        Transport connecting = open(medium, 2, Faults.NONE)) {
      ProbeHandler server = new ProbeHandler();
      ProbeHandler client = new ProbeHandler();
      connecting.connect(listening.listen(medium.address, remote -> server), client);
      Link link = client.link();
      try {
        source.offer(link, 1_000_000);
      } catch (IOException e) {
        assertThat(e).isNotNull(); // the link may break while it is written to
      }
      assertThat(server.cause()).hasMessageContaining("cut, on purpose");
      client.cause();
      assertThat(server.received()).isLessThanOrEqualTo(1000);
    }
  }
}
