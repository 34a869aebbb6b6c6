package org.ringwire.engine.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.codec.Codec;
import org.ringwire.codec.Message;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.MessageType;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.codec.runtime.EvolvedCodec;
import org.ringwire.engine.outbound.FrameEncoder;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.Sources;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.TypeAnnouncement;

/** What a link keeps of the types that its peer announces, and what is done for them when. */
@ExtendWith(NodeWatcher.class)
class LinkTypesTest {

  private static final int MOST_TYPES = 1000;
  private static final int TYPES = 1000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final MessageCatalog catalog = new MessageCatalog();
  private final LinkTypes link = new LinkTypes(2, 1, MOST_TYPES, new GenerationBudget(catalog));

  @Message(name = "changed")
  record Changed(int first, int second) {}

  /** Notes whether a class was generated beside its own that reads another version. */
  private static final class Noting extends ClassLoader {
    volatile boolean generated;

    Noting() {
      super(Codec.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      generated |= name.equals(EvolvedCodec.class.getName());
      return super.loadClass(name, resolve);
    }
  }

  private static byte[] encode(Changed message) {
    Codec<Changed> codec = new MessageCatalog().typeOf(Changed.class).codec();
    byte[] bytes = new byte[codec.length(message)];
    Writer writer = new Writer();
    writer.wrap(MemorySegment.ofArray(bytes), 0, bytes.length);
    codec.encode(message, writer);
    return bytes;
  }

  @Test
  void shouldGenerateACodecWithTheFirstMessageThatNeedsIt() throws Exception {
    Noting loader = new Noting();
    String source =
        """
        package v;
        public interface Types {
          @org.ringwire.codec.Message(name = "changed") record Changed(int first) {}
        }
        """;
    Class<?> changed = Sources.compile("v.Types", source, loader).loadClass("v.Types$Changed");
    MessageType<?> here = catalog.typeOf(changed);
    MessageType<?> there = new MessageCatalog().typeOf(Changed.class);
    LinkType announced = link.add(FrameEncoder.announcementOf(there));
    assertThat(announced.resolve(catalog)).isSameAs(here);
    assertThat(loader.generated).as("before the first message").isFalse();
    byte[] bytes = encode(new Changed(7, 8));
    for (int message = 0; message < 2; message++) {
      Reader reader = new Reader();
      reader.wrap(MemorySegment.ofArray(bytes), 0, bytes.length);
      assertThat(announced.decode(reader, 0)).hasToString("Changed[first=7]");
    }
    assertThat(loader.generated).isTrue();
  }

  /** Each link has all types of its peer, most of which never come by it. */
  @Test
  void shouldTakeNoMoreForATypeWhereMessagesAreHandledInManyPlaces() {
    long few = bytesPerType(3);
    long many = bytesPerType(1026);
    assertThat(many).isLessThan(few + 100);
  }

  private static long bytesPerType(int lanes) {
    List<TypeAnnouncement> announced = new ArrayList<>();
    for (int id = 0; id < TYPES; id++) {
      announced.add(new TypeAnnouncement(id, "type" + id, id, new byte[100]));
    }
    GenerationBudget budget = new GenerationBudget(new MessageCatalog());
    LinkTypes types = new LinkTypes(1, lanes, TYPES, budget);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    announced.forEach(types::add);
    return (THREADS.getCurrentThreadAllocatedBytes() - before) / TYPES;
  }

  /** Each link to a node hears of all its types, with the ids that the program has given them. */
  @Test
  void shouldTakeNoMoreForATypeWhoseIdIsHigh() {
    for (int id : new int[] {0, 63, 64, 32_767, 32_768, 65_535}) {
      assertThat(bytesOfOne(id)).as("first use").isPositive();
      assertThat(bytesOfOne(id)).as("id %d", id).isLessThan(4096);
    }
  }

  private static long bytesOfOne(int id) {
    GenerationBudget budget = new GenerationBudget(new MessageCatalog());
    TypeAnnouncement announced = new TypeAnnouncement(id, "type", id, new byte[100]);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    LinkTypes types = new LinkTypes(1, 3, TYPES, budget);
    final LinkType added = types.add(announced);
    final long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(types.get(id)).isSameAs(added);
    for (int other : new int[] {1, 62, 65, 32_766, 32_769, 65_534}) {
      assertThat(types.find(other)).isNull();
    }
    return allocated;
  }

  /** So many that their schemas take more than a peer may make a link keep. */
  private static List<MessageType<?>> longTypes(MessageCatalog catalog) throws Exception {
    StringBuilder source = new StringBuilder("package v; public interface Types { enum Long { ");
    for (int constant = 0; constant < 120; constant++) {
      source.append("n".repeat(250)).append(constant).append(", ");
    }
    source.append("LAST }\n");
    int count = (int) (LinkTypes.LEAST_BYTES / 30_000) + 5;
    for (int number = 0; number < count; number++) {
      source.append("record R").append(number).append("(Long first, int x) {}\n");
    }
    ClassLoader loader = Sources.compile("v.Types", source + "}");
    List<MessageType<?>> types = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      types.add(catalog.typeOf(loader.loadClass("v.Types$R" + number)));
    }
    return types;
  }

  @Test
  void shouldNotCountSchemasThatItDoesNotKeep() throws Exception {
    for (MessageType<?> type : longTypes(catalog)) {
      LinkType added = link.add(FrameEncoder.announcementOf(type));
      assertThat(added.resolve(catalog)).isSameAs(type);
    }
  }

  @Test
  void shouldCountSchemasOfTypesThatItDoesNotKnow() throws Exception {
    List<MessageType<?>> types = longTypes(new MessageCatalog());
    assertThatThrownBy(
            () -> {
              for (MessageType<?> type : types) {
                TypeAnnouncement announced = FrameEncoder.announcementOf(type);
                assertThat(link.add(announced).resolve(catalog)).isNull();
              }
            })
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("limit=" + LinkTypes.LEAST_BYTES);
  }
}
