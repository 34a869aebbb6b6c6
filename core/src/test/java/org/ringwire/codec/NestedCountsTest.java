package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/**
 * Counts inside of each other, each of which the rest of the message could hold if it were alone:
 * what is made for all of them together is bounded by the length of the message, too.
 */
@ExtendWith(NodeWatcher.class)
class NestedCountsTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** As for any other message: an empty element becomes an object. */
  private static final long EXPANSION = 160;

  private static final int LENGTH = 100_000;
  private static final int LEVELS = 250;
  private static final int UNROLLED = 14; // as many as one schema may have for these types

  /** Subtypes are numbered in this order. */
  sealed interface Node permits ArrayOf, Leaf, ListOf, ListsOf, MapOf, MaybeOf, SetOf {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record ArrayOf(Node[] nodes) implements Node {}

  record Leaf() implements Node {}

  record ListOf(List<Node> nodes) implements Node {}

  record ListsOf(List<List<List<Node>>> nodes) implements Node {}

  record MapOf(Map<String, Node> nodes) implements Node {}

  record MaybeOf(List<Optional<Node>> nodes) implements Node {}

  record SetOf(Set<Node> nodes) implements Node {}

  record Tree(Node root) {}

  private static final byte LEAF = 2;

  private final Codec<Tree> codec = new MessageCatalog().typeOf(Tree.class).codec();

  /** A message whose containers announce as many elements as there could be, and nest. */
  private static final class Bytes {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Bytes put(int... bytes) {
      for (int value : bytes) {
        out.write(value);
      }
      return this;
    }

    Bytes putLargestCount(int minimum) {
      int count = (LENGTH - out.size() - 8) / minimum + 1;
      for (; count > 127; count >>>= 7) {
        out.write(count | 0x80);
      }
      out.write(count);
      return this;
    }

    byte[] toBytes() {
      int length = out.size();
      byte[] bytes = Arrays.copyOf(out.toByteArray(), LENGTH);
      Arrays.fill(bytes, length, LENGTH, (byte) 0xff);
      return bytes;
    }
  }

  private void refuse(Bytes message) {
    refuse(codec, message);
  }

  private static void refuse(Codec<Tree> codec, Bytes message) {
    byte[] bytes = message.toBytes();
    for (int round = 0; round < 2; round++) { // the first one loads classes
      final long before = THREADS.getCurrentThreadAllocatedBytes();
      assertThatThrownBy(() -> codec.decode(Codecs.reader(bytes)))
          .isInstanceOf(DecodingException.class);
      long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
      if (round > 0) {
        assertThat(allocated).isLessThan(EXPANSION * LENGTH);
      }
    }
  }

  @Test
  void shouldAllocateNoMoreForCountsInsideOfEachOtherThanForOthers() {
    Bytes arrays = new Bytes();
    Bytes lists = new Bytes();
    Bytes listsOfLists = new Bytes();
    Bytes sets = new Bytes();
    Bytes optionals = new Bytes();
    for (int level = 0; level < LEVELS; level++) {
      arrays.put(1).putLargestCount(1);
      lists.put(3).putLargestCount(1);
      listsOfLists.put(4).putLargestCount(1).putLargestCount(1).putLargestCount(1);
      optionals.put(6).putLargestCount(1).put(2);
      sets.put(7).putLargestCount(1);
    }
    refuse(arrays);
    refuse(lists);
    refuse(listsOfLists);
    refuse(optionals);
    refuse(sets);
  }

  @Test
  void shouldAllocateNoMoreForMapsInsideOfEachOtherThanForOthers() {
    Bytes maps = new Bytes();
    for (int level = 0; level < LEVELS; level++) {
      maps.put(5).putLargestCount(2).put(1, LEAF); // tables are made with the first entry
      maps.put(2, 'a');
    }
    refuse(maps);
  }

  /** Nothing recurs in such a schema, and each of its types is read into one that does. */
  @Test
  void shouldAllocateNoMoreWhereAPeerHasAnotherTypeForEachDepth() {
    StringBuilder schema = new StringBuilder("encoding 1\nrecord *Tree\n root *Node<0>\n");
    Bytes lists = new Bytes();
    for (int level = 0; level < UNROLLED; level++) {
      schema.append("sealed *Node<" + level + ">\n *ListsOf<" + level + ">\n");
      schema.append("record *ListsOf<" + level + ">\n");
      schema.append(" nodes List<List<List<*Node<" + (level + 1) + ">>>>\n");
      lists.put(1).putLargestCount(1).putLargestCount(1).putLargestCount(1);
    }
    schema.append("sealed *Node<" + UNROLLED + ">\n *Leaf\nrecord *Leaf\n");
    String prefix = NestedCountsTest.class.getName() + "$";
    Schema unrolled = Schema.of(schema.toString().replace("*", prefix));

    refuse(new MessageCatalog().typeOf(Tree.class).codecFor(unrolled), lists);
  }

  @Test
  void shouldReadManyElementsOfATypeThatContainsItself() {
    for (int count : new int[] {0, 1, 15, 16, 17, 64, 65, 5000}) {
      List<Node> nodes = new ArrayList<>();
      Map<String, Node> byName = new LinkedHashMap<>();
      for (int i = 0; i < count; i++) {
        nodes.add(i % 3 == 0 ? null : new ListOf(List.of(new Leaf())));
        byName.put("name " + i, new Leaf());
      }
      assertRead(new ListOf(nodes));
      assertRead(new MapOf(byName));
      assertRead(new SetOf(new LinkedHashSet<>(List.of(new ListOf(nodes), new Leaf()))));
      Tree tree = new Tree(new ArrayOf(nodes.toArray(Node[]::new)));
      ArrayOf copy = (ArrayOf) Codecs.roundTrip(codec, tree).root();
      assertThat(copy.nodes()).isExactlyInstanceOf(Node[].class).containsExactlyElementsOf(nodes);
    }
  }

  private void assertRead(Node node) {
    assertThat(Codecs.roundTrip(codec, new Tree(node)).root()).isEqualTo(node);
  }
}
