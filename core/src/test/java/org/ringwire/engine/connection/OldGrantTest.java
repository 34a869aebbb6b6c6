package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.ControlFrames;

/**
 * A grant that its sender did not need lies there, and answers of the same length go out by their
 * own. The receiver takes the oldest for each, and remembers so many.
 */
@ExtendWith(NodeWatcher.class)
class OldGrantTest {

  private static final int LENGTH = 100_000; // the window grows for it, so it needs no grant

  record Ask(long number) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Block(byte[] bytes) {}

  @Test
  void shouldGoBackAfterAnyNumberOfAnswers() {
    try (TestNodes nodes = new TestNodes("loopback")) {
      MessagingNode one = (MessagingNode) nodes.open(1);
      Node two = nodes.open(2);
      one.handle(Ask.class, (_, exchange) -> exchange.reply(new Block(new byte[LENGTH])));
      two.handle(Block.class, (_, exchange) -> exchange.reply(new Ask(0)));
      one.request(2, new Block(new byte[LENGTH]), Ask.class, PATIENCE);
      Connection before = Objects.requireNonNull(one.connections().get(2));
      for (int count = 0; count < ControlFrames.MOST_ANNOUNCED + 10; count++) {
        two.request(1, new Ask(count), Block.class, PATIENCE);
      }

      Objects.requireNonNull(before.dataSession()).data().rest();

      two.request(1, new Ask(0), Block.class, PATIENCE);
      assertThat(one.connections().get(2)).isSameAs(before);
      assertThat(before.isEnded()).as(before.cause()).isFalse();
    }
  }
}
