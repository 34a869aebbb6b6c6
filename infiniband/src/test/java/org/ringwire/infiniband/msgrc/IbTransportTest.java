package org.ringwire.infiniband.msgrc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.MessagingException;
import org.ringwire.infiniband.device.Settings;
import org.ringwire.infiniband.device.StagingPool;
import org.ringwire.infiniband.device.VerbsCounters;
import org.ringwire.infiniband.link.Transfer;
import org.ringwire.infiniband.verbs.SendRequests;
import org.ringwire.infiniband.verbs.types.SendFlags;
import org.ringwire.infiniband.verbs.types.SendOpcode;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.Ignoring;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.TransportConfig;

/** Links over a device, and what the device was asked for. */
@Tag("rdma")
@Tag("rdma-slice")
@ExtendWith(NodeWatcher.class)
class IbTransportTest {

  private final List<AutoCloseable> resources = new ArrayList<>();

  @AfterEach
  void closeEverything() throws Exception {
    for (AutoCloseable resource : resources.reversed()) {
      resource.close();
    }
  }

  private IbTransport open(int nodeId, int ringCapacity, String... settings) {
    IbTransport transport =
        IbTransport.open(
            new TransportConfig(
                nodeId, 1, IdleStrategy.adaptive(), ringCapacity, Duration.ofSeconds(30)),
            Settings.of(settings));
    resources.add(transport);
    return transport;
  }

  /** Ring memory goes as it lies: one range per request, and not one byte over TCP instead. */
  @Test
  void shouldSendFromRingAndCountEveryByte() throws Exception {
    long total = 3_000_000;
    IbTransport one = open(1, 4 * Transfer.RING);
    IbTransport two = open(2, 4 * Transfer.RING);
    try (Transfer transfer = new Transfer(one, two)) {
      transfer.carry(total);
      VerbsCounters sent = one.verbsCounters();
      assertThat(sent.sendBytes()).isEqualTo(total);
      assertThat(two.verbsCounters().receivedBytes()).isEqualTo(total);
      assertThat(sent.sendRanges()).isEqualTo(sent.sendRequests() - 1); // READY has none
      assertThat(two.verbsCounters().received()).isEqualTo(sent.sendRequests());
      transfer.endInOrder();
    }
  }

  /** One thread posts for all, and queues are tiny: each step waits for another one. */
  @Test
  void shouldSendByOneThreadThroughTinyQueues() throws Exception {
    long total = 200_000;
    String[] tiny = {
      "sendThread",
      "true",
      "sendRequests",
      "2",
      "sendCompletions",
      "2",
      "receiveRequests",
      "2",
      "receiveRanges",
      "2",
      "sliceLength",
      "1024",
      "signalEvery",
      "1"
    };
    IbTransport one = open(1, Transfer.RING, tiny);
    IbTransport two = open(2, Transfer.RING, tiny);
    try (Transfer transfer = new Transfer(one, two)) {
      transfer.carry(total);
      assertThat(one.verbsCounters().sendRequests()).isGreaterThan(total / 2048);
      transfer.endInOrder();
    }
  }

  /** Both ends of the link end, nothing else does, and the next link carries. */
  @Test
  void shouldEndLinkWhosePeerMayNotUseMemory() throws Exception {
    IbTransport one = open(1, Transfer.RING);
    IbTransport two = open(2, Transfer.RING);
    try (Transfer refused = new Transfer(one, two)) {
      writeWithWrongKey(one, (IbLink) refused.link());
      Awaiting.await(
          "noticed",
          () -> {
            boolean _ = one.completions().tryPoll();
            return refused.isOver();
          });
      one.budget().give(1);
      // A queue pair that allows no writes at all need not look at the key.
      assertThat(refused.clientClosed()).containsAnyOf("REM_ACCESS_ERR", "REM_INV_REQ_ERR");
      assertThat(refused.serverClosed()).isNotEqualTo("null");
    }
    try (Transfer next = new Transfer(one, open(3, Transfer.RING))) {
      next.carry(100_000);
      next.endInOrder();
    }
  }

  /** Behind the back of the link: it never writes into memory of the peer. */
  private static void writeWithWrongKey(IbTransport transport, IbLink link) {
    Channel channel = Objects.requireNonNull(link.channel());
    StagingPool.Chunk chunk =
        Objects.requireNonNull(transport.adapter().smallChunks().share().take());
    SendRequests write = new SendRequests(transport.adapter().arena(), 1, 1);
    long ignored = 0xffff_ffffL; // of the slots of the link: it is none of its requests
    write.add(
        SendOpcode.RDMA_WRITE, (long) link.number() << Integer.SIZE | ignored, SendFlags.SIGNALED);
    write.addRange(chunk.address(), 8, chunk.key());
    write.remote(chunk.address(), chunk.key() ^ 0x5500);
    assertThat(transport.budget().takeOne()).isTrue();
    assertThat(channel.queuePair().post(write, 0)).isEqualTo(1);
    chunk.release();
  }

  @Test
  void shouldNameGidOrKeyThatPortDoesNotHave() {
    assertThatThrownBy(() -> open(3, Transfer.RING, "gid", "10.1.2.3"))
        .isInstanceOf(MessagingException.class)
        .hasMessageContaining("10.99.0.1");
    assertThatThrownBy(() -> open(3, Transfer.RING, "pkey", "0x1234"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ffff");
  }

  /** Who makes an end may be in the middle of that, whatever it waits for. */
  @Test
  void shouldLeaveTheDeviceToWhoIsStillMakingALink() throws Exception {
    IbTransport one = open(1, Transfer.RING);
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      one.connect("127.0.0.1:" + silent.getLocalPort(), new Ignoring());
      IbLink link = one.register().iterator().next();
      Awaiting.await("offered", () -> link.queuePair() != null);
      assertThat(link.life().enter()).isTrue();
      one.close();
      assertThat(link.life().isOver()).isTrue();
      assertThat(one.adapter().arena().scope().isAlive()).isTrue();
      assertThat(Objects.requireNonNull(link.queuePair()).isClosed()).isFalse();
      link.life().leave();
      Awaiting.await("let go of", () -> !isBeingLeft());
      assertThat(link.queuePair().isClosed()).isTrue();
      assertThat(one.adapter().arena().scope().isAlive()).isFalse();
    }
  }

  /** Whether a thread waits for somebody to leave, or closes what that one has left. */
  private static boolean isBeingLeft() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().endsWith("-ib-close"));
  }
}
