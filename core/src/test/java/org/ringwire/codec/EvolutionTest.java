package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.MessagingException;
import org.ringwire.testing.NodeWatcher;

/** Two versions of the same types, in class loaders of their own, read what the other writes. */
@ExtendWith(NodeWatcher.class)
class EvolutionTest {

  @Test
  void shouldMatchComponentsByName() {
    Version one = new Version("record A(int a, String b, long c) {}");
    Version two = new Version("record A(String b, long c, int a) {}");
    assertThat(two.read(one, one.make("A", 1, "x", 3L))).isEqualTo("A[b=x, c=3, a=1]");
    assertThat(one.read(two, two.make("A", "y", 4L, 2))).isEqualTo("A[a=2, b=y, c=4]");
  }

  @Test
  void shouldGiveDefaultsToComponentsThatTheWriterDoesNotHave() {
    Version one = new Version("record A(int a) {}");
    Version two =
        new Version(
            """
            enum E { X, Y }
            record A(boolean b, char c, byte d, short e, int a, long f, float g, double h,
                String i, Integer j, Optional<String> k, List<String> l, int[] m, E n,
                @Compact int o, A p) {}
            """);
    assertThat(two.read(one, one.make("A", 7)))
        .isEqualTo(
            "A[b=false, c=\0, d=0, e=0, a=7, f=0, g=0.0, h=0.0, i=null, j=null, k=Optional[null],"
                + " l=null, m=null, n=null, o=0, p=null]");
  }

  @Test
  void shouldGiveDeclaredDefaults() {
    Version one = new Version("record A(int a) {}");
    Version two =
        new Version(
            """
            enum E { X, Y }
            record A(int a, @Default("true") boolean b, @Default("c") char c, @Default("-3") byte d,
                @Default("4") short e, @Default("5") long f, @Default("1.5") float g,
                @Default("2.5") double h, @Default("text") String i, @Default("9") Integer j,
                @Default("z") Optional<String> k, @Default("") List<String> l, @Default("") int[] m,
                @Default("Y") E n, @Default("11") @Compact int o, @Default("") Map<String, E> p,
                @Default("") Set<E> q, @Default("") E[] r, @Default("PT3S") Duration s,
                @Default("1970-01-01T00:00:05Z") Instant t,
                @Default("00000000-0000-0001-0000-000000000002") UUID u, @Default("8") Long v) {}
            """);
    assertThat(two.read(one, one.make("A", 1)))
        .isEqualTo(
            "A[a=1, b=true, c=c, d=-3, e=4, f=5, g=1.5, h=2.5, i=text, j=9, k=Optional[z], l=[],"
                + " m=[], n=Y, o=11, p=[], q=[], r=[], s=PT3S, t=1970-01-01T00:00:05Z,"
                + " u=00000000-0000-0001-0000-000000000002, v=8]");
  }

  @Test
  void shouldRefuseDefaultsThatDoNotFitWhenTheTypeIsRegistered() {
    for (String component :
        List.of(
            "@Default(\"x\") int a",
            "@Default(\"\") boolean a",
            "@Default(\"ab\") char a",
            "@Default(\"tomorrow\") Instant a",
            "@Default(\"x\") List<String> a",
            "@Default(\"X\") Thread.State a",
            "@Default(\"\") A a")) {
      Version version = new Version("record A(" + component + ") {}");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> version.catalog.typeOf(version.type("A")))
          .withMessageContaining("component a of v.Types$A: @Default");
    }
  }

  @Test
  void shouldSkipComponentsThatTheReaderDoesNotHave() {
    String added =
        """
        enum E { X, Y }
        sealed interface S permits S1, S2 {}
        record S1(String text) implements S {}
        record S2(int number, S next) implements S {}
        record Fixed(int a, Integer b) {}
        record R(String text, List<R> more, Fixed fixed) {}
        """;
    List<String> types =
        List.of(
            "byte",
            "Long",
            "@Compact int",
            "@Compact long",
            "String",
            "UUID",
            "E",
            "Fixed",
            "R",
            "S",
            "int[]",
            "boolean[]",
            "String[]",
            "List<Integer>",
            "List<Fixed>",
            "List<R>",
            "Set<S>",
            "Map<String, R>",
            "Map<Integer, E>",
            "Optional<Integer>",
            "Optional<R>",
            "List<Map<String, Optional<S>>>");
    StringBuilder components = new StringBuilder();
    for (int i = 0; i < types.size(); i++) {
      components.append(types.get(i)).append(" c").append(i).append(", ");
    }
    Version one = new Version("record A(int z) {}");
    Version two = new Version(added + "record A(" + components + " int z) {}");
    RandomValues values = new RandomValues(new java.util.Random(1));
    @SuppressWarnings("unchecked")
    Class<Record> type = (Class<Record>) two.type("A");
    for (int i = 0; i < 300; i++) {
      Record message = values.record(type);
      assertThat(one.read(two, message)).isEqualTo("A[z=" + Texts.component(message, "z") + "]");
    }
  }

  @Test
  void shouldWidenNumbers() {
    Version one =
        new Version(
            """
            record A(byte a, short b, char c, int d, float e, int f, Integer g, short h,
                @Compact int i, int j, @Compact long k, int l, List<Integer> m, int[] n, float[] o,
                Map<Integer, Float> p, Optional<Byte> q, Short[] r) {}
            """);
    Version two =
        new Version(
            """
            record A(short a, int b, int c, long d, double e, double f, Long g, Long h,
                long i, @Compact long j, Long k, @Compact int l, List<Long> m, long[] n, double[] o,
                Map<Long, Double> p, Optional<Double> q, Integer[] r) {}
            """);
    Object message =
        one.make(
            "A",
            (byte) -1,
            (short) -2,
            'c',
            -4,
            0.5f,
            6,
            null,
            (short) 8,
            -9,
            10,
            11L,
            12,
            Arrays.asList(13, null, -15),
            new int[] {-1, Integer.MAX_VALUE},
            new float[] {1.5f},
            Map.of(1, 2f),
            Optional.of((byte) 3),
            new Short[] {4, null});
    assertThat(two.read(one, message))
        .isEqualTo(
            "A[a=-1, b=-2, c=99, d=-4, e=0.5, f=6.0, g=null, h=8, i=-9, j=10, k=11, l=12,"
                + " m=[13, null, -15], n=[-1, 2147483647], o=[1.5], p=[1=2.0], q=Optional[3.0],"
                + " r=[4, null]]");
  }

  @Test
  void shouldMatchConstantsByName() {
    Version one = new Version("enum E { B, C, D } record A(E e, List<E> f) {}");
    Version two = new Version("enum E { A, B, D } record A(E e, List<E> f) {}");
    Object good =
        one.make("A", one.constant("E", "D"), Arrays.asList(one.constant("E", "B"), null));
    assertThat(two.read(one, good)).isEqualTo("A[e=D, f=[B, null]]");
    Object bad = one.make("A", one.constant("E", "C"), null);
    assertThatExceptionOfType(MessagingException.class)
        .isThrownBy(() -> two.read(one, bad))
        .isNotInstanceOf(DecodingException.class) // costs the message, not the connection
        .withMessageStartingWith("component e: ")
        .withMessageContaining("constant=C");
    Object inList = one.make("A", null, List.of(one.constant("E", "C")));
    assertThatExceptionOfType(MessagingException.class)
        .isThrownBy(() -> two.read(one, inList))
        .withMessageStartingWith("component f: ");
    Object message = one.constant("E", "D");
    assertThat(two.read(one, message)).isEqualTo("D");
  }

  @Test
  void shouldMatchSubtypesByName() {
    Version one =
        new Version(
            """
            sealed interface S permits P, Q, E {}
            record P(int x) implements S {}
            record Q(S next) implements S {}
            enum E implements S { ONE, TWO }
            record A(S s) {}
            """);
    Version two =
        new Version(
            """
            sealed interface S permits N, Q, E {}
            record N(int x) implements S {}
            record Q(@Default("5") int added, S next) implements S {}
            enum E implements S { TWO, ZERO }
            record A(S s) {}
            """);
    Object good = one.make("A", one.make("Q", one.make("Q", one.constant("E", "TWO"))));
    assertThat(two.read(one, good)).isEqualTo("A[s=Q[added=5, next=Q[added=5, next=TWO]]]");
    assertThatExceptionOfType(MessagingException.class)
        .isThrownBy(() -> two.read(one, one.make("A", one.make("P", 1))))
        .isNotInstanceOf(DecodingException.class)
        .withMessageStartingWith("component s: ")
        .withMessageContaining("subtype=v.Types$P");
    Object nested = one.make("A", one.make("Q", one.make("P", 1)));
    assertThatExceptionOfType(MessagingException.class)
        .isThrownBy(() -> two.read(one, nested))
        .withMessageStartingWith("component s.next: ");
  }

  @Test
  void shouldEvolveNestedAndGenericAndRecursiveRecords() {
    Version one =
        new Version(
            """
            record Pair<X, Y>(X x, Y y) {}
            record Node(int value, Node next, List<Node> more) {}
            record Point(int x, int y) {}
            record A(Pair<Integer, Point> pair, Node node, Point[] points, Optional<Point> at) {}
            """);
    Version two =
        new Version(
            """
            record Pair<X, Y>(Y y, X x) {}
            record Node(List<Node> more, long value, String label, Node next) {}
            record Point(int x, int z, int y) {}
            record A(Optional<Point> at, Pair<Long, Point> pair, Node node, Point[] points) {}
            """);
    Object point = one.make("Point", 1, 2);
    Object leaf = one.make("Node", 4, null, null);
    Object node = one.make("Node", 3, leaf, Arrays.asList(leaf, null));
    Object points = java.lang.reflect.Array.newInstance(one.type("Point"), 1);
    java.lang.reflect.Array.set(points, 0, point);
    Object message = one.make("A", one.make("Pair", 9, point), node, points, Optional.of(point));
    String at = "Point[x=1, z=0, y=2]";
    String end = "Node[more=null, value=4, label=null, next=null]";
    assertThat(two.read(one, message))
        .isEqualTo(
            "A[at=Optional["
                + at
                + "], pair=Pair[y="
                + at
                + ", x=9], node=Node[more=["
                + end
                + ", null], value=3, label=null, next="
                + end
                + "], points=["
                + at
                + "]]");
  }

  @Test
  void shouldRefuseEverythingElseByTypeAndComponent() {
    List<String> pairs =
        List.of(
            "long x|int x",
            "int x|float x",
            "long x|double x",
            "double x|float x",
            "int x|short x",
            "int x|char x",
            "boolean x|int x",
            "Integer x|int x",
            "Long x|Integer x",
            "int x|String x",
            "String x|Optional<String> x",
            "List<String> x|Set<String> x",
            "List<String> x|String[] x",
            "List<Long> x|List<Integer> x",
            "Map<String, Long> x|Map<String, Integer> x",
            "long[] x|int[] x",
            "B x|C x",
            "E x|F x",
            "B x|E x",
            "UUID x|Instant x",
            "Optional<Long> x|Optional<Integer> x",
            "S x|T x",
            "P x|S x",
            "Set<B> x|Set<B> x",
            "Map<B, String> x|Map<B, String> x");
    for (String pair : pairs) {
      String types =
          """
          record B(int b%s) {} record C(int b) {} enum E { X } enum F { X }
          sealed interface S permits P {} record P() implements S, T {} sealed interface T permits P {}
          record A(%s) {}
          """;
      int bar = pair.indexOf('|');
      Version there = new Version(types.formatted(", int lost", pair.substring(0, bar)));
      Version here = new Version(types.formatted("", pair.substring(bar + 1)));
      assertThatIllegalArgumentException()
          .as(pair)
          .isThrownBy(() -> here.codecFor(there, "A"))
          .withMessageMatching(
              "(?s)v.Types\\$A: component x: .* at the reader, .* at the writer.*|"
                  + "v.Types\\$B: component lost: missing at the reader, int at the writer,"
                  + " in a key.*");
    }
  }

  @Test
  void shouldGenerateOncePerSchema() {
    Version one = new Version("record A(int a) {}");
    Version two = new Version("record A(int a, int b) {}");
    assertThat(two.codecFor(one, "A")).isSameAs(two.codecFor(one, "A"));
    assertThat(two.codecFor(two, "A")).isSameAs(two.catalog.typeOf(two.type("A")).codec());
  }

  /** As a peer of that version comes back all the time, and hears each time what does not fit. */
  @Test
  void shouldRefuseAgainWhatItHasRefused() {
    Version one = new Version("record A(String a) {}");
    Version two = new Version("record A(int a) {}");
    MessageType<?> type = two.catalog.typeOf(two.type("A"));
    Schema written = one.catalog.typeOf(one.type("A")).schema();
    assertThat(type.hasCodecFor(written)).isFalse();
    for (int time = 0; time < 2; time++) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> type.codecFor(written))
          .withMessageContaining("component a: int at the reader, String at the writer");
      assertThat(type.hasCodecFor(written)).as("it need not look again").isTrue();
    }
  }

  @Test
  void shouldKeepWhatItReadsHoweverManyVersionsItRefuses() {
    Version one = new Version("record A(int a) {}");
    Version two = new Version("record A(int a, int b) {}");
    Codec<?> kept = two.codecFor(one, "A");
    MessageType<?> type = two.catalog.typeOf(two.type("A"));
    for (int number = 0; number < 20; number++) {
      Schema refused = Schema.of("encoding 1\nrecord v.Types$A\n a String\n c" + number + " int\n");
      assertThatIllegalArgumentException().isThrownBy(() -> type.codecFor(refused));
    }
    assertThat(two.codecFor(one, "A")).isSameAs(kept);
  }

  @Test
  void shouldNotWriteWithACodecOfAnotherVersion() {
    Version one = new Version("record A(int a) {}");
    Version two = new Version("record A(int a, int b) {}");
    @SuppressWarnings("unchecked")
    Codec<Object> codec = (Codec<Object>) two.codecFor(one, "A");
    Object message = two.make("A", 1, 2);
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> codec.length(message));
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> codec.encode(message, new Writer()));
  }

  @Test
  void shouldRefuseHandWrittenCodecsOfAnotherVersion() {
    Version version = new Version("record A(int a) {}");
    MessageType<?> generated = version.catalog.typeOf(version.type("A"));
    Schema opaque = Schema.opaque("v.Types$A", 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> generated.codecFor(opaque))
        .withMessageContaining("hand-written");
    MessageCatalog catalog = new MessageCatalog();
    @SuppressWarnings("unchecked")
    MessageType<?> registered =
        catalog.register((Class<Object>) version.type("A"), (Codec<Object>) generated.codec());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> registered.codecFor(opaque))
        .withMessageContaining("version: 0 at the reader, 1 at the writer");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> registered.codecFor(generated.schema()))
        .withMessageContaining("opaque at the reader, record at the writer");
  }

  @Test
  void shouldSkipWhatTheWriterItselfWouldRead() {
    byte[] none = {};
    byte[] id = {0, 0, 0, 0};
    byte[] idAndNulls = {0, 0, 0, 0, 0};
    String choice =
        """
        sealed interface X permits Neg, Num {}
        record Neg(X of) implements X {}
        record Num(int v) implements X {}
        """;
    assertSkippedAsDeepAsRead(choice, id, new byte[] {1}, new byte[] {2, 0, 0, 0, 0}, none);
    assertSkippedAsDeepAsRead(choice, id, new byte[] {1}, new byte[] {0}, none);
    byte[] leaf = {0, 2, 'x'};
    assertSkippedAsDeepAsRead(
        """
        record X(X next, Leaf leaf) {}
        record Leaf(Text text) {}
        record Text(String s) {}
        """,
        idAndNulls,
        new byte[] {0},
        new byte[] {1, 0, 2, 'x'},
        leaf);
    byte[] one = {1};
    assertSkippedAsDeepAsRead(
        "record X(List<X> more) {}", idAndNulls, new byte[] {2, 0}, one, none);
    assertSkippedAsDeepAsRead(
        "record X(Map<String, X> more) {}", idAndNulls, new byte[] {2, 0, 1}, one, none);
    assertSkippedAsDeepAsRead(
        "record X(Optional<X> more) {}", idAndNulls, new byte[] {2}, one, none);
  }

  /** Messages of any depth are put together from the bytes before, in and behind the innermost. */
  private static void assertSkippedAsDeepAsRead(
      String types, byte[] start, byte[] open, byte[] innermost, byte[] close) {
    Version one = new Version(types + "record A(int id, X x) {}");
    Version two = new Version("record A(int id) {}");
    Codec<?> reading = one.codecFor(one, "A");
    Codec<?> skipping = two.codecFor(one, "A");
    boolean[] found = new boolean[2];
    for (int depth = 100; depth < 300; depth++) {
      ByteArrayOutputStream message = new ByteArrayOutputStream();
      message.writeBytes(start);
      for (int i = 0; i < depth; i++) {
        message.writeBytes(open);
      }
      message.writeBytes(innermost);
      for (int i = 0; i < depth; i++) {
        message.writeBytes(close);
      }
      boolean read = isRead(reading, message.toByteArray());
      assertThat(isRead(skipping, message.toByteArray()))
          .as("%s: %d", types, depth)
          .isEqualTo(read);
      found[read ? 1 : 0] = true;
    }
    assertThat(found).containsOnly(true);
  }

  private static boolean isRead(Codec<?> codec, byte[] message) {
    try {
      Codecs.decode(codec, message);
      return true;
    } catch (DecodingException e) {
      assertThat(e).hasMessageContaining("nested too deeply");
      return false;
    }
  }

  @Test
  void shouldReadARecordThatHasBecomeGenericAndOneThatWas() {
    Version plain = new Version("record Box(Long v) {} record A(Box b, List<Box> more) {}");
    Version generic =
        new Version("record Box<T>(T v) {} record A(Box<Long> b, List<Box<Long>> more) {}");
    for (Version reader : List.of(plain, generic)) {
      for (Version writer : List.of(plain, generic)) {
        Object box = writer.make("Box", 7L);
        assertThat(reader.read(writer, writer.make("A", box, List.of(box))))
            .isEqualTo("A[b=Box[v=7], more=[Box[v=7]]]");
      }
    }
  }

  @Test
  void shouldReadASubtypeThatHasBecomeGeneric() {
    Version plain =
        new Version(
            "sealed interface S permits P {} record P(Long v) implements S {} record A(S s) {}");
    Version generic =
        new Version(
            """
            sealed interface S<T> permits P {}
            record P<T>(T v) implements S<T> {}
            record A(S<Long> s) {}
            """);
    assertThat(generic.read(plain, plain.make("A", plain.make("P", 7L)))).isEqualTo("A[s=P[v=7]]");
    assertThat(plain.read(generic, generic.make("A", generic.make("P", 7L))))
        .isEqualTo("A[s=P[v=7]]");
  }
}
