package org.ringwire.infiniband.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.verbs.types.GidType;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
final class SysfsTest {

  @TempDir private Path root;

  @Test
  void shouldTellWhatIsThere() throws IOException {
    write("gids/0", "fe80:0000:0000:0000:0202:c9ff:fe01:0203\n");
    write("gids/1", "0000:0000:0000:0000:0000:0000:0000:0000\n");
    write("gid_attrs/types/0", "IB/RoCE v1\n");
    write("gid_attrs/types/2", "RoCE v2\n");
    write("gid_attrs/ndevs/0", "eth0\n");
    write("hw_counters/sent_pkts", "17\n");
    write("hw_counters/lifespan", "10\n");
    write("counters/port_xmit_data", "18446744073709551615\n");
    write("counters/odd", "N/A\n");

    Sysfs sysfs = new Sysfs(root, "mlx5_0", 1);
    assertThat(sysfs.isEmpty(0)).isFalse();
    assertThat(sysfs.isEmpty(1)).isTrue();
    assertThat(sysfs.gidType(0)).isEqualTo(GidType.INFINIBAND_OR_ROCE_V1);
    assertThat(sysfs.gidType(1)).isEqualTo(GidType.UNKNOWN);
    assertThat(sysfs.gidType(2)).isEqualTo(GidType.ROCE_V2);
    assertThat(sysfs.networkInterface(0)).isEqualTo("eth0");
    assertThat(sysfs.networkInterface(1)).isEmpty();
    assertThat(sysfs.counters())
        .isEqualTo(Map.of("sent_pkts", 17L, "lifespan", 10L, "port_xmit_data", -1L));
    assertThat(new Sysfs(root, "mlx5_1", 1).counters()).isEmpty();
  }

  private void write(String file, String content) throws IOException {
    Path path = root.resolve("mlx5_0/ports/1").resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, content);
  }
}
