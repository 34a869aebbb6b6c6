package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.NodeMetrics;
import org.ringwire.management.Inspect;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class MessageCatalogTest {
  private final MessageCatalog catalog = new MessageCatalog();

  record Plain(int value) {}

  @Message(id = 7, name = "seventh")
  record Given(int value) {}

  @Message(id = 7)
  record SameId(int value) {}

  @Message(name = "seventh")
  record SameName(int value) {}

  @Message(id = 40_000)
  record IdTooHigh(int value) {}

  @Message(id = -2)
  record IdNegative(int value) {}

  @Message(name = "two words")
  record NameWithSpace(int value) {}

  private static final class TextCodec<T> implements Codec<T> {
    @Override
    public int length(T message) {
      return Lengths.ofString(message.toString());
    }

    @Override
    public void encode(T message, Writer writer) {
      writer.putString(message.toString());
    }

    @Override
    @SuppressWarnings("unchecked")
    public T decode(Reader reader) {
      return (T) reader.getString();
    }

    @Override
    public int version() {
      return 3;
    }
  }

  @Test
  void shouldGenerateOnFirstUseAndAssignIds() {
    MessageType<Plain> plain = catalog.typeOf(Plain.class);

    assertThat(catalog.typeOf(Plain.class)).isSameAs(plain);
    assertThat(plain.id()).isEqualTo(32_768);
    assertThat(plain.hasGivenId()).isFalse();
    assertThat(plain.name()).isEqualTo(Plain.class.getName());
    assertThat(plain.type()).isEqualTo(Plain.class);
    assertThat(catalog.byName(Plain.class.getName())).isSameAs(plain);
    assertThat(catalog.byId(32_768)).isSameAs(plain);
    assertThat(catalog.types()).containsExactly(plain);
    assertThat(plain).hasToString(Plain.class.getName() + "(id=32768)");
  }

  @Test
  void shouldUseWhatTheAnnotationGives() {
    MessageType<Given> given = catalog.typeOf(Given.class);

    assertThat(given.id()).isEqualTo(7);
    assertThat(given.hasGivenId()).isTrue();
    assertThat(given.name()).isEqualTo("seventh");
    assertThat(given.schema().toString()).startsWith("encoding 1\nrecord seventh\n value int\n");
  }

  @Test
  void shouldRefuseDuplicates() {
    catalog.typeOf(Given.class);

    assertRefused(() -> catalog.typeOf(SameId.class), "message id is already in use: id=7");
    assertRefused(
        () -> catalog.typeOf(SameName.class), "message name is already in use: name=seventh");
    assertRefused(
        () -> catalog.register(Given.class, new TextCodec<>()), "message class is already in use");
    assertRefused(
        () -> catalog.register(7, Plain.class, new TextCodec<>()),
        "message id is already in use: id=7");
    assertThat(catalog.types()).hasSize(1);
    assertThat(catalog.typeOf(Plain.class).id()).isEqualTo(32_768);
  }

  @Test
  void shouldTellClassesOfOneNameApartByTheirLoaders() {
    Version first = new Version("record A(int a) {}");
    Version second = new Version("record A(int a) {}");
    first.catalog.typeOf(first.type("A"));

    assertRefused(
        () -> first.catalog.typeOf(second.type("A")),
        "used by v.Types$A of another class loader: " + second.loader + " and " + first.loader);
  }

  @Test
  void shouldRefuseBadIdsAndNames() {
    assertRefused(() -> catalog.typeOf(IdTooHigh.class), "must be 0 to 32767: id=40000");
    assertRefused(() -> catalog.typeOf(IdNegative.class), "must be 0 to 32767: id=-2");
    assertRefused(
        () -> catalog.register(-1, Plain.class, new TextCodec<>()), "must be 0 to 32767: id=-1");
    assertRefused(
        () -> catalog.register(32_768, Plain.class, new TextCodec<>()), "0 to 32767: id=32768");
    assertRefused(
        () -> catalog.typeOf(NameWithSpace.class),
        "no white space or control characters: name=two words");
    assertThat(catalog.register(0, Plain.class, new TextCodec<>()).id()).isZero();
    assertThat(catalog.register(127, String.class, new TextCodec<>()).id()).isEqualTo(127);
    assertThat(catalog.register(32_767, Given.class, new TextCodec<>()).id()).isEqualTo(32_767);
  }

  @Test
  void shouldSayThatArraysAndPrimitivesBelongIntoRecords() {
    for (Class<?> type : List.of(byte[].class, Plain[].class, int.class)) {
      String[] parts = {type.getTypeName(), "make it a component of a record"};
      assertThatThrownBy(() -> catalog.typeOf(type))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll(parts);
      assertThatThrownBy(() -> catalog.register(type, new TextCodec<>()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll(parts);
    }
  }

  @Test
  void shouldUseARegisteredCodecForSubclasses() {
    MessageType<Path> paths = catalog.register(Path.class, new TextCodec<>());
    Class<?> implementation = Path.of("x").getClass();

    assertThat(catalog.typeOf((Class<?>) implementation)).isSameAs(paths);
    assertThat(paths.schema().toString())
        .isEqualTo("encoding 1\nopaque java.nio.file.Path\n version 3\n");
  }

  @Test
  void shouldPreferARegisteredCodecToAGeneratedOne() {
    Codec<Plain> codec = new TextCodec<>();
    catalog.register(Plain.class, codec);

    assertThat(catalog.typeOf(Plain.class).codec()).isSameAs(codec);
  }

  @Test
  void shouldRefuseToChooseBetweenRegisteredInterfaces() {
    catalog.register(CharSequence.class, new TextCodec<>());
    catalog.register(Comparable.class, new TextCodec<>());

    assertRefused(() -> catalog.typeOf(String.class), "two registered codecs fit");
  }

  @Test
  void shouldFindTheNearestInterfaceInAnyOrder() {
    int times = 20; // the order of a hash table differs
    StringBuilder types = new StringBuilder();
    for (int i = 0; i < times; i++) {
      types.append(
          "interface A# {} interface B# {} interface C# extends A#, B# {} class X# implements C# {}"
              .replace("#", String.valueOf(i)));
    }
    Version version = new Version(types.toString());
    for (int i = 0; i < times; i++) {
      for (String name : List.of("A", "B", "C")) {
        version.catalog.register(version.type(name + i), new TextCodec<>());
      }
      assertThat(version.catalog.typeOf(version.type("X" + i)).type())
          .isEqualTo(version.type("C" + i));
    }
  }

  @Test
  void shouldNotRegisterWhatHasBeenSentAsAnotherType() {
    Version version =
        new Version(
            """
            interface I {} interface J extends I {} interface Other {} interface Above {}
            class Top implements Above {} class Mid extends Top {} class Low extends Mid {}
            class Impl implements J, Other {} class Sub extends Impl {}
            """);
    MessageCatalog types = version.catalog;
    MessageType<?> mid = types.register(version.type("Mid"), new TextCodec<>());
    MessageType<?> i = types.register(version.type("I"), new TextCodec<>());
    assertThat((Object) types.typeOf(version.type("Low"))).isSameAs(mid);
    assertThat((Object) types.typeOf(version.type("Sub"))).isSameAs(i);
    int known = types.types().size();

    for (String late : List.of("Low", "Sub", "Impl", "J", "Other")) {
      String sentAs = late.equals("Low") ? "v.Types$Mid" : "v.Types$I";
      assertRefused(
          () -> types.register(version.type(late), new TextCodec<>()), "already used as " + sentAs);
    }
    assertThat(types.types()).hasSize(known);
    assertThat((Object) types.typeOf(version.type("Low"))).isSameAs(mid);
  }

  /** In the other order its messages are sent as those of the type above. */
  @Test
  void shouldNotRegisterWhatIsAboveARecordThatHasBeenSent() {
    Version version =
        new Version(
            """
            interface Event {} interface Other {}
            record Opened(int a) implements Event {} record Closed(int a) implements Event {}
            enum State implements Other { ON { }, OFF }
            """);
    MessageCatalog types = version.catalog;
    MessageType<?> opened = types.typeOf(version.type("Opened"));
    MessageType<?> state = types.typeOf(version.constant("State", "ON").getClass());

    for (Class<?> late : List.of(version.type("Event"), Record.class, Object.class)) {
      assertRefused(() -> types.register(late, new TextCodec<>()), "already used as v.Types$");
    }
    assertRefused(
        () -> types.register(version.type("Other"), new TextCodec<>()), "used as v.Types$State");
    assertThat(types.types()).containsExactlyInAnyOrder(opened, state);
    MessageType<?> closed = types.register(version.type("Closed"), new TextCodec<>());
    assertThat((Object) types.typeOf(version.type("Closed"))).isSameAs(closed);
  }

  /** Peers ask for the metrics of a node whatever its application sends by which codec. */
  @Test
  void shouldLeaveMessagesOfTheLibraryToTheirOwnCodecs() {
    MessageType<?> inspect = catalog.typeOf(Inspect.class);
    MessageType<?> objects = catalog.register(Object.class, new TextCodec<>());
    MessageType<?> metrics = catalog.typeOf(NodeMetrics.class);

    assertThat(inspect.type()).isEqualTo(Inspect.class);
    assertThat(metrics.type()).isEqualTo(NodeMetrics.class);
    assertThat((Object) catalog.typeOf(Path.of("x").getClass())).isSameAs(objects);
  }

  @Test
  void shouldRegisterWhatTakesNothingFromAnotherType() {
    Version version =
        new Version(
            """
            interface I {} interface J extends I {} interface Above {} class Top implements Above {}
            class Mid extends Top {} class Low extends Mid {} class Beside extends Mid {}
            class Impl implements J {}
            """);
    MessageCatalog types = version.catalog;
    MessageType<?> mid = types.register(version.type("Mid"), new TextCodec<>());
    MessageType<?> j = types.register(version.type("J"), new TextCodec<>());
    assertThat((Object) types.typeOf(version.type("Low"))).isSameAs(mid);
    assertThat((Object) types.typeOf(version.type("Impl"))).isSameAs(j);

    for (String late : List.of("Top", "Above", "Beside", "I")) {
      MessageType<?> added = types.register(version.type(late), new TextCodec<>());
      assertThat((Object) types.typeOf(version.type(late))).isSameAs(added);
    }
    assertThat((Object) types.typeOf(version.type("Low"))).isSameAs(mid);
    assertThat((Object) types.typeOf(version.type("Impl"))).isSameAs(j);
  }

  @Test
  void shouldTryAgainAfterAFailure() {
    assertRefused(() -> catalog.typeOf(StringBuilder.class), "register a codec");
    MessageType<StringBuilder> type = catalog.register(StringBuilder.class, new TextCodec<>());
    assertThat(catalog.typeOf(StringBuilder.class)).isSameAs(type);
  }

  @Test
  void shouldMakeOneTypeForManyThreads() throws Exception {
    int threads = 16;
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      for (int round = 0; round < 20; round++) {
        MessageCatalog shared = new MessageCatalog();
        CountDownLatch start = new CountDownLatch(1);
        List<Future<MessageType<?>>> found = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          Class<?> type = i % 2 == 0 ? Plain.class : Given.class;
          found.add(
              executor.submit(() -> {
                start.await();
                return shared.typeOf(type);
              }));
        }
        start.countDown();
        for (int i = 0; i < threads; i++) {
          Class<?> type = i % 2 == 0 ? Plain.class : Given.class;
          assertThat((Object) found.get(i).get()).isSameAs(shared.typeOf(type));
        }
        assertThat(shared.types()).hasSize(2);
      }
    }
  }

  /** What another thread finds while the class of an enum is initialised, which waits for it. */
  private static final class Initialising {
    static final MessageCatalog TYPES = new MessageCatalog();
    static @Nullable MessageType<?> found;

    static void find() {
      CompletableFuture<MessageType<?>> other =
          CompletableFuture.supplyAsync(() -> TYPES.typeOf(Plain.class));
      found = other.completeOnTimeout(null, 5, TimeUnit.SECONDS).join(); // else the test would hang
    }
  }

  enum Busy {
    ONE;

    static {
      Initialising.find();
    }
  }

  record WithBusy(Busy busy) {}

  @Test
  void shouldFindTypesForOthersWhileAnEnumIsInitialised() {
    MessageType<WithBusy> type = Initialising.TYPES.typeOf(WithBusy.class);
    assertThat((Object) Initialising.found).isSameAs(Initialising.TYPES.typeOf(Plain.class));
    assertThat(Initialising.TYPES.types()).hasSize(2).contains(type);
  }

  private static void assertRefused(Runnable call, String message) {
    assertThatThrownBy(call::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void shouldNotBeKeptByClassesThatItHasKnown() {
    WeakReference<MessageCatalog> closed = new WeakReference<>(catalogThatKnows(Plain.class));

    Awaiting.await(
        "the catalog is collected",
        () -> {
          System.gc();
          return closed.refersTo(null);
        });
  }

  private static MessageCatalog catalogThatKnows(Class<?> type) {
    MessageCatalog catalog = new MessageCatalog();
    assertThat(catalog.typeOf(type)).isSameAs(catalog.typeOf(type));
    return catalog;
  }
}
