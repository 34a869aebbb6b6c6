package org.ringwire.infiniband.transport;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.infiniband.device.IbOptions;
import org.ringwire.testing.NodeWatcher;

/** Where there is no device of that name, as on every machine. */
@Tag("rdma-classes")
@ExtendWith(NodeWatcher.class)
class MissingDeviceTest {

  private static final AtomicInteger NAMES = new AtomicInteger();

  @Test
  void shouldSayWhatIsMissing() {
    String property = IbOptions.PREFIX + "device";
    System.setProperty(property, "none" + NAMES.incrementAndGet());
    try {
      assertThatThrownBy(() -> Node.open(NodeConfig.builder(1).transport("ib").build()))
          .isInstanceOf(MessagingException.class)
          .hasMessageMatching("(?s).*(libibverbs|device).*");
    } finally {
      System.clearProperty(property);
    }
  }
}
