package org.ringwire.infiniband.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.MessagingException;
import org.ringwire.infiniband.verbs.types.Gid;
import org.ringwire.infiniband.verbs.types.GidEntry;
import org.ringwire.infiniband.verbs.types.GidType;
import org.ringwire.infiniband.verbs.types.LinkLayer;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class GidChoiceTest {

  private static final List<GidEntry> ROCE =
      List.of(
          entry(0, "fe80::1", GidType.INFINIBAND_OR_ROCE_V1),
          entry(1, "fe80::1", GidType.ROCE_V2),
          entry(2, "::ffff:10.99.0.1", GidType.INFINIBAND_OR_ROCE_V1),
          entry(3, "::ffff:10.99.0.1", GidType.ROCE_V2),
          entry(4, "::ffff:10.99.0.2", GidType.ROCE_V2));

  private static GidEntry entry(int index, String gid, GidType type) {
    return new GidEntry(index, Gid.parse(gid), type, "eth0");
  }

  private static int choose(List<GidEntry> entries, String wanted) {
    return GidChoice.of(entries, wanted, LinkLayer.ETHERNET).index();
  }

  @Test
  void shouldPreferRoutableWithIpv4() {
    assertThat(choose(ROCE, "")).isEqualTo(3);
    assertThat(choose(ROCE.subList(0, 2), "")).isEqualTo(1);
    assertThat(choose(ROCE.subList(0, 1), "")).isZero();
  }

  /** The address of the link comes first in the table, and no router takes it to another. */
  @Test
  void shouldPreferAddressesThatRoutersKnow() {
    List<GidEntry> entries =
        List.of(
            entry(0, "fe80::1", GidType.INFINIBAND_OR_ROCE_V1),
            entry(1, "fe80::1", GidType.ROCE_V2),
            entry(2, "2001:db8::1", GidType.INFINIBAND_OR_ROCE_V1),
            entry(3, "2001:db8::1", GidType.ROCE_V2),
            entry(4, "2001:db8::2", GidType.ROCE_V2));
    assertThat(choose(entries, "")).isEqualTo(3);
  }

  @Test
  void shouldTakeTheOneAskedFor() {
    assertThat(choose(ROCE, "2")).isEqualTo(2);
    assertThat(choose(ROCE, "10.99.0.2")).isEqualTo(4);
    assertThat(choose(ROCE, "10.99.0.1")).isEqualTo(3);
    assertThat(choose(ROCE, "fe80::1")).isEqualTo(1);
  }

  /** The system fills places that have become free: which of the two comes first is not fixed. */
  @Test
  void shouldTakeTheBestOfThoseThatHaveTheAddressAskedFor() {
    List<GidEntry> entries =
        List.of(
            entry(2, "::ffff:10.99.0.1", GidType.ROCE_V2),
            entry(3, "::ffff:10.99.0.1", GidType.INFINIBAND_OR_ROCE_V1));
    assertThat(choose(entries, "10.99.0.1")).isEqualTo(2);
    assertThat(choose(entries, "3")).isEqualTo(3);
  }

  @Test
  void shouldNameThoseThatThereAre() {
    assertThatThrownBy(() -> choose(ROCE, "10.0.0.1"))
        .isInstanceOf(MessagingException.class)
        .hasMessageContaining("ringwire.ib.gid=10.0.0.1")
        .hasMessageContaining("4=10.99.0.2");
    assertThatThrownBy(() -> choose(List.of(), ""))
        .isInstanceOf(MessagingException.class)
        .hasMessageContaining("give its network interface an address");
  }

  @Test
  void shouldDoWithoutOnInfiniBand() {
    assertThat(GidChoice.of(List.of(), "", LinkLayer.INFINIBAND).index()).isZero();
  }
}
