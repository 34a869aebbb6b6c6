package org.ringwire.infiniband.msgud;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.connect.Terms;
import org.ringwire.infiniband.datagram.Datagram;
import org.ringwire.infiniband.device.VerbsCounters;
import org.ringwire.infiniband.link.Transfer;
import org.ringwire.infiniband.transport.InfinibandTransportProvider;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Link;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/** Links over datagrams of a device. */
@Tag("rdma")
@ExtendWith(NodeWatcher.class)
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
    Awaiting.await("end of both ends", () -> one.register().isEmpty() && two.register().isEmpty());
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
    VerbsCounters sent = one.verbsCounters();
    long content = sent.sendBytes() - Datagram.LENGTH * sent.sendRequests();
    assertThat(content).as("one repetition at least").isGreaterThan(total * 201 / 200);
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
  void shouldServeNewLinksWhenItsQueuePairHasFailed() throws Exception {
    UdTransport one = open(1, (inner, _) -> inner);
    UdTransport two = open(2, (inner, _) -> inner);
    long posts;
    try (Transfer transfer = new Transfer(one, two)) {
      transfer.carry(10_000);
      posts = one.verbsCounters().receivePosts();
      one.adapter().queuePair().toError();
      Awaiting.await("end of the link", () -> one.register().isEmpty());
      assertThat(transfer.clientClosed()).contains("the queue pair for datagrams has failed");
    }
    awaitRestart(one);
    int buffers = one.adapter().receiver().count();
    assertThat(one.verbsCounters().receivePosts()).as("chains").isLessThan(posts + buffers);
    transfer(two, one, 100_000);
    transfer(one, open(3, (inner, _) -> inner), 100_000);
  }

  /** One request that names memory which is not registered stops the queue pair of all links. */
  @Test
  void shouldServeNewLinksWhenARequestHasFailed() throws Exception {
    UdTransport one = open(1, (inner, _) -> inner, "inline", "0");
    UdTransport two = open(2, (inner, _) -> inner);
    try (Transfer transfer = new Transfer(one, two)) {
      transfer.carry(10_000);
      sendWhatIsNotRegistered(one);
      Awaiting.await("end of the link", () -> one.register().isEmpty());
      assertThat(transfer.clientClosed()).contains("the queue pair for datagrams has failed");
    }
    awaitRestart(one);
    transfer(two, one, 100_000);
    transfer(one, open(3, (inner, _) -> inner), 100_000);
  }

  /** Anybody can send it what its port takes, and it did not want. */
  @Test
  void shouldGoOnThoughSomebodySendsMoreThanABufferTakes() throws Exception {
    UdTransport one = open(1, (inner, _) -> inner);
    UdTransport two = open(2, (inner, _) -> inner, "mtu", "256");
    try (Transfer transfer = new Transfer(one, two)) {
      Link _ = transfer.link();
      LongDatagram.send(two);
      transfer.carry(100_000);
      transfer.endInOrder();
    }
    assertThat(two.thread().refused()).isEqualTo(1);
  }

  /** The end of a link is gone through again if there was no heap for it. */
  @Test
  @Tag("rdma-slice")
  void shouldGiveTheAddressOfAPeerUpOnceForEachLink() {
    UdAdapter adapter = open(1, (inner, _) -> inner).adapter();
    Terms self = adapter.terms(0, 1, 7);
    AddressHandles handles = adapter.handles();
    try (AddressHandles.Use other = handles.take(self.gid(), self.lid())) {
      AddressHandles.Use ending = handles.take(self.gid(), self.lid());
      ending.close();
      ending.close();
      assertThat(other.handle().isClosed()).isFalse();
      assertThat(handles.count()).isOne();
    }
    assertThat(handles.count()).isZero();
  }

  private static void sendWhatIsNotRegistered(UdTransport from) throws IOException {
    UdAdapter adapter = from.adapter();
    Terms self = adapter.terms(0, 1, 7);
    Destination to = adapter.destination(self, Objects.requireNonNull(self.datagrams()));
    UdSender sender = adapter.sender();
    try (Arena arena = Arena.ofConfined()) {
      UdSegment segment = adapter.newSegment();
      segment.add(arena.allocate(64).address(), 64, 0);
      sender.open();
      sender.add(to, new Datagram(), segment);
      sender.close();
      Awaiting.await("end of the request", () -> !sender.poll());
    }
  }

  private static void awaitRestart(UdTransport transport) {
    Awaiting.await("queue pair", () -> transport.adapter().sender().failure() == null);
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
