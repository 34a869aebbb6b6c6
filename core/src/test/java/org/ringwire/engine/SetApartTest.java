package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.SendStatus;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.engine.outbound.encoding.SlowEncoders;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/**
 * A type that was set apart is encoded once per message as any other, and comes back when its codec
 * is quick again, whatever its messages are.
 */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("encoded apart from now on")
class SetApartTest {

  private static final int AT_A_TIME = 200;
  private static final int WINDOW = 64 << 10;
  private static final int LENGTH = 4 << 10;
  private static final int BEYOND = 2 * WINDOW / LENGTH; // messages for which no window has room

  record Ask(long number) {}

  record Answer(long number) {}

  record Block(long number) {}

  /** Counts how often it has encoded each message. */
  private static final class CountingCodec implements Codec<Block> {
    final Map<Long, Integer> encoded = new ConcurrentHashMap<>();

    @Override
    public int length(Block message) {
      return LENGTH;
    }

    @Override
    public void encode(Block message, Writer writer) {
      encoded.merge(message.number(), 1, Integer::sum);
      writer.putLong(message.number());
      writer.putBytes(new byte[LENGTH], 0, LENGTH - Long.BYTES);
    }

    @Override
    public Block decode(Reader reader) {
      Block message = new Block(reader.getLong());
      reader.getBytes(new byte[LENGTH], 0, LENGTH - Long.BYTES);
      return message;
    }
  }

  /** Whose codecs are quick, however slow the machine is. */
  private static Node open(TestNodes nodes, int id) {
    return nodes.open(id, settings -> settings.encodeTimeout(PATIENCE));
  }

  private static SlowEncoders setApart(Node node, Class<?> type) {
    NodeServices services = ((MessagingNode) node).connections().services();
    int typeId = services.config().catalog().typeOf(type).id();
    services.slowEncoders().add(typeId, "peer", true, System.nanoTime());
    assertThat(services.slowEncoders().hasAny()).isTrue();
    return services.slowEncoders();
  }

  @Test
  void shouldComeBackIfItIsSentAsAnswersOnly() {
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = open(nodes, 1);
      Node two = open(nodes, 2);
      two.handle(
          Ask.class, Dispatch.INLINE, (ask, exchange) -> exchange.reply(new Answer(ask.number())));
      SlowEncoders apart = setApart(two, Answer.class);
      Awaiting.await(
          "it is back",
          () -> {
            for (int count = 0; count < AT_A_TIME; count++) {
              one.request(2, new Ask(count), Answer.class, PATIENCE);
            }
            return !apart.hasAny();
          });
    }
  }

  @Test
  void shouldComeBackIfItIsSentToManyOnly() {
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = open(nodes, 1);
      open(nodes, 2).handle(Ask.class, Dispatch.INLINE, (_, _) -> {});
      open(nodes, 3).handle(Ask.class, Dispatch.INLINE, (_, _) -> {});
      SlowEncoders apart = setApart(one, Ask.class);
      Awaiting.await(
          "it is back",
          () -> {
            for (int count = 0; count < AT_A_TIME; count++) {
              one.send(Set.of(2, 3), new Ask(count));
            }
            return !apart.hasAny();
          });
    }
  }

  /** Nodes whose second one handles nothing before it is released. */
  private static Node openPair(TestNodes nodes, CountingCodec codec, CountDownLatch released) {
    MessageCatalog sending = new MessageCatalog();
    MessageCatalog receiving = new MessageCatalog();
    sending.register(Block.class, codec);
    receiving.register(Block.class, codec);
    Node one = nodes.open(1, settings -> settings.encodeTimeout(PATIENCE).catalog(sending));
    nodes
        .open(2, settings -> settings.window(WINDOW, WINDOW).catalog(receiving))
        .handle(
            Block.class,
            (block, exchange) -> {
              assertThat(released.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
              if (exchange.isRequest()) {
                exchange.reply(new Answer(block.number()));
              }
            });
    return one;
  }

  @Test
  void shouldEncodeOnceWhatWaitsForRoom() throws InterruptedException {
    CountingCodec codec = new CountingCodec();
    CountDownLatch released = new CountDownLatch(1);
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = openPair(nodes, codec, released);
      SlowEncoders _ = setApart(one, Block.class);
      Thread sender =
          Thread.ofPlatform()
              .start(() -> {
                for (long number = 0; number < BEYOND; number++) {
                  one.send(2, new Block(number));
                }
              });
      Awaiting.await(
          "it waits",
          () -> one.metrics().connections().stream().anyMatch(to -> to.waitingSenders() == 1));
      released.countDown();
      sender.join();
    }
    assertThat(codec.encoded).hasSize(BEYOND).allSatisfy((_, count) -> assertThat(count).isOne());
  }

  @Test
  void shouldEncodeNothingThatThereIsNoRoomFor() throws Exception {
    CountingCodec codec = new CountingCodec();
    CountDownLatch released = new CountDownLatch(1);
    long number = 0;
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = openPair(nodes, codec, released);
      SlowEncoders _ = setApart(one, Block.class);
      one.send(2, new Block(number));
      do {
        number++;
      } while (one.trySend(2, new Block(number)) == SendStatus.ACCEPTED);
      CompletableFuture<Answer> later =
          one.requestAsync(2, new Block(number + 1), Answer.class, PATIENCE);
      released.countDown();
      assertThat(later.get()).isEqualTo(new Answer(number + 1));
    }
    assertThat(codec.encoded).doesNotContainKey(number).containsEntry(number + 1, 1);
  }
}
