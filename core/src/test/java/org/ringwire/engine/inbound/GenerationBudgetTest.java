package org.ringwire.engine.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.codec.Message;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.MessageType;
import org.ringwire.codec.Schema;
import org.ringwire.engine.outbound.FrameEncoder;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.Sources;
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

  @Message(name = "point")
  record Named(String x) {}

  private static final String TEN = "nnnnnnnnnn";
  private static final String HUNDRED = TEN + TEN + TEN + TEN + TEN + TEN + TEN + TEN + TEN + TEN;

  @Message(name = HUNDRED + HUNDRED + HUNDRED + HUNDRED + HUNDRED + HUNDRED + HUNDRED + HUNDRED)
  record Part(int x) {}

  @Message(name = "wide")
  record Wide(Part first, int y, Part last) {}

  private final MessageCatalog catalog = new MessageCatalog();

  GenerationBudgetTest() {
    catalog.typeOf(Point.class);
  }

  /** A peer of another version connects. */
  private LinkType connect(GenerationBudget budget, Class<?> version) {
    TypeAnnouncement written = FrameEncoder.announcementOf(new MessageCatalog().typeOf(version));
    LinkType type = links(budget).add(written);
    assertThat(type.resolve(catalog)).isNotNull();
    return type;
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

  /** They come back all the time, and others, whose version fits, need what there is. */
  @Test
  void shouldTakeForPeersWhoseVersionDoesNotFitOnce() {
    GenerationBudget budget = new GenerationBudget(2, HOUR_NS);
    Registrations registrations = new Registrations();
    registrations.add(catalog.typeOf(Point.class), Dispatch.POOLED, (point, exchange) -> {});
    for (int time = 0; time < 10; time++) {
      LinkType refused = connect(budget, Named.class);
      assertThatThrownBy(() -> refused.registration(catalog, registrations))
          .hasMessageContaining("component x: int at the reader, String at the writer")
          .extracting(e -> ((ProtocolException) e).reason())
          .isEqualTo(ProtocolException.Reason.SCHEMA);
    }
    assertThat(connect(budget, Flat.class).registration(catalog, registrations)).isNotNull();
  }

  @Test
  void shouldEarnOnePerIntervalUpToTheBurst() {
    GenerationBudget budget = new GenerationBudget(3, 10);
    long now = Long.MAX_VALUE - 15; // the clock may pass its end
    for (int count = 0; count < 3; count++) {
      assertThat(budget.tryTake(now, 1)).isTrue();
    }
    assertThat(budget.tryTake(now, 1)).isFalse();
    assertThat(budget.tryTake(now + 9, 1)).isFalse();
    assertThat(budget.tryTake(now + 10, 1)).isTrue();
    assertThat(budget.tryTake(now + 10, 1)).isFalse();
    for (int count = 0; count < 3; count++) {
      assertThat(budget.tryTake(now + 1000, 1)).as("no more than a burst").isTrue();
    }
    assertThat(budget.tryTake(now + 1000, 1)).isFalse();
  }

  /** What a codec costs grows with the schema of the peer, and with that of the type here. */
  @Test
  void shouldTakeMoreForLongSchemas() {
    int longest = TypeAnnouncement.MAX_SCHEMA_LENGTH;
    assertThat(GenerationBudget.costOf(0, 0)).isEqualTo(1);
    assertThat(GenerationBudget.costOf(511, 0)).isEqualTo(1);
    assertThat(GenerationBudget.costOf(256, 256)).isEqualTo(2);
    assertThat(GenerationBudget.costOf(longest, longest)).isEqualTo(129);
    GenerationBudget budget = new GenerationBudget(130, 10);
    assertThat(budget.tryTake(0, 65)).isTrue();
    assertThat(budget.tryTake(0, 65)).isTrue();
    assertThat(budget.tryTake(0, 1)).isFalse();
    assertThat(budget.tryTake(10, 2)).isFalse();
    assertThat(budget.tryTake(20, 2)).isTrue();
    GenerationBudget small = new GenerationBudget(63, HOUR_NS);
    StringBuilder text = new StringBuilder("encoding 1\nrecord point\n x int\n");
    for (int type = 0; text.length() < longest - 60; type++) {
      text.append("record ").append("r".repeat(40)).append(type).append('\n');
    }
    assertThatThrownBy(() -> announce(links(small), "point", text.toString()))
        .hasMessageContaining("too many new schemas");
    catalog.typeOf(Wide.class);
    String shortOne = "encoding 1\nrecord wide\n y int\n";
    GenerationBudget tiny = new GenerationBudget(4, HOUR_NS);
    assertThatThrownBy(() -> announce(links(tiny), "wide", shortOne))
        .hasMessageContaining("too many new schemas");
    announce(links(new GenerationBudget(5, HOUR_NS)), "wide", shortOne);
  }

  private static LinkTypes links(GenerationBudget budget) {
    return new LinkTypes(2, 1, 100, budget);
  }

  private void announce(LinkTypes link, String name, String schema) {
    Schema written = Schema.of(schema);
    TypeAnnouncement announced =
        new TypeAnnouncement(1, name, written.fingerprint(), written.toBytes());
    assertThat(link.add(announced).resolve(catalog)).isNotNull();
  }

  /** As where a node comes into a cluster that is being upgraded: nobody is to come back later. */
  @Test
  void shouldReadTwoOtherVersionsOfAllItsTypesAtOnce() throws Exception {
    GenerationBudget budget = new GenerationBudget(catalog, HOUR_NS); // no long types yet
    List<MessageType<?>> types = longTypes();
    String longer = " x int\n " + "n".repeat(480) + " int\n"; // has a component more
    for (String added : List.of(longer, " y" + longer)) {
      LinkTypes link = links(budget);
      for (MessageType<?> type : types) {
        Schema written = Schema.of(type.schema().toString().replace(" x int\n", added));
        TypeAnnouncement announced =
            new TypeAnnouncement(type.id(), type.name(), written.fingerprint(), written.toBytes());
        assertThat(link.add(announced).resolve(catalog)).isSameAs(type);
      }
    }
    assertThat(budget.tryTake(System.nanoTime(), 1024)).as("ever more").isFalse();
  }

  /** More than what a node may generate at once of types that it does not have. */
  private List<MessageType<?>> longTypes() throws ClassNotFoundException {
    StringBuilder source = new StringBuilder("package v; public interface Types { enum Long { ");
    for (int constant = 0; constant < 60; constant++) {
      source.append("n".repeat(250)).append(constant).append(", ");
    }
    source.append("LAST }\n");
    for (int number = 0; number < 20; number++) {
      source.append("record R").append(number).append("(Long first, int x) {}\n");
    }
    ClassLoader loader = Sources.compile("v.Types", source + "}");
    List<MessageType<?>> types = new ArrayList<>();
    for (int number = 0; number < 20; number++) {
      types.add(catalog.typeOf(loader.loadClass("v.Types$R" + number)));
    }
    return types;
  }
}
