package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.verbs.types.Gid;
import org.ringwire.infiniband.verbs.types.Mtu;
import org.ringwire.infiniband.verbs.types.Path;
import org.ringwire.infiniband.verbs.types.RetryOptions;
import org.ringwire.testing.NodeWatcher;

/** GIDs, MTUs and paths. */
@ExtendWith(NodeWatcher.class)
final class AddressesTest {

  @Test
  void shouldReadAndWriteGids() {
    Gid gid = Gid.parse("fe80:0000:0000:0000:0202:c9ff:fe01:0203");
    assertThat(gid).isEqualTo(new Gid(0xfe80000000000000L, 0x0202c9fffe010203L));
    assertThat(gid).hasToString("fe80:0000:0000:0000:0202:c9ff:fe01:0203");
    assertThat(Gid.parse("fe80::202:c9ff:fe01:203")).isEqualTo(gid);
    assertThat(gid.isIpv4()).isFalse();
    assertThat(gid.isZero()).isFalse();
    assertThat(new Gid(0, 0).isZero()).isTrue();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(20);
      gid.write(memory, 3);
      assertThat(memory.get(JAVA_BYTE, 3)).isEqualTo((byte) 0xfe);
      assertThat(Gid.read(memory, 3)).isEqualTo(gid);
    }
  }

  @Test
  void shouldMapIpv4Addresses() throws Exception {
    Gid gid = Gid.parse("0000:0000:0000:0000:0000:ffff:0a63:0001");
    assertThat(gid).isEqualTo(Gid.parse("10.99.0.1")).isEqualTo(new Gid(0, 0xffff0a630001L));
    assertThat(gid.isIpv4()).isTrue();
    assertThat(gid.address()).isEqualTo(InetAddress.getByName("10.99.0.1"));
    assertThat(Gid.parse("255.255.255.255").address())
        .isEqualTo(InetAddress.getByName("255.255.255.255"));
    assertThat(Gid.parse("2001:db8::1").address()).isEqualTo(InetAddress.getByName("2001:db8::1"));
    assertThatThrownBy(() -> Gid.parse("node1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not a GID: node1");
  }

  @Test
  void shouldKnowMtus() {
    assertThat(Mtu.MTU_4096.bytes()).isEqualTo(4096);
    assertThat(Mtu.ofBytes(4095)).isEqualTo(Mtu.MTU_2048);
    assertThat(Mtu.ofBytes(256)).isEqualTo(Mtu.MTU_256);
    assertThat(Mtu.ofBytes(9000)).isEqualTo(Mtu.MTU_4096);
    assertThat(Mtu.ofCode(5)).isEqualTo(Mtu.MTU_4096);
    assertThat(Mtu.ofCode(6)).isEqualTo(Mtu.MTU_256);
    assertThat(Mtu.ofCode(0)).isEqualTo(Mtu.MTU_256);
    assertThat(Mtu.min(Mtu.MTU_512, Mtu.MTU_1024)).isEqualTo(Mtu.MTU_512);
    assertThatThrownBy(() -> Mtu.ofBytes(255)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldCheckPaths() {
    assertThatThrownBy(() -> new Path(0, 0, Mtu.MTU_1024, 0, 0, 0, 64, 0, true))
        .hasMessage("port must be from 1 to 255: port=0");
    assertThatThrownBy(() -> new Path(1, 0, Mtu.MTU_1024, 16, 0, 0, 64, 0, true))
        .hasMessageContaining("serviceLevel");
    assertThatThrownBy(() -> new RetryOptions(14, 8, 7, 12, 1, 1)).hasMessageContaining("retries");
  }
}
