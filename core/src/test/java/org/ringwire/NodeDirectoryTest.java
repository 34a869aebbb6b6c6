package org.ringwire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** Directories that a program fills by itself. */
@ExtendWith(NodeWatcher.class)
class NodeDirectoryTest {

  @Test
  void shouldNameTheNodeWhoseAddressIsNotThere() {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    Map<Integer, String> addresses = new HashMap<>(Map.of(1, "127.0.0.1:7401"));
    addresses.put(7, null);
    try (Node node = Node.open(NodeConfig.builder(7).build())) { // does not listen
      assertThatNullPointerException()
          .isThrownBy(() -> directory.put(7, node.address()))
          .withMessage("address of node 7 must not be null");
    }
    assertThatNullPointerException()
        .isThrownBy(() -> NodeDirectory.of(addresses))
        .withMessage("address of node 7 must not be null");
  }

  @Test
  void shouldNotFollowTheMapThatItWasMadeOf() {
    Map<Integer, String> addresses = new HashMap<>(Map.of(1, "127.0.0.1:7401"));
    NodeDirectory directory = NodeDirectory.of(addresses);
    addresses.put(2, "127.0.0.1:7402");
    assertThat(directory.address(1)).isEqualTo("127.0.0.1:7401");
    assertThat(directory.address(2)).isNull();
  }
}
