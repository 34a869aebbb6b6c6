package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.testing.Awaiting.await;

import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.codec.Message;
import org.ringwire.heap.channel.ChannelMessages;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** Channels of nodes that let others announce few types of messages, or late. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("maxAnnouncedTypes")
class FewTypesSystemTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int OF_CHANNELS =
      (int)
          Arrays.stream(ChannelMessages.class.getDeclaredClasses())
              .filter(type -> type.isAnnotationPresent(Message.class))
              .count();

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final CarriedPair pair = new CarriedPair();

  record Hello(int number) {}

  @AfterEach
  void close() throws Exception {
    pair.close();
  }

  private Node node(int id, String transport, int types) {
    Node node =
        pair.owns(
            Node.open(
                NodeConfig.builder(id)
                    .transport(transport)
                    .listen(transport.equals("tcp") ? "127.0.0.1:0" : "few-" + id + hashCode())
                    .peers(directory)
                    .requestTimeout(PATIENCE)
                    .sendTimeout(PATIENCE)
                    .maxAnnouncedTypes(types)
                    .lookup(MethodHandles.lookup())
                    .build()));
    directory.put(id, String.valueOf(node.address()));
    return node;
  }

  private HeapChannels channels(Node node, BlockCarrier carrier) {
    HeapCodec codec = HeapCodec.builder().build();
    return pair.owns(HeapChannels.of(node, codec, TestChannels.OPTIONS, carrier));
  }

  private static void assertBothGoOn(HeapChannels one, HeapChannels two) {
    for (int i = 0; i < 3; i++) {
      one.to(2).writeObject(new int[100_000]);
      assertThat((int[]) two.to(1).readObject()).hasSize(100_000);
      two.to(1).writeObject("answer " + i);
      assertThat(one.to(2).readObject()).isEqualTo("answer " + i);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "10, 10"})
  void shouldSayThatTheTypesOfChannelsAreTooMany(int here, int there) {
    HeapChannels one = channels(node(1, "loopback", here), pair.left);
    HeapChannels _ = channels(node(2, "loopback", there), pair.right);

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> one.to(2).writeObject("graph"))
          .isInstanceOf(MessagingException.class)
          .hasMessageContaining("maxAnnouncedTypes=" + Math.min(here, there));
    }
  }

  @Test
  void shouldNeedNoMoreTypesThanChannelsHave() {
    assertThat(OF_CHANNELS).as("what the documents say").isEqualTo(15);
    HeapChannels one = channels(node(1, "loopback", OF_CHANNELS), pair.left);
    HeapChannels two = channels(node(2, "loopback", OF_CHANNELS), pair.right);

    assertBothGoOn(one, two);
  }

  /** The nodes know each other before there are channels, so none of their types. */
  @ParameterizedTest
  @CsvSource({"tcp, 16", "tcp, 4096", "loopback, 16"})
  void shouldGoOnWithTypesThatAreAnnouncedLate(String transport, int types) {
    Node one = node(1, transport, types);
    Node two = node(2, transport, types);
    AtomicInteger told = new AtomicInteger();
    two.handle(Hello.class, (_, _) -> told.incrementAndGet());
    one.send(2, new Hello(1));
    await("both know each other", () -> told.get() == 1);

    assertBothGoOn(channels(one, pair.left), channels(two, pair.right));
  }
}
