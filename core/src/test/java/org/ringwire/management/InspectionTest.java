package org.ringwire.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.lang.management.ManagementFactory;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeMetrics;
import org.ringwire.RemoteHandlerException;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/** Nodes are looked at by peers and by JMX, where they allow it. */
@ExtendWith(NodeWatcher.class)
class InspectionTest {

  record Ask(long number) {}

  private final TestNodes nodes = new TestNodes("tcp");

  @AfterEach
  void end() {
    nodes.close();
  }

  private static boolean isCounted(Node node, long messages) {
    NodeMetrics metrics = node.metrics();
    return metrics.messagesReceived() == messages && metrics.messagesHandled() == messages;
  }

  @Test
  void shouldAnswerPeersWithWhatTheNodeSaysOfItself() {
    Node one = nodes.open(1, NodeConfig.Builder::inspectable);
    one.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
    Node two = nodes.open(2);
    for (int count = 0; count < 5; count++) {
      two.request(1, new Ask(count), Ask.class, PATIENCE);
    }
    await("all are counted", () -> isCounted(one, 5)); // after their answers
    NodeMetrics seen = two.request(1, new Inspect(true), NodeMetrics.class, PATIENCE);
    assertThat(seen.nodeId()).isEqualTo(1);
    assertThat(seen.messagesHandled()).isEqualTo(5);
    assertThat(seen.connections()).hasSize(1);
    assertThat(seen.connections().getFirst().nodeId()).isEqualTo(2);
    assertThat(seen.memory().windowBudget()).isEqualTo(1L << 30);
    NodeMetrics brief = two.request(1, new Inspect(false), NodeMetrics.class, PATIENCE);
    assertThat(brief.connections()).isEmpty();
    assertThat(brief.ageNs()).isGreaterThan(seen.ageNs());
  }

  @Test
  void shouldAnswerNobodyUnlessAllowed() {
    nodes.open(1);
    Node two = nodes.open(2);
    assertThatThrownBy(() -> two.request(1, new Inspect(true), NodeMetrics.class, PATIENCE))
        .isInstanceOf(RemoteHandlerException.class)
        .hasMessageContaining("no handler");
  }

  @Test
  void shouldShowANodeInTheMBeanServerWhileRegistered() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    Node one = nodes.open(31);
    one.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
    Node two = nodes.open(2);
    two.request(31, new Ask(1), Ask.class, PATIENCE);
    await("it is counted", () -> isCounted(one, 1)); // after its answer
    ObjectName name;
    try (NodeManagement management = NodeManagement.register(one)) {
      name = new ObjectName(management.name());
      assertThat(management.name()).isEqualTo("org.ringwire:type=Node,id=31");
      NodeMetrics seen = JMX.newMXBeanProxy(server, name, NodeMXBean.class).getMetrics();
      assertThat(seen.messagesHandled()).isEqualTo(1);
      assertThat(seen.connections()).hasSize(1);
      CompositeData data = (CompositeData) server.getAttribute(name, "Metrics");
      assertThat(data.get("messagesReceived")).isEqualTo(1L);
      assertThatThrownBy(() -> NodeManagement.register(one))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("nodeId=31");
    }
    assertThat(server.isRegistered(name)).isFalse();
  }

  @Test
  void shouldLeaveTheNextLifeOfANodeInTheServerWhenTheFirstIsTakenOutTwice() {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    Node first = nodes.open(1);
    NodeManagement old = NodeManagement.register(first);
    old.close();
    first.close();
    try (NodeManagement next = NodeManagement.register(nodes.open(1))) {
      old.close();
      assertThat(server.queryNames(null, null))
          .extracting(ObjectName::toString)
          .contains(next.name());
    }
    assertThat(server.queryNames(null, null))
        .extracting(ObjectName::toString)
        .doesNotContain(old.name());
  }

  /** A process of its own, with few modules. */
  static final class Program {

    private Program() {}

    public static void main(String... args) {
      try (TestNodes nodes = new TestNodes("loopback")) {
        NodeManagement.register(nodes.open(1));
      } catch (IllegalStateException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @Test
  void shouldSayWhichModuleOfTheJdkIsMissing() throws Exception {
    assertThat(JavaProgram.run(Program.class, "--limit-modules", "java.base").lines())
        .containsExactly(
            "JMX needs the module java.management: add \"requires java.management;\" to the"
                + " application's module, or --add-modules java.management");
  }
}
