package org.ringwire.infiniband.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.connect.Engine;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.ProjectFiles;

@ExtendWith(NodeWatcher.class)
class IbOptionsTest {

  private static IbOptions with(String name, String value) {
    return IbOptions.of(Map.of(IbOptions.PREFIX + name, value)::get);
  }

  @Test
  void shouldHaveDefaults() {
    IbOptions options = IbOptions.of(name -> null);
    assertThat(options.receiveRanges()).isEqualTo(8);
    assertThat(options.receiveLength()).isEqualTo(64 << 10);
    assertThat(options.unencrypted()).isFalse();
    assertThat(options.pkey()).isEqualTo(-1);
    assertThat(options.engine()).isEqualTo(Engine.MSGRC);
  }

  @Test
  void shouldReadSettings() {
    assertThat(with("device", " mlx5_0 ").device()).isEqualTo("mlx5_0");
    assertThat(with("engine", "msgud").engine()).isEqualTo(Engine.MSGUD);
    assertThat(with("pkey", "0x8001").pkey()).isEqualTo(0x8001);
    assertThat(with("unencrypted", "true").unencrypted()).isTrue();
    assertThat(with("sliceLength", "4096").receiveLength()).isEqualTo(8 * 4096);
  }

  @Test
  void shouldNameSettingThatIsWrong() {
    assertThatThrownBy(() -> with("retries", "8"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ringwire.ib.retries must be 0..7: value=8");
    assertThatThrownBy(() -> with("port", "one"))
        .hasMessage("ringwire.ib.port must be 1..255: value=one");
    assertThatThrownBy(() -> with("engine", "msgxx"))
        .hasMessage("ringwire.ib.engine must be msgrc or msgud: value=msgxx");
    assertThatThrownBy(() -> with("sendThread", "yes"))
        .hasMessage("ringwire.ib.sendThread must be true or false: value=yes");
  }

  @Test
  void shouldRefuseAnMtuThatNoPortHas() {
    assertThat(with("mtu", "0").mtu()).isZero();
    assertThat(with("mtu", "256").mtu()).isEqualTo(256);
    for (String mtu : List.of("1", "255")) {
      assertThatThrownBy(() -> with("mtu", mtu))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("ringwire.ib.mtu must be 0 or 256..4096: value=" + mtu);
    }
  }

  /** With the defaults, in the table of settings. */
  @Test
  void shouldBeDescribedEachByItsName() {
    String document = ProjectFiles.text("docs/infiniband.md");
    List<String> names =
        Arrays.stream(IbOptions.class.getRecordComponents())
            .map(RecordComponent::getName)
            .collect(Collectors.toCollection(ArrayList::new));
    names.removeIf(name -> document.lines().anyMatch(line -> isRowOf(name, line)));
    assertThat(names).isEmpty();
  }

  private static boolean isRowOf(String name, String line) {
    return line.matches("\\| [^|]*`" + name + "`[^|]*\\|.*");
  }
}
