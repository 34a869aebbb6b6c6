package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.EncodingException;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.Samples.Checked;
import org.ringwire.heap.Samples.Colour;
import org.ringwire.heap.Samples.Node;
import org.ringwire.heap.Samples.Pair;
import org.ringwire.heap.Samples.Point;
import org.ringwire.heap.image.Encoder;
import org.ringwire.testing.NodeWatcher;

/** What is not accepted, too large, or not what this side has, is refused with a reason. */
@ExtendWith(NodeWatcher.class)
class RefusalTest {
  private static final HeapCodec SENDER = HeapCodecTest.CODEC;

  /** Set by a class that nobody accepts, when it is initialised. */
  static final AtomicBoolean INITIALISED = new AtomicBoolean();

  static final class Unwanted {
    static {
      INITIALISED.set(true);
    }

    int field;
  }

  private static final class MyMap extends HashMap<String, String> {
    private static final long serialVersionUID = 1;
  }

  static Stream<Arguments> unsendable() {
    Supplier<String> lambda = () -> "x";
    return Stream.of(
        Arguments.of(lambda, "lambda"),
        Arguments.of(Thread.currentThread(), "a thread belongs to its JVM"),
        Arguments.of(RefusalTest.class.getClassLoader(), "code belongs to its JVM"),
        Arguments.of(new ThreadLocal<String>(), "what a thread holds"),
        Arguments.of(new IllegalStateException("x"), "frames of their JVM"),
        Arguments.of(new MyMap(), "it extends java.util.HashMap"),
        Arguments.of(new long[1][1][1][1][1][1][1][1][1], "more dimensions than a receiver reads"),
        Arguments.of(new MyMap[1][1][1][1][1][1][1][1][1], "limit of dimensions=8"),
        Arguments.of(java.nio.ByteBuffer.allocateDirect(8), "its fields belong to the JDK"),
        Arguments.of(new java.util.WeakHashMap<>(), "copy it into a map"),
        Arguments.of(new ArrayList<>(List.of(1, 2)).subList(0, 1), "copy it into a collection"),
        Arguments.of(Map.copyOf(Map.of(1, 2)).keySet(), "copy it into a collection"),
        Arguments.of(new HashMap<>(Map.of(1, 2)).entrySet().iterator().next(), "by Map.entry"),
        Arguments.of(java.util.regex.Pattern.compile("x"), "send what pattern()"),
        Arguments.of(java.lang.foreign.MemorySegment.NULL, "its fields belong to the JDK"),
        Arguments.of(
            Proxy.newProxyInstance(
                RefusalTest.class.getClassLoader(),
                new Class<?>[] {Runnable.class},
                (p, m, a) -> null),
            "a dynamic proxy"));
  }

  @ParameterizedTest
  @MethodSource("unsendable")
  void shouldRefuseToSendWithAReason(Object object, String reason) {
    assertThatThrownBy(() -> SENDER.encode(new Object[] {object}))
        .isInstanceOf(EncodingException.class)
        .hasMessageContaining(object.getClass().getName())
        .hasMessageContaining(reason);
    assertThat(SENDER.decode(SENDER.encode("still works"))).isEqualTo("still works");
  }

  static Stream<Arguments> unsendableClasses() {
    Supplier<String> lambda = () -> "x";
    Class<?> proxy =
        Proxy.newProxyInstance(
                RefusalTest.class.getClassLoader(),
                new Class<?>[] {Runnable.class},
                (p, m, a) -> null)
            .getClass();
    return Stream.of(
        Arguments.of(lambda.getClass(), "a hidden class"),
        Arguments.of(lambda.getClass().arrayType().arrayType(), "a hidden class"),
        Arguments.of(proxy, "a dynamic proxy"),
        Arguments.of(proxy.arrayType(), "a dynamic proxy"),
        Arguments.of(long[][][][][][][][][].class, "limit of dimensions=8"));
  }

  @ParameterizedTest
  @MethodSource("unsendableClasses")
  void shouldRefuseToSendClassesThatNoReceiverKnowsByTheirNames(Class<?> type, String reason) {
    assertThatThrownBy(() -> SENDER.encode(new Object[] {type}))
        .isInstanceOf(EncodingException.class)
        .hasMessageContaining(type.getName())
        .hasMessageContaining(reason);
  }

  /** An object with what cannot be sent somewhere behind it. */
  static final class Cache {
    final Map<String, Object> entries = new HashMap<>();
    @Nullable Object next;
  }

  @Test
  void shouldNameTheFieldBehindWhichSomethingCannotBeSent() {
    Cache cache = new Cache();
    Object[] graph = {"text", List.of(cache), Samples.list(1000)};
    cache.next = graph;
    cache.entries.put("weak", new ArrayList<>(List.of(new WeakHashMap<>())));

    assertThatThrownBy(() -> SENDER.encode(graph))
        .isInstanceOf(EncodingException.class)
        .hasMessageContainingAll(
            "class=java.util.WeakHashMap", "field=" + Cache.class.getName() + ".entries");
    cache.entries.clear();
    cache.next = new Node(1, null);
    assertThat(SENDER.decode(SENDER.encode(graph))).isNotNull();
    assertThatThrownBy(() -> SENDER.encode(new WeakHashMap<>()))
        .isInstanceOf(EncodingException.class)
        .hasMessageNotContaining("; field=");
  }

  @Test
  void shouldAcceptOnlyWhatIsNamed() {
    byte[] image = SENDER.encode(new Object[] {new Point(1, 2), new Pair(1, "x")});

    assertThatThrownBy(() -> HeapCodec.builder().accept(Point.class).build().decode(image))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining(Pair.class.getName())
        .hasMessageContaining("accept(");
    assertThat(HeapCodec.builder().accept(Point.class, Pair[].class).build().decode(image))
        .isNotNull();
    assertThat(
            HeapCodec.builder()
                .acceptNames(n -> n.endsWith("r") || n.endsWith("t"))
                .build()
                .decode(image))
        .isNotNull();
    assertThatThrownBy(
            () -> HeapCodec.builder().acceptPackage("org.ringwire").build().decode(image))
        .isInstanceOf(DecodingException.class);
  }

  @Test
  void shouldNeitherLoadNorInitialiseWhatIsNotAccepted() {
    byte[] image =
        named(SENDER.encode(new Point(1, 2)), Point.class, "org.ringwire.heap.Samples$Absent");
    AtomicBoolean asked = new AtomicBoolean();
    ClassLoader loader =
        new ClassLoader(null) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            asked.set(true);
            throw new ClassNotFoundException(name);
          }
        };
    HeapCodec strict = HeapCodec.builder().accept(Pair.class).classLoader(loader).build();
    assertThatThrownBy(() -> strict.decode(image)).hasMessageContaining("not accepted");
    assertThat(asked).isFalse();

    HeapCodec open = HeapCodec.builder().acceptNames(name -> true).classLoader(loader).build();
    assertThatThrownBy(() -> open.decode(image))
        .hasMessageContaining("no such class")
        .hasMessageContaining("classLoader(...)");
    assertThat(asked).isTrue();

    byte[] unwanted =
        SENDER.encode(new Object[] {"org.ringwire.heap.RefusalTest$Unwanted", Point.class});
    assertThat(SENDER.decode(unwanted)).isNotNull();
    assertThat(INITIALISED).isFalse();
    byte[] asClass = SENDER.encode(Unwanted.class);
    assertThat(SENDER.decode(asClass)).isEqualTo(Unwanted.class);
    assertThat(INITIALISED).isFalse();
  }

  @Test
  void shouldRefuseClassesOfThePlatformEvenIfAllNamesAreAccepted() {
    byte[] image = named(SENDER.encode(new Point(1, 2)), Point.class, "java.lang.ProcessBuilder");

    HeapCodec open = HeapCodec.builder().acceptNames(name -> true).build();

    assertThatThrownBy(() -> open.decode(image))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("java.lang.ProcessBuilder");
  }

  /** An image that says another name of the same length or not. */
  private static byte[] named(byte[] image, Class<?> type, String other) {
    return Images.replace(image, type.getName(), other);
  }

  @Test
  void shouldNameClassAndFieldOfAMismatch() {
    byte[] renamed = Images.replace(SENDER.encode(new Point(1, 2)), "y float", "z float");
    byte[] retyped = Images.replace(SENDER.encode(new Point(1, 2)), "x int", "x long");

    assertThatThrownBy(() -> SENDER.decode(renamed))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("class=" + Point.class.getName())
        .hasMessageContaining("field=z type=float");
    assertThatThrownBy(() -> SENDER.decode(retyped)).hasMessageContaining("field=x type=long");
  }

  @Test
  void shouldNameTheKindThatAClassHasAtItsSender() {
    byte[] remade = Images.replace(SENDER.encode(Colour.RED), "\nenum", "\nobject");

    assertThatThrownBy(() -> SENDER.decode(remade))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("class=" + Colour.class.getName() + " kind=object: only the sender");
  }

  @Test
  void shouldNameAConstantThatIsMissing() {
    byte[] image = Images.replace(SENDER.encode(Colour.RED), "RED", "TAN");

    assertThatThrownBy(() -> SENDER.decode(image))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("constant=TAN");
  }

  @Test
  void shouldHoldToLimits() {
    byte[] image = SENDER.encode(new Object[] {new int[100], Samples.list(50), List.of(1, 2, 3)});

    assertThatThrownBy(() -> limited().maxArrayLength(99).build().decode(image))
        .hasMessageContaining("limit of array length=99");
    assertThatThrownBy(() -> limited().maxObjects(20).build().decode(image))
        .hasMessageContaining("limit of objects=20");
    assertThatThrownBy(() -> limited().maxDepth(10).build().decode(image))
        .hasMessageContaining("limit of depth=10");
    assertThatThrownBy(() -> limited().maxBytes(500).build().decode(image))
        .hasMessageContaining("limit of bytes=500");
    assertThatThrownBy(() -> limited().maxBytes(500).build().encode(new int[1000]))
        .isInstanceOf(EncodingException.class)
        .hasMessageContaining("limit of bytes=500");
    assertThatThrownBy(() -> limited().maxDepth(49).build().encode(Samples.list(50)))
        .isInstanceOf(EncodingException.class)
        .hasMessageContaining("limit of depth=49");
    assertThat(limited().maxDepth(52).maxArrayLength(100).build().decode(image)).isNotNull();
  }

  @Test
  void shouldNameTheArgumentThatIsNotThere() {
    Map<String, ThrowingCallable> arguments =
        Map.of(
            "a package must not be null", () -> HeapCodec.builder().acceptPackage(null),
            "names must not be null", () -> HeapCodec.builder().acceptNames(null),
            "a class must not be null", () -> HeapCodec.builder().accept(Pair.class, null),
            "timeout must not be null", () -> ChannelOptions.DEFAULT.withTimeout(null));
    arguments.forEach((message, argument) ->
        assertThatThrownBy(argument).isInstanceOf(NullPointerException.class).hasMessage(message));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "com.example.*",
        "com.example.",
        ".com.example",
        "*",
        "",
        "com/example",
        "com..example",
        "com example",
        "com.example.1"
      })
  void shouldRefuseWhatIsNoNameOfAPackage(String name) {
    assertThatThrownBy(() -> HeapCodec.builder().acceptPackage(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("acceptNames(name -> name.startsWith(\"com.example.\"))")
        .hasMessageEndingWith("package=" + name);
  }

  @Test
  void shouldRefuseEveryLimitThatIsOutOfItsRangeByName() {
    Map<String, ThrowingCallable> limits =
        Map.of(
            "maxObjects must be 1 or more: maxObjects=0", () -> limited().maxObjects(0),
            "maxBytes must be 16 or more: maxBytes=15", () -> limited().maxBytes(15),
            "maxDepth must be 1 or more: maxDepth=0", () -> limited().maxDepth(0),
            "maxArrayLength must be 0 or more: maxArrayLength=-1",
                () -> limited().maxArrayLength(-1));
    limits.forEach((message, limit) ->
        assertThatThrownBy(limit).isInstanceOf(IllegalArgumentException.class).hasMessage(message));
    assertThat(limited().maxObjects(1).maxBytes(16).maxDepth(1).maxArrayLength(0).build())
        .isNotNull();
  }

  /** Where elements are read in one go, the limits are those of elements that are not. */
  @Test
  void shouldHoldToLimitsWithinArraysOfSmallObjects() {
    Pair[] pairs = new Pair[200];
    Arrays.setAll(pairs, i -> new Pair(i, "word"));
    byte[] image = limited().detectCycles(false).build().encode(pairs);

    assertThat(limited().maxObjects(401).build().decode(image)).isNotNull();
    assertThatThrownBy(() -> limited().maxObjects(400).build().decode(image))
        .hasMessageContaining("limit of objects=400");
    pairs[100].word = new char[60];
    byte[] longer = limited().detectCycles(false).build().encode(new Object[] {pairs[100], pairs});
    assertThatThrownBy(() -> limited().maxArrayLength(59).build().decode(longer))
        .hasMessageContaining("limit of array length=59");
  }

  /** Whatever is cut off or wrong in one of many elements that are read in one go. */
  @Test
  void shouldRefuseDamageWithinArraysOfSmallObjects() {
    Pair[] pairs = new Pair[50];
    Arrays.setAll(pairs, i -> new Pair(i, "word"));
    HeapCodec plain = limited().detectCycles(false).build();
    byte[] image = plain.encode(pairs);
    int bytesEach = 1 + Integer.BYTES + 1 + Integer.BYTES + 4 * Character.BYTES;
    int lengthOf30 = image.length - 20 * bytesEach - 4 * Character.BYTES - Integer.BYTES;
    ByteBuffer view = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(view.getInt(lengthOf30)).isEqualTo(4);

    for (int length : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 5, 3, 32, 33}) {
      view.putInt(lengthOf30, length);
      assertThatThrownBy(() -> plain.decode(image)).isInstanceOf(DecodingException.class);
    }
    view.putInt(lengthOf30, 4);
    assertThat(plain.decode(image)).isNotNull();
    for (int cut = 1; cut < 6 * bytesEach; cut++) {
      byte[] shorter = Arrays.copyOf(image, image.length - cut);
      Images.setLength(shorter);
      assertThatThrownBy(() -> plain.decode(shorter)).isInstanceOf(DecodingException.class);
    }
  }

  private static HeapCodec.Builder limited() {
    return HeapCodec.builder().acceptPackage("org.ringwire.heap");
  }

  @Test
  void shouldEndACycleThatIsNotDetected() {
    Node ring = new Node(1, null);
    ring.next = ring;
    List<Object> wide = new ArrayList<>();
    wide.add(wide);
    wide.add(wide);

    HeapCodec blind = limited().detectCycles(false).maxBytes(1 << 20).build();
    assertThatThrownBy(() -> blind.encode(ring))
        .isInstanceOf(EncodingException.class)
        .hasMessageContaining("limit of depth=10000; does it have a cycle");
    assertThatThrownBy(() -> blind.encode(wide))
        .isInstanceOf(EncodingException.class)
        .hasMessageContaining("does it have a cycle");
  }

  /** Its ways double with each level, so it never gets as deep as the limit of depth. */
  @Test
  void shouldSoonEndACycleThatBranchesAndIsNotDetected() {
    Linked first = new Linked();
    Linked second = new Linked();
    first.next = second;
    second.previous = first;
    second.next = new Linked();
    second.next.previous = second;
    Linked twice = new Linked();
    twice.next = twice;
    twice.previous = twice;
    Map<String, Object> parent = new HashMap<>();
    Map<String, Object> child = new HashMap<>(Map.of("parent", parent, "sibling", parent));
    parent.put("child", child);

    HeapCodec blind = limited().detectCycles(false).build();
    for (Object graph : List.of(first, twice, parent, new Object[] {parent})) {
      assertThatThrownBy(() -> blind.encode(graph))
          .isInstanceOf(EncodingException.class)
          .hasMessageContaining("the same objects again and again: references put off=1048576")
          .hasMessageEndingWith("does it have a cycle? Cycle detection is off");
    }
    assertThat(blind.decode(blind.encode("as before"))).isEqualTo("as before");
  }

  static final class Linked {
    @Nullable Linked next;
    @Nullable Linked previous;
  }

  /** Where all of its elements are put off. */
  @Test
  void shouldNotTakeAWideTreeForACycle() {
    Object[] wide = new Object[(1 << 20) + 1];
    Arrays.setAll(wide, _ -> new Object[0]);
    Object tree = wide;
    for (int level = 1; level < Encoder.NESTING; level++) {
      tree = new Object[] {tree};
    }
    Object copy = SENDER.decode(limited().detectCycles(false).build().encode(tree));
    while (((Object[]) copy).length == 1) {
      copy = ((Object[]) copy)[0];
    }
    assertThat((Object[]) copy).hasSameSizeAs(wide);
  }

  @Test
  void shouldAskObjectsAndValidatorWhetherTheyAreValid() {
    byte[] good = SENDER.encode(new Object[] {new Checked(1, 2), "x"});
    byte[] bad = SENDER.encode(new Object[] {new Checked(2, 1), "x"});
    HeapCodec checking =
        limited()
            .validator(graph -> {
              if (!(graph instanceof Object[])) {
                throw new IllegalArgumentException("no array");
              }
            })
            .build();

    assertThat(checking.decode(good)).isNotNull();
    assertThatThrownBy(() -> checking.decode(bad))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining(Checked.class.getName())
        .hasMessageContaining("from=2 to=1");
    assertThatThrownBy(() -> checking.decode(SENDER.encode("text")))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("no array");
  }

  @Test
  void shouldNotStoreWhatAFieldCannotHold() {
    // The description says that an array of one class has objects of another.
    byte[] image = SENDER.encode(new Object[] {new Node(1, new Node(2, null))});
    int last = indexOfNull(image);
    image[last] = 16; // the tag of a string, which then has no bytes
    byte[] longer = Arrays.copyOf(image, image.length + 4);
    Images.setLength(longer);
    Images.addObjects(longer, 1);

    assertThatThrownBy(() -> SENDER.decode(longer))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("field=next")
        .hasMessageContaining("found=java.lang.String");
  }

  private static int indexOfNull(byte[] image) {
    assertThat(image[image.length - 1]).isZero();
    return image.length - 1;
  }

  @Test
  void shouldRefuseWhatIsNoImage() {
    byte[] text = "no image of anything at all".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> SENDER.decode(text))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("no image: they begin with 0x6e6f2069");
    assertThatThrownBy(() -> SENDER.decode(new ByteArrayInputStream(text)))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("no image: they begin with 0x6e6f2069");
    byte[] image = SENDER.encode("text");
    for (int length = 0; length < image.length; length++) {
      byte[] cut = Arrays.copyOf(image, length);
      String problem =
          length < 16
              ? "too short for an image: bytes=" + length
              : "cut short: length=" + image.length + " bytes here=" + length;
      assertThatThrownBy(() -> SENDER.decode(cut))
          .isInstanceOf(DecodingException.class)
          .hasMessageContaining(problem);
    }
    byte[] newer = image.clone();
    newer[2]++;
    assertThatThrownBy(() -> SENDER.decode(newer))
        .hasMessageContaining("another version: version=2 expected=1");
    byte[] longer = Arrays.copyOf(image, image.length + 3);
    Images.setLength(longer);
    assertThatThrownBy(() -> SENDER.decode(longer)).hasMessageContaining("bytes are left");
  }
}
