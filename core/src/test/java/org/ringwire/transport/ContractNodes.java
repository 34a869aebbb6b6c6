package org.ringwire.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** Two nodes over the transport under test, and the messages that they exchange. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("a codec that blocks in encode()") // a machine with other work stops any thread
abstract class ContractNodes {

  static final int RING = 1 << 16;
  static final int WINDOW = 1 << 16;
  static final int MAX_LENGTH = 64 << 20;

  /** Room for what is in a message beside its bytes. */
  static final int BESIDE = 64;

  /** A message of one of several sending threads. */
  record Numbered(int sender, long number) {}

  /** A message of any size. */
  @SuppressWarnings("ArrayRecordComponent") // compared by its content here
  record Blob(long seed, byte[] bytes) {}

  /** A question and its answer. */
  record Echo(long number, String text) {}

  final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final List<Node> nodes = new ArrayList<>();

  /** The transport to test. */
  protected abstract TransportProvider provider();

  /** An address to listen on for a node. */
  protected abstract String listenAddress(int nodeId);

  /** Whether node 1 listens too. */
  protected boolean bothListen() {
    return true;
  }

  /** How threads wait. */
  protected IdleStrategy idleStrategy() {
    return IdleStrategy.parking();
  }

  /** Bounds an attempt to connect, the handshake included. */
  protected Duration connectTimeout() {
    return TestNodes.PATIENCE;
  }

  /** Largest size in the sweep; smaller for transports that are slow on purpose. */
  protected int largestSize() {
    return MAX_LENGTH;
  }

  /** Messages of a test that sends many. */
  protected int many() {
    return 100_000;
  }

  @AfterEach
  void closeNodes() {
    nodes.forEach(Node::close);
    nodes.forEach(this::closed);
  }

  /** What must be true of a node that was closed. */
  protected void closed(Node node) {}

  /** Settings of a node with a small ring and window, so that every boundary is met. */
  final NodeConfig.Builder settings(int id) {
    NodeConfig.Builder builder =
        NodeConfig.builder(id)
            .peers(directory)
            .idleStrategy(idleStrategy())
            .ringCapacity(RING)
            .window(WINDOW, 4 * WINDOW)
            .maxMessageLength(MAX_LENGTH)
            .connectTimeout(connectTimeout())
            .sendTimeout(TestNodes.PATIENCE)
            .requestTimeout(TestNodes.PATIENCE);
    return id == 1 && !bothListen() ? builder : builder.listen(listenAddress(id));
  }

  /** Opens a node that the others know; it is closed after the test. */
  final Node open(NodeConfig.Builder settings) {
    Node node = MessagingNode.open(settings.build(), 1, provider());
    nodes.add(node);
    String address = node.address();
    if (address != null) {
      directory.put(node.id(), address);
    }
    return node;
  }

  /** Opens a node with the usual settings. */
  final Node open(int id) {
    return open(settings(id));
  }

  /** A message of random bytes. */
  static Blob blob(long seed, int size) {
    byte[] bytes = new byte[size];
    SplittableRandom random = new SplittableRandom(seed);
    random.nextBytes(bytes);
    return new Blob(seed, bytes);
  }

  /** Waits for a latch, for a bounded time. */
  static void awaitAll(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(TestNodes.PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .as("%s messages are missing", latch.getCount())
        .isTrue();
  }
}
