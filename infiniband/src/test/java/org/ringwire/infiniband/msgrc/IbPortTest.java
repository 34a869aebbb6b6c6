package org.ringwire.infiniband.msgrc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Node;
import org.ringwire.NodeUnreachableException;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemory;
import org.ringwire.infiniband.RemoteMemoryException;
import org.ringwire.infiniband.RemoteRegion;
import org.ringwire.infiniband.device.IbOptions;
import org.ringwire.infiniband.msgrc.IbNodes.Blob;
import org.ringwire.infiniband.verbs.Device;
import org.ringwire.infiniband.verbs.Devices;
import org.ringwire.infiniband.verbs.types.Gid;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;

/** What changes at the port of a node that is open. */
@Tag("rdma")
@ExtendWith(NodeWatcher.class)
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
    changeAddress();
    Awaiting.await("answered", () -> isAnswered(one));
  }

  /** Not at once, while the device has not told both nodes yet. */
  private static boolean isAnswered(Node node) {
    try {
      Length answer = node.request(2, Blob.of(1, 100), Length.class, Duration.ofSeconds(30));
      return answer.bytes() == 100;
    } catch (NodeUnreachableException e) {
      return false;
    }
  }

  @Test
  void shouldUseMemoryOverTheAddressThatThePortHasNow() throws Exception {
    Node one = nodes.open(1);
    Node two = nodes.open(2);
    try (Arena arena = Arena.ofShared();
        RemoteMemory using = RemoteMemory.of(one);
        RemoteMemory owning = RemoteMemory.of(two);
        ExportedMemory memory = owning.export(arena.allocate(64), MemoryPermission.ATOMIC)) {
      changeAddress();
      RemoteRegion region = using.open(memory.descriptor());
      Awaiting.await("added", () -> isAdded(region));
      assertThat(memory.memory().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(7);
    }
  }

  private static boolean isAdded(RemoteRegion region) {
    try {
      return region.fetchAndAdd(0, 7, Duration.ofSeconds(30)) == 0;
    } catch (RemoteMemoryException e) {
      assertThat(e.reason()).isEqualTo(RemoteMemoryException.Reason.UNREACHABLE);
      return false;
    }
  }

  private static void changeAddress() throws Exception {
    address("del", USUAL);
    awaitGid(USUAL, false);
    address("add", OTHER);
    awaitGid(OTHER, true);
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
      Awaiting.await(
          address + " there: " + there,
          () -> device.gids(1).stream().anyMatch(entry -> entry.gid().equals(gid)) == there);
    }
  }
}
