package org.ringwire.engine.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.codec.Message;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.engine.outbound.FrameEncoder;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.TypeAnnouncement;

/** Peers that come back with ever new schemas cannot keep a node busy generating codecs. */
@ExtendWith(NodeWatcher.class)
class GenerationBudgetTest {

  private static final long HOUR_NS = 3_600_000_000_000L;

  @Message(name = "point")
  record Point(int x) {}

  @Message(name = "point")
  record Flat(int x, int y) {}

  @Message(name = "point")
  record Solid(int x, int y, int z) {}

  @Message(name = "point")
  record Timed(int x, int y, int z, long time) {}

  private final MessageCatalog catalog = new MessageCatalog();

  GenerationBudgetTest() {
    catalog.typeOf(Point.class);
  }

  /** A peer of another version connects. */
  private void connect(GenerationBudget budget, Class<?> version) {
    TypeAnnouncement written = FrameEncoder.announcementOf(new MessageCatalog().typeOf(version));
    assertThat(new LinkTypes(2, 1, 10, budget).add(written).resolve(catalog)).isNotNull();
  }

  @Test
  void shouldRefuseSchemasBeyondTheBudgetAndTakeThoseItKnows() {
    GenerationBudget budget = new GenerationBudget(2, HOUR_NS);
    connect(budget, Flat.class);
    connect(budget, Solid.class);
    for (int time = 0; time < 10; time++) {
      connect(budget, Flat.class); // generated already
      connect(budget, Point.class); // the same version
    }
    assertThatThrownBy(() -> connect(budget, Timed.class))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("too many new schemas")
        .hasMessageContaining("messageType=point")
        .extracting(e -> ((ProtocolException) e).reason())
        .isEqualTo(ProtocolException.Reason.LIMIT);
    connect(new GenerationBudget(1, HOUR_NS), Timed.class); // nothing is wrong with it
  }

  @Test
  void shouldEarnOnePerIntervalUpToTheBurst() {
    GenerationBudget budget = new GenerationBudget(3, 10);
    long now = Long.MAX_VALUE - 15; // the clock may pass its end
    for (int count = 0; count < 3; count++) {
      assertThat(budget.tryTake(now)).isTrue();
    }
    assertThat(budget.tryTake(now)).isFalse();
    assertThat(budget.tryTake(now + 9)).isFalse();
    assertThat(budget.tryTake(now + 10)).isTrue();
    assertThat(budget.tryTake(now + 10)).isFalse();
    for (int count = 0; count < 3; count++) {
      assertThat(budget.tryTake(now + 1000)).as("no more than a burst").isTrue();
    }
    assertThat(budget.tryTake(now + 1000)).isFalse();
  }
}
