package org.ringwire.infiniband.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.verbs.library.Errno;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.library.VerbsUnavailableException;
import org.ringwire.infiniband.verbs.types.AtomicSupport;
import org.ringwire.infiniband.verbs.types.DeviceAttributes;
import org.ringwire.infiniband.verbs.types.GidEntry;
import org.ringwire.infiniband.verbs.types.GidType;
import org.ringwire.infiniband.verbs.types.LinkLayer;
import org.ringwire.infiniband.verbs.types.Mtu;
import org.ringwire.infiniband.verbs.types.PortAttributes;
import org.ringwire.testing.NodeWatcher;

@Tag("rdma")
@Tag("rdma-slice")
@ExtendWith(NodeWatcher.class)
final class DeviceTest {

  @Test
  void shouldTellWhatADeviceCanDo() {
    assertThat(Devices.names()).contains("rxe0");
    try (Device device = Devices.open("rxe0")) {
      DeviceAttributes attributes = device.attributes();
      assertThat(attributes.ports()).isEqualTo(1);
      assertThat(attributes.maxQueuePairs()).isGreaterThan(100);
      assertThat(attributes.maxQueuePairRequests()).isGreaterThan(100);
      assertThat(attributes.maxRanges()).isGreaterThanOrEqualTo(8);
      assertThat(attributes.maxSharedReceiveRequests()).isGreaterThan(100);
      assertThat(attributes.atomics()).isNotEqualTo(AtomicSupport.NONE);
      assertThat(attributes.nodeGuid()).isNotZero();
    }
  }

  @Test
  void shouldTellTheStateOfAPort() throws Exception {
    try (Device device = Devices.open("")) {
      PortAttributes port = device.port(1);
      assertThat(port.isActive()).isTrue();
      assertThat(port.linkLayer()).isEqualTo(LinkLayer.ETHERNET);
      assertThat(port.activeMtu()).isEqualTo(Mtu.MTU_4096);
      assertThat(port.lid()).isZero();
      assertThat(device.pkey(1, 0)).isEqualTo(0xffff);
      assertThat(device.pkeyIndex(1, 0x7fff)).isZero();
      assertThatThrownBy(() -> device.pkeyIndex(1, 0x8001))
          .hasMessageContaining("not in the partition 8001");

      List<GidEntry> gids = device.gids(1);
      GidEntry entry = gids.stream().filter(each -> each.gid().isIpv4()).findFirst().orElseThrow();
      assertThat(entry.gid()).isEqualTo(device.gid(1, entry.index()));
      assertThat(entry.gid().address()).isEqualTo(InetAddress.getByName("10.99.0.1"));
      assertThat(entry.type()).isEqualTo(GidType.ROCE_V2);
      assertThat(entry.networkInterface()).isEqualTo("dummy0");
    }
  }

  @Test
  void shouldNameTheDevicesThereAre() {
    assertThatThrownBy(() -> Devices.open("mlx9_0"))
        .isInstanceOf(VerbsUnavailableException.class)
        .hasMessageContaining("no device mlx9_0")
        .hasMessageContaining("rxe0");
  }

  @Test
  void shouldNotCloseADeviceThatIsInUse() {
    Device device = Devices.open("");
    ProtectionDomain domain = device.allocateProtectionDomain();
    CompletionChannel channel = device.createCompletionChannel();
    CompletionQueue queue = device.createCompletionQueue(10, channel);
    assertThat(queue.entries()).isGreaterThanOrEqualTo(10);

    assertThatThrownBy(device::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("CompletionChannel=1, CompletionQueue=1, ProtectionDomain=1");

    queue.close();
    queue.close();
    channel.close();
    domain.close();
    device.close();
    device.close();
    assertThatThrownBy(() -> device.port(1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldSayWhyAQueueCannotBeMade() {
    try (Device device = Devices.open("")) {
      assertThatThrownBy(() -> device.createCompletionQueue(1 << 30, null))
          .isInstanceOfSatisfying(
              VerbsException.class,
              e -> {
                assertThat(e.verb()).isEqualTo("ibv_create_cq");
                assertThat(e.errno()).isEqualTo(Errno.EINVAL);
                assertThat(e).hasMessageContaining("EINVAL").hasMessageContaining("grants");
              });
    }
  }

  @Test
  void shouldHaveNoEventWhenNothingHappens() {
    try (Device device = Devices.open("")) {
      assertThat(device.takeAsyncEvent()).isNull();
    }
  }
}
