package org.ringwire.infiniband.msgud;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.device.VerbsCounters;
import org.ringwire.infiniband.link.Transfer;
import org.ringwire.infiniband.transport.InfinibandTransportProvider;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/** Links over datagrams of a device. */
@Tag("rdma")
class UdTransportTest {

  private final List<AutoCloseable> resources = new ArrayList<>();

  @AfterEach
  void closeEverything() throws Exception {
    for (AutoCloseable resource : resources.reversed()) {
      resource.close();
    }
  }

  private static TransportConfig config(int nodeId) {
    return new TransportConfig(
        nodeId, 1, IdleStrategy.adaptive(), 4 * Transfer.RING, Duration.ofSeconds(30));
  }

  private UdTransport open(int nodeId, DatagramSink.Around around, String... settings) {
    UdTransport transport = UdProvider.open(config(nodeId), around, settings);
    resources.add(transport);
    return transport;
  }

  private static void transfer(UdTransport one, UdTransport two, long total) throws Exception {
    try (Transfer transfer = new Transfer(one, two)) {
      transfer.carry(total);
      transfer.endInOrder();
    }
  }

  /** From the ring where it lies, one queue pair each, and every byte over it. */
  @Test
  void shouldSendFromRingOverOneQueuePair() throws Exception {
    long total = 1_000_000;
    UdTransport one = open(1, (inner, _) -> inner);
    UdTransport two = open(2, (inner, _) -> inner);
    transfer(one, two, total);
    VerbsCounters sent = one.verbsCounters();
    assertThat(sent.sendBytes()).isGreaterThan(total);
    assertThat(sent.sendPosts()).as("chains").isLessThan(sent.sendRequests());
    assertThat(two.verbsCounters().receivedBytes()).isGreaterThan(total);
    Transfer.await("end of both ends", () -> one.register().isEmpty() && two.register().isEmpty());
    assertThat(one.adapter().handles().count()).isZero();
    assertThat(one.adapter().chunks().isExhausted()).isFalse();
    assertThat(one.thread().refused()).isZero();
  }

  @Test
  @Tag("rdma-slice")
  void shouldLoseNothingWhenTenthOfDatagramsIsLost() throws Exception {
    long total = 300_000;
    DatagramSink.Around lossy = (inner, release) -> new LossySink(inner, release, 0.1);
    UdTransport one = open(1, lossy);
    UdTransport two = open(2, lossy, "sendCompletions", "4", "receiveRequests", "2");
    transfer(one, two, total);
    assertThat(one.verbsCounters().sendBytes()).isGreaterThan(total * 21 / 20);
  }

  /** What a source fails at concerns its link alone, though the thread of all links tells it. */
  @Test
  void shouldEndOnlyTheLinkWhoseSourceFails() throws Exception {
    UdTransport one = open(1, (inner, _) -> inner);
    UdTransport two = open(2, (inner, _) -> inner);
    UdTransport three = open(3, (inner, _) -> inner);
    try (Transfer good = new Transfer(one, two);
        Transfer bad = new Transfer(one, three)) {
      good.carry(10_000);
      bad.failWhenCompleted(10_000);
      assertThat(bad.clientClosed()).contains("completed on purpose");
      good.endInOrder();
    }
  }

  /** A queue pair that has failed gives each request back at once: it must get no more. */
  @Test
  void shouldRestWhenItsQueuePairHasFailed() throws Exception {
    UdTransport one = open(1, (inner, _) -> inner);
    UdTransport two = open(2, (inner, _) -> inner);
    try (Transfer transfer = new Transfer(one, two)) {
      transfer.carry(10_000);
      one.adapter().queuePair().toError();
      Transfer.await("end of the link", () -> one.register().isEmpty());
      assertThat(transfer.clientClosed()).contains("the queue pair for datagrams has failed");
    }
    long posts = one.verbsCounters().receivePosts();
    try (Transfer refused = new Transfer(two, one)) {
      assertThat(refused.clientClosed()).contains("the queue pair for datagrams has failed");
    }
    assertThat(one.verbsCounters().receivePosts()).isEqualTo(posts);
  }

  /** Both sides say which engine is wanted, and no link is made. */
  @Test
  void shouldRefusePeerWithAnotherEngine() throws Exception {
    UdTransport datagrams = open(1, (inner, _) -> inner);
    Transport connections = new InfinibandTransportProvider().open(config(2));
    resources.add(connections);
    try (Transfer refused = new Transfer(datagrams, connections)) {
      assertThat(refused.clientClosed())
          .contains("ringwire.ib.engine")
          .contains("accepting=msgrc connecting=msgud");
      assertThat(refused.serverClosed()).contains("ringwire.ib.engine");
    }
  }
}
