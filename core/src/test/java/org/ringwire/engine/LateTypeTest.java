package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.testing.NodeWatcher;

/** Peers are told of a type, under the number that its sender has for it, before it comes. */
@ExtendWith(NodeWatcher.class)
class LateTypeTest {

  record Ask(int length) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Answer(byte[] bytes) {}

  private final TestNodes nodes = new TestNodes("tcp");

  @AfterEach
  void end() {
    nodes.close();
  }

  /** Longer than a quarter of the ring, but within what the requester has reserved. */
  @Test
  void shouldTellOfATypeBeforeAResponseThatIsTooLongForTheRing() {
    Node one = nodes.open(1);
    Node two = nodes.open(2, settings -> settings.ringCapacity(64 << 10));
    two.handle(
        Ask.class,
        Dispatch.POOLED,
        (ask, exchange) -> {
          if (ask.length() == 0) {
            exchange.reply(ask);
          } else {
            exchange.reply(new Answer(new byte[ask.length()]));
          }
        });
    assertThat(one.request(2, new Ask(0), Ask.class, PATIENCE).length()).isZero();
    Answer answer = one.request(2, new Ask(40_000), Answer.class, PATIENCE);
    assertThat(answer.bytes()).hasSize(40_000);
    assertThat(one.metrics().connectionsLost()).isZero();
  }

  /** Of a type that each node numbers in its own way. */
  private static final class AskCodec implements Codec<Ask> {
    @Override
    public int length(Ask message) {
      return Integer.BYTES;
    }

    @Override
    public void encode(Ask message, Writer writer) {
      writer.putInt(message.length());
    }

    @Override
    public Ask decode(Reader reader) {
      return new Ask(reader.getInt());
    }
  }

  private Node open(int id, int typeId) {
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(typeId, Ask.class, new AskCodec());
    return nodes.open(id, settings -> settings.catalog(catalog));
  }

  @Test
  void shouldUnderstandANodeThatHasAnotherNumberForAType() {
    Node one = open(1, 10);
    open(2, 11).handle(Ask.class, (ask, exchange) -> exchange.reply(new Ask(ask.length() + 1)));
    assertThat(one.request(2, new Ask(6), Ask.class, PATIENCE).length()).isEqualTo(7);
  }
}
