package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** Type arguments that no component uses contain nothing, whichever type is met first. */
@ExtendWith(NodeWatcher.class)
class TypedIdsTest {

  private static final String ID = "record Id<T>(long value) {} ";
  private static final String EACH_OTHER =
      ID
          + "record A(Id<B> ref, int n) {} record B(Id<A> ref, int m) {}"
          + " record Mid(A a, String s, int k) {}"
          + " record First(Mid mid) {} record Second(B b, Mid mid) {}";

  @Test
  void shouldBeFixedThoughTheRecordNamesItself() {
    Version one = new Version(ID + "record Point(Id<Point> id, int weight) {}");
    byte[] bytes = one.encode(one.make("Point", one.make("Id", 7L), 9));
    assertThat(bytes).containsExactly(0, 7, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0);
    Version two =
        new Version(
            ID
                + "record Point(Id<Point> id, int weight) {} record A(int first, Point point) {}"
                + " record B(Point point, String text, int last) {}");
    Object point = two.make("Point", two.make("Id", 7L), 9);
    assertThat(two.encode(two.make("B", point, "x", 3)))
        .containsExactly(0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 3, 0, 0, 0, 2, 'x');
  }

  @Test
  void shouldBeReadByAnotherVersion() {
    String types = ID + "record Point(Id<Point> id, int weight) {} ";
    Version one = new Version(types + "record A(int first, Point point, int last) {}");
    Version two = new Version(types + "record A(int first, Point point, int last, int more) {}");
    Object point = one.make("Point", one.make("Id", 7L), 9);
    assertThat(two.read(one, one.make("A", 1, point, 3)))
        .isEqualTo("A[first=1, point=Point[id=Id[value=7], weight=9], last=3, more=0]");
  }

  @Test
  void shouldSendRecordsThatNameEachOtherByAnyRoot() {
    Version one = new Version(EACH_OTHER);
    Object a = one.make("A", one.make("Id", 1L), 2);
    Object b = one.make("B", one.make("Id", 3L), 4);
    Object mid = one.make("Mid", a, "x", 5);
    Object first = one.make("First", mid);
    Object second = one.make("Second", b, mid);
    assertThat(Codecs.roundTrip(one.catalog, first)).isEqualTo(first);
    assertThat(Codecs.roundTrip(one.catalog, second)).isEqualTo(second);
  }

  @Test
  void shouldMeanTheSameAtNodesThatHaveMetTypesInAnotherOrder() {
    Version one = new Version(EACH_OTHER);
    Version two = new Version(EACH_OTHER);
    one.catalog.typeOf(one.type("First"));
    two.catalog.typeOf(two.type("Second"));
    assertThat(one.catalog.typeOf(one.type("Second")).fingerprint())
        .isEqualTo(two.catalog.typeOf(two.type("Second")).fingerprint());
    Object a = one.make("A", one.make("Id", 1L), 2);
    Object b = one.make("B", one.make("Id", 3L), 4);
    Object second = one.make("Second", b, one.make("Mid", a, "x", 5));
    assertThat(two.read(one, second))
        .isEqualTo(
            "Second[b=B[ref=Id[value=3], m=4], mid=Mid[a=A[ref=Id[value=1], n=2], s=x, k=5]]");
  }

  @Test
  void shouldNotBeFixedWhereRecordsContainEachOther() {
    String types = "record A(int n, B b) {} record B(A a, int m) {} record C(B b, A a, int k) {}";
    Version one = new Version(types);
    Version two = new Version(types);
    one.catalog.typeOf(one.type("A"));
    two.catalog.typeOf(two.type("C"));
    Object a = one.make("A", 1, one.make("B", one.make("A", 2, null), 3));
    Object c = one.make("C", one.make("B", a, 4), a, 5);
    assertThat(two.read(one, c))
        .isEqualTo(
            "C[b=B[a=A[n=1, b=B[a=A[n=2, b=null], m=3]], m=4],"
                + " a=A[n=1, b=B[a=A[n=2, b=null], m=3]], k=5]");
  }
}
