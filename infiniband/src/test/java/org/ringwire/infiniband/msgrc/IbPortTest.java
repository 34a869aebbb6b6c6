package org.ringwire.infiniband.msgrc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Node;
import org.ringwire.infiniband.device.IbOptions;
import org.ringwire.infiniband.msgrc.IbNodes.Blob;
import org.ringwire.infiniband.verbs.Device;
import org.ringwire.infiniband.verbs.Devices;
import org.ringwire.infiniband.verbs.Gid;

/** What changes at the port of a node that is open. */
@Tag("rdma")
class IbPortTest {

  private static final String USUAL = "10.99.0.1";
  private static final String OTHER = "10.98.0.1";

  private final IbNodes nodes = new IbNodes();

  record Length(int bytes) {}

  @AfterEach
  void restore() throws Exception {
    nodes.close();
    System.clearProperty(IbOptions.PREFIX + "engine");
    address("del", OTHER);
    awaitGid(OTHER, false);
    address("add", USUAL);
    awaitGid(USUAL, true);
  }

  @ParameterizedTest
  @ValueSource(strings = {"msgrc", "msgud"})
  void shouldConnectOverTheAddressThatThePortHasNow(String engine) throws Exception {
    System.setProperty(IbOptions.PREFIX + "engine", engine);
    Node one = nodes.open(1);
    Node two = nodes.open(2);
    two.handle(Blob.class, (blob, exchange) -> exchange.reply(new Length(blob.bytes().length)));
    address("del", USUAL);
    awaitGid(USUAL, false);
    address("add", OTHER);
    awaitGid(OTHER, true);
    Length answer = one.request(2, Blob.of(1, 100), Length.class, Duration.ofSeconds(60));
    assertThat(answer.bytes()).isEqualTo(100);
  }

  private static void address(String change, String address) throws Exception {
    run("ip", "addr", change, address + "/24", "dev", "dummy0");
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  private static void awaitGid(String address, boolean there) {
    Gid gid = Gid.parse(address);
    try (Device device = Devices.open("rxe0")) {
      IbNodes.await(
          address + " there: " + there,
          () -> device.gids(1).stream().anyMatch(entry -> entry.gid().equals(gid)) == there);
    }
  }
}
