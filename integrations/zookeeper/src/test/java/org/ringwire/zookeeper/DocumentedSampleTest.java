package org.ringwire.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.ringwire.Handler;
import org.ringwire.Node;
import org.ringwire.NodeConfig;

/** What docs/discovery.md shows must compile, run, and be this. */
class DocumentedSampleTest {

  record Order(long id) {}

  @Test
  void shouldRunWhatTheDocumentShows() throws Exception {
    try (TestingServer server = new TestingServer(true)) {
      Duration timeout = Duration.ofSeconds(60);
      String servers = server.getConnectString();
      NodeConfig.Builder config = NodeConfig.builder(7).listen("127.0.0.1:0");
      Handler<Order> orders = (order, exchange) -> {};
      // SAMPLE
      CuratorFramework client = CuratorFrameworkFactory.newClient(servers, new RetryForever(1000));
      client.start();
      ZooKeeperDirectory directory =
          ZooKeeperDirectory.open(client, "/ringwire/production", timeout);
      Node node =
          Node.open(
              config.peers(directory).build(),
              it -> it.handle(Order.class, orders)); // all handlers: who finds it may send at once
      Registration registration = directory.register(7, node.address(), timeout);
      // SAMPLE
      try (client;
          directory;
          node;
          registration) {
        await("node 7", () -> Objects.equals(directory.address(7), node.address()));
      }
    }
  }

  @Test
  void shouldBeWhatTheDocumentShows() throws IOException {
    String source =
        Files.readString(Path.of("src/test/java/org/ringwire/zookeeper/DocumentedSampleTest.java"));
    String sample = source.split(" *// SAMPLE\n", -1)[1];
    String document = Files.readString(Path.of("../../docs/discovery.md"));

    assertThat(squeeze(document)).contains(squeeze(sample));
  }

  private static String squeeze(String text) {
    return text.replaceAll("\\s+", "");
  }
}
