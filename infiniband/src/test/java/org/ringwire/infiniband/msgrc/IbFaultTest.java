package org.ringwire.infiniband.msgrc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.infiniband.msgrc.IbNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.LossReport;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.infiniband.msgrc.IbNodes.Blob;
import org.ringwire.infiniband.msgrc.IbNodes.Program;
import org.ringwire.testing.NodeWatcher;

/** What goes wrong with links over InfiniBand, where there is a device. */
@Tag("rdma")
@ExtendWith(NodeWatcher.class)
class IbFaultTest {

  private final IbNodes nodes = new IbNodes();

  @AfterEach
  void closeEverything() throws Exception {
    nodes.close();
  }

  /** Every request of a link waits for a slot, for a receive request, or for both. */
  @Test
  void shouldLoseNothingWithTinyQueues() {
    nodes.set("sendRequests", 2);
    nodes.set("sendCompletions", 2);
    nodes.set("receiveRequests", 2);
    nodes.set("receiveRanges", 2);
    nodes.set("sliceLength", 512);
    Node one = nodes.open(1);
    Node two = nodes.open(2);
    AtomicLong handled = new AtomicLong();
    AtomicLong wrong = new AtomicLong();
    two.handle(
        Blob.class,
        Dispatch.POOLED.inOrder(),
        (blob, exchange) -> {
          if (blob.number() != handled.getAndIncrement() || !blob.isWhole()) {
            wrong.incrementAndGet();
          }
        });
    int count = 300;
    for (int number = 0; number < count; number++) {
      one.send(2, Blob.of(number, number % 50 == 49 ? 100_000 : number * 7));
    }
    await("all handled", () -> handled.get() == count);
    assertThat(wrong.get()).isZero();
    assertThat(nodes.losses()).isEmpty();
  }

  /** The device gives up, since no receive request comes back; the next link carries on. */
  @Test
  void shouldReportWhenPeerHasNoReceiveRequestForTooLong() throws Exception {
    nodes.set("receiveRequests", 2);
    nodes.set("receiveRanges", 1);
    nodes.set("sliceLength", 512);
    nodes.set("rnrRetries", 1);
    Node one = nodes.open(1);
    Node two = nodes.open(2);
    CountDownLatch release = new CountDownLatch(1);
    AtomicLong handled = new AtomicLong();
    two.handle(
        Blob.class,
        Dispatch.INLINE,
        (blob, exchange) -> {
          if (blob.number() == 0) {
            release.await(); // in the thread that gives receive requests back
          }
          handled.incrementAndGet();
        });
    try {
      one.send(2, Blob.of(0, 10));
      AtomicLong accepted = new AtomicLong(1);
      assertThatThrownBy(
              () -> {
                for (int number = 1; ; number++) {
                  one.send(2, Blob.of(number, 400));
                  accepted.incrementAndGet();
                }
              })
          .isInstanceOf(MessagingException.class);
      await("loss", () -> !nodes.losses().isEmpty());
      LossReport report = nodes.losses().element();
      assertThat(report.cause()).contains("RNR");
      assertThat(report.accepted()).isEqualTo(accepted.get());
      assertThat(report.processed() + report.lost() + report.uncertain()).isEqualTo(accepted.get());
    } finally {
      release.countDown();
    }
    await("another link", () -> sends(one, Blob.of(1, 10)));
    await("handled", () -> handled.get() >= 2);
  }

  private static boolean sends(Node node, Blob blob) {
    try {
      node.send(2, blob);
      return true;
    } catch (MessagingException e) {
      return false; // backs off
    }
  }

  @Test
  void shouldReportLossWhenPeerIsKilledInMidTransferAndConnectAgain() throws Exception {
    Node one = nodes.open(1);
    Program victim = nodes.start(2, EchoProgram.class, "2");
    one.request(2, Blob.of(0, 10), Blob.class, PATIENCE);
    Thread sender =
        Thread.ofPlatform()
            .start(() ->
                assertThatThrownBy(
                        () -> {
                          for (int number = 0; ; number++) {
                            one.send(2, Blob.of(number, 50_000));
                          }
                        })
                    .isInstanceOf(MessagingException.class));
    await(
        "transfer",
        () -> one.metrics().connections().stream().anyMatch(c -> c.bytesSent() > 1_000_000));
    nodes.directory().remove(2); // it must not be found again
    victim.kill();
    await("loss", () -> !nodes.losses().isEmpty());
    sender.join(PATIENCE.toMillis());
    assertThat(sender.isAlive()).isFalse();
    LossReport report = nodes.losses().element();
    assertThat(report.nodeId()).isEqualTo(2);
    nodes.start(2, EchoProgram.class, "2");
    await("another life", () -> answers(one, Blob.of(7, 1000)));
  }

  private static boolean answers(Node node, Blob blob) {
    try {
      return node.request(2, blob, Blob.class, PATIENCE).isWhole();
    } catch (MessagingException e) {
      return false; // backs off
    }
  }

  /** Slices that are free, and buffers, are full of poison: who used them would be found out. */
  @Test
  void shouldUseNoSliceThatIsFree() throws Exception {
    Node one = nodes.open(1);
    Program poisoned =
        nodes.start(List.of(), List.of("-Dringwire.poison=true"), EchoProgram.class, "2");
    nodes.directory().put(2, String.valueOf(poisoned.line()));
    for (int number = 0; number < 60; number++) {
      int length = number % 10 == 9 ? 150_000 : number * 997;
      Blob answer = one.request(2, Blob.of(number, length), Blob.class, PATIENCE);
      assertThat(answer.number()).isEqualTo(number);
      assertThat(answer.bytes()).hasSize(length);
      assertThat(answer.isWhole()).isTrue();
    }
  }

  /** Sends blobs back, and says where. */
  static final class EchoProgram {

    private EchoProgram() {}

    /** Runs until it is killed. */
    public static void main(String[] arguments) throws InterruptedException {
      Node node = Node.open(IbNodes.settings(Integer.parseInt(arguments[0])).build());
      node.handle(
          Blob.class,
          (blob, exchange) -> {
            if (!blob.isWhole()) {
              throw new IllegalStateException("altered: number=" + blob.number());
            }
            if (exchange.isRequest()) {
              exchange.reply(blob);
            }
          });
      System.out.println(node.address());
      Thread.currentThread().join();
    }
  }
}
