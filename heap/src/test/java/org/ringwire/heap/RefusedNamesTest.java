package org.ringwire.heap;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.INTEGER;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.codec.DecodingException;
import org.ringwire.testing.NodeWatcher;

/** Names of classes in images, as a hostile sender would write them. */
@ExtendWith(NodeWatcher.class)
class RefusedNamesTest {
  private static final byte DECLARE = 3;
  private static final byte CLASS = 36;
  private static final String UNWANTED = "org.ringwire.heap.RefusalTest$Unwanted";

  /** Set by an enum that nobody accepts, when it is initialised. */
  static final AtomicBoolean INITIALISED = new AtomicBoolean();

  enum Unaccepted {
    ONE;

    static {
      INITIALISED.set(true);
    }
  }

  /** Accepted, while the types of its fields are not. */
  static final class Holder {
    @Nullable Unaccepted constant;
    Unaccepted @Nullable [] constants;
    int number = 5;
  }

  private static byte[] image(byte tag, String text, int more) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    byte[] image = Arrays.copyOf(HeapCodec.builder().detectCycles(false).build().encode(null), 16);
    image = Arrays.copyOf(image, 16 + 1 + 4 + bytes.length + more);
    ByteBuffer.wrap(image)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(8, image.length)
        .position(16)
        .put(tag)
        .putInt(bytes.length)
        .put(bytes);
    return image;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        UNWANTED,
        "[L" + UNWANTED + ";",
        "[L[L" + UNWANTED + ";;",
        "[[L[[L" + UNWANTED + ";;",
        "[L[[L" + UNWANTED + ";;"
      })
  void shouldLoadNoClassWhoseNameIsRefused(String name) {
    List<String> asked = new ArrayList<>();
    List<String> loaded = new ArrayList<>();
    ClassLoader loader =
        new ClassLoader(RefusedNamesTest.class.getClassLoader()) {
          @Override
          public Class<?> loadClass(String type) throws ClassNotFoundException {
            loaded.add(type);
            return super.loadClass(type);
          }
        };
    HeapCodec codec =
        HeapCodec.builder()
            .acceptNames(type -> {
              asked.add(type);
              return !type.startsWith("org.ringwire.heap.Refusal");
            })
            .classLoader(loader)
            .build();

    assertThatThrownBy(() -> codec.decode(image(CLASS, name, 0)))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining(UNWANTED);
    assertThat(loaded).isEmpty();
    assertThat(asked).allMatch(type -> type.equals(UNWANTED));
  }

  /** As of values: whoever logs the error writes it more than once. */
  @ParameterizedTest
  @ValueSource(strings = {"object\n%s int", "object\nnumber %s", "%s"})
  void shouldSayLittleOfALongFieldThatIsNotHere(String rest) {
    String longest = "x".repeat(60_000);
    String description = Holder.class.getName() + "\n" + rest.formatted(longest);
    HeapCodec codec = HeapCodec.builder().accept(Holder.class).build();

    assertThatThrownBy(() -> codec.decode(image(DECLARE, description, 0)))
        .isInstanceOf(DecodingException.class)
        .hasMessageContainingAll(Holder.class.getName(), "xxx", "only the sender has it like this")
        .extracting(e -> String.valueOf(e.getMessage()).length(), as(INTEGER))
        .isLessThan(4_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[Lvoid;", "[[Lvoid;", "[V", "[Lint;", "[L;", "[", "[]", "V", "I;", ""})
  void shouldRefuseWhatIsNoName(String name) {
    HeapCodec open = HeapCodec.builder().acceptNames(type -> true).build();
    for (HeapCodec codec : List.of(open, HeapCodec.builder().build())) {
      assertThatThrownBy(() -> codec.decode(image(CLASS, name, 0)))
          .isInstanceOf(DecodingException.class);
      assertThatThrownBy(() -> codec.decode(image(DECLARE, name + "\narray", 8)))
          .isInstanceOf(DecodingException.class);
    }
  }

  @Test
  void shouldInitialiseNoEnumThatIsJustTheTypeOfAField() {
    HeapCodec codec = HeapCodec.builder().accept(Holder.class).build();
    String other = Holder.class.getName() + "\nobject\nnumber long";

    assertThatThrownBy(() -> codec.decode(image(DECLARE, other, 8)))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("class differs from the sender's");
    Holder copied = (Holder) codec.decode(codec.encode(new Holder()));

    assertThat(copied).isNotNull();
    assertThat(copied.number).isEqualTo(5);
    assertThat(INITIALISED).isFalse();

    Holder full = new Holder();
    full.constant = Unaccepted.ONE;
    full.constants = new Unaccepted[] {Unaccepted.ONE, null};
    assertThatThrownBy(() -> codec.decode(codec.encode(full)))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining(Unaccepted.class.getName());
    HeapCodec both = HeapCodec.builder().accept(Holder.class, Unaccepted.class).build();
    assertThat(((Holder) both.decode(both.encode(full))).constants).isEqualTo(full.constants);
  }

  enum Broken {
    ONE;

    static final int LENGTH = Integer.parseInt("no number");
  }

  static final class BrokenHolder {
    static final int LENGTH = Integer.parseInt("no number");

    int number;
  }

  @Test
  void shouldRefuseWhatCannotBeInitialised() {
    HeapCodec codec = HeapCodec.builder().acceptPackage("org.ringwire.heap").build();
    String[] descriptions = {
      "org.ringwire.heap.RefusedNamesTest$Broken\nenum",
      "org.ringwire.heap.RefusedNamesTest$BrokenHolder\nobject\nnumber int"
    };
    for (String description : descriptions) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> codec.decode(image(DECLARE, description, 4)))
            .isInstanceOf(DecodingException.class)
            .hasMessageContaining("$Broken");
      }
    }
  }

  /** Some classes of the JDK are loaded as those of applications are. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "com.sun.tools.javac.util.Pair",
        "com.sun.tools.javac.Main",
        "java.lang.ProcessBuilder",
        "java.sql.Date"
      })
  void shouldAcceptNothingOfThePlatformByAPredicate(String name) {
    HeapCodec open =
        HeapCodec.builder()
            .acceptNames(type -> true)
            .classLoader(ClassLoader.getSystemClassLoader())
            .build();
    String pair = name + "\nobject\nfst java.lang.Object\nsnd java.lang.Object";

    for (byte[] image :
        List.of(
            image(DECLARE, pair, 2),
            image(CLASS, name, 0),
            image(CLASS, "[L" + name + ";", 0),
            image(DECLARE, "[L" + name + ";\narray", 4))) {
      assertThatThrownBy(() -> open.decode(image))
          .isInstanceOf(DecodingException.class)
          .hasMessageContaining(name);
    }
  }

  /** No harm is in constants, and of interfaces and abstract classes there are no objects. */
  @Test
  void shouldAcceptEnumsAndOpenTypesOfThePlatformByTheirNames() {
    HeapCodec codec = HeapCodec.builder().acceptNames(name -> name.startsWith("java.")).build();
    Object[] graph = {
      DayOfWeek.FRIDAY,
      TimeUnit.DAYS,
      new ZoneId[] {ZoneId.of("Europe/Paris"), ZoneOffset.UTC},
      new CharSequence[] {"a"},
      new Temporal[] {LocalDate.of(2026, 11, 25)},
      Temporal.class
    };

    Object[] copied = (Object[]) codec.decode(codec.encode(graph));

    assertThat(Arrays.deepEquals(copied, graph)).isTrue();
    HeapCodec none = HeapCodec.builder().build();
    assertThatThrownBy(() -> none.decode(codec.encode(Locale.Category.FORMAT)))
        .isInstanceOf(DecodingException.class);
  }

  @Test
  void shouldAcceptAClassOfThePlatformThatIsGiven() {
    Class<?> given = MethodHandles.Lookup.class;
    HeapCodec codec = HeapCodec.builder().accept(given).build();

    assertThat(codec.decode(codec.encode(given))).isEqualTo(given);
    assertThatThrownBy(() -> HeapCodecTest.CODEC.decode(codec.encode(given)))
        .isInstanceOf(DecodingException.class);
  }

  /** Has a class of a name that others have, too. */
  private static final class Another extends ClassLoader {
    Another() {
      super(RefusedNamesTest.class.getClassLoader());
    }

    Class<?> point() throws IOException {
      String name = Samples.Point.class.getName();
      try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = Objects.requireNonNull(file).readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      }
    }
  }

  @Test
  void shouldRefuseToAcceptTwoClassesOfOneName() throws IOException {
    Class<?> here = Samples.Point.class;
    Class<?> there = new Another().point();
    HeapCodec.Builder builder = HeapCodec.builder().accept(there, there.arrayType());

    assertThatThrownBy(() -> builder.accept(here))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            here.getName(), here.getClassLoader().toString(), there.getClassLoader().toString());
    Object copy = builder.build().decode(HeapCodecTest.CODEC.encode(new Samples.Point(1, 2)));
    assertThat(copy).isInstanceOf(there); // the one that was there first, as before
  }

  /** Keeps a lock for each name that it is asked for, as those of applications do. */
  private static final class Counting extends ClassLoader {
    private final Set<String> unknown = new HashSet<>();

    Counting() {
      super(RefusedNamesTest.class.getClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      unknown.add(name);
      throw new ClassNotFoundException(name);
    }
  }

  @Test
  void shouldShowAClassLoaderABoundedNumberOfNamesThatItDoesNotKnow() {
    Counting loader = new Counting();
    HeapCodec codec =
        HeapCodec.builder().acceptPackage("org.ringwire.heap").classLoader(loader).build();
    for (int i = 0; i < 3000; i++) {
      String name = "org.ringwire.heap.Unknown" + i;
      for (byte[] image : List.of(image(CLASS, name, 0), image(DECLARE, name + "\nobject", 0))) {
        assertThatThrownBy(() -> codec.decode(image))
            .isInstanceOf(DecodingException.class)
            .hasMessageContainingAll("no such class here", name);
      }
    }

    assertThat(loader.unknown).hasSizeBetween(1, 1024);
    assertThat(codec.decode(codec.encode(Holder.class))).isEqualTo(Holder.class);
    assertThat(codec.decode(codec.encode(new Holder()))).isInstanceOf(Holder.class);
  }

  /** Has a class without a file, as what is made while a program runs. */
  private static final class Making extends ClassLoader {
    private static final String NAME = Holder.class.getName();

    private final byte[] bytes;

    Making() throws IOException {
      super(null);
      String file = NAME.substring(NAME.lastIndexOf('.') + 1) + ".class";
      try (InputStream in = RefusedNamesTest.class.getResourceAsStream(file)) {
        bytes = Objects.requireNonNull(in).readAllBytes();
      }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (!name.equals(NAME)) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, bytes, 0, bytes.length);
    }
  }

  /** A class loader keeps no more for the same name than before. */
  @Test
  void shouldCountANameOnceHoweverOftenItComes() throws Exception {
    HeapCodec codec =
        HeapCodec.builder().acceptPackage("org.ringwire.heap").classLoader(new Making()).build();
    byte[] image = image(CLASS, "org.ringwire.heap.Unknown", 0);
    for (int i = 0; i < 3000; i++) {
      assertThatThrownBy(() -> codec.decode(image)).isInstanceOf(DecodingException.class);
    }

    Class<?> made = (Class<?>) codec.decode(image(CLASS, Making.NAME, 0));

    assertThat(made).isNotNull().isNotSameAs(Holder.class);
    assertThat(made.getName()).isEqualTo(Making.NAME);
  }
}
