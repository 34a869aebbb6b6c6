package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.NodeUnreachableException;
import org.ringwire.RemoteHandlerException;
import org.ringwire.RequestTimeoutException;
import org.ringwire.RetainedExchange;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** Two nodes in one process. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("on purpose")
class NodeSystemTest {

  record Ping(long id, String text) {}

  record Pong(long id) {}

  record Event(long number) {}

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();

  private Node open(int id, String transport) {
    String listen = transport.equals("tcp") ? "127.0.0.1:0" : "node-" + id + "-" + this.hashCode();
    Node node =
        Node.open(
            NodeConfig.builder(id).transport(transport).listen(listen).peers(directory).build());
    directory.put(id, String.valueOf(node.address()));
    return node;
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldAnswerRequests(String transport) {
    try (Node one = open(1, transport);
        Node two = open(2, transport)) {
      two.handle(
          Ping.class, Dispatch.INLINE, (ping, exchange) -> exchange.reply(new Pong(ping.id())));
      for (long id = 0; id < 1000; id++) {
        Pong pong = one.request(2, new Ping(id, "hi"), Pong.class, PATIENCE);
        assertThat(pong.id()).isEqualTo(id);
      }
      assertThat(
              one.requestAsync(2, new Ping(7, "hi"), Pong.class)
                  .thenApply(Pong::id)
                  .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                  .join())
          .isEqualTo(7);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldKeepOrderOfOneSender(String transport) throws Exception {
    int count = 200_000;
    for (Dispatch dispatch :
        List.of(
            Dispatch.INLINE,
            Dispatch.POOLED.inOrder(),
            Dispatch.INLINE.inOrder(),
            Dispatch.BLOCKING.inOrder())) {
      int messages = dispatch.mode() == Dispatch.Mode.BLOCKING ? count / 10 : count;
      CountDownLatch all = new CountDownLatch(messages);
      ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
      long[] next = new long[1];
      try (Node one = open(1, transport);
          Node two = open(2, transport)) {
        two.handle(
            Event.class,
            dispatch,
            (event, exchange) -> {
              if (event.number() != next[0]++) {
                wrong.add("expected " + (next[0] - 1) + " got " + event.number());
              }
              all.countDown();
            });
        for (int number = 0; number < messages; number++) {
          one.send(2, new Event(number));
        }
        assertThat(all.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
            .as("%s %s left", dispatch, all)
            .isTrue();
        assertThat(wrong).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldReportWhatFails(String transport) {
    ConcurrentLinkedQueue<RetainedExchange> kept = new ConcurrentLinkedQueue<>();
    try (Node one = open(1, transport);
        Node two = open(2, transport)) {
      two.handle(
          Ping.class,
          (ping, exchange) -> {
            if (ping.id() == 1) {
              throw new IllegalStateException("broken on purpose");
            }
            if (ping.id() == 2) {
              kept.add(exchange.retain());
            }
          });
      assertThatThrownBy(() -> one.request(2, new Ping(1, ""), Pong.class, PATIENCE))
          .isInstanceOf(RemoteHandlerException.class)
          .hasMessageContaining("broken on purpose");
      assertThatThrownBy(() -> one.request(2, new Ping(2, ""), Pong.class, Duration.ofMillis(200)))
          .isInstanceOf(RequestTimeoutException.class)
          .hasMessageContaining("nodeId=2");
      assertThat(one.requestAsync(2, new Ping(2, ""), Pong.class, Duration.ofMillis(200)))
          .failsWithin(PATIENCE)
          .withThrowableThat()
          .havingCause()
          .isInstanceOf(RequestTimeoutException.class)
          .withMessageContaining("nodeId=2");
      assertThatThrownBy(() -> one.request(2, new Ping(3, ""), Pong.class, PATIENCE))
          .isInstanceOf(RemoteHandlerException.class)
          .hasMessageContaining("without a reply");
      assertThatThrownBy(() -> one.request(2, new Event(1), Pong.class, PATIENCE))
          .isInstanceOf(RemoteHandlerException.class)
          .hasMessageContaining("no handler");
      assertThatThrownBy(() -> one.send(9, new Event(1)))
          .isInstanceOf(NodeUnreachableException.class);
      assertThatThrownBy(() -> one.send(65_536, new Event(1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("0..65535");
      await("both that were not answered", () -> kept.size() == 2);
      kept.forEach(RetainedExchange::close);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldPassLargeMessages(String transport) {
    @SuppressWarnings("ArrayRecordComponent") // compared by content
    record Blob(int number, byte[] bytes) {}

    try (Node one = open(1, transport);
        Node two = open(2, transport)) {
      two.handle(Blob.class, (blob, exchange) -> exchange.reply(blob));
      int[] sizes = {0, 1, 25_000, 26_300, 65_536, 262_144, 262_145, 1 << 20, 5 << 20, 33 << 20};
      for (int size : sizes) {
        byte[] bytes = new byte[size];
        new java.util.Random(size).nextBytes(bytes);
        Blob back = one.request(2, new Blob(size, bytes), Blob.class, PATIENCE);
        assertThat(back.bytes()).isEqualTo(bytes);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldSendToItself(String transport) {
    try (Node one = open(1, transport)) {
      one.handle(Ping.class, (ping, exchange) -> exchange.reply(new Pong(ping.id())));
      assertThat(one.request(1, new Ping(5, "me"), Pong.class, PATIENCE).id()).isEqualTo(5);
    }
  }
}
