package org.ringwire.heap;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.Samples.AllWidths;
import org.ringwire.heap.Samples.Circle;
import org.ringwire.heap.Samples.Colour;
import org.ringwire.heap.Samples.Node;
import org.ringwire.heap.Samples.Person;
import org.ringwire.heap.Samples.Square;
import org.ringwire.heap.Samples.Tree;
import org.ringwire.heap.Samples.Wide;

/** Graphs of all kinds of objects, with sharing and cycles; the same for the same seed. */
@SuppressWarnings("JdkObsolete")
final class RandomGraphs {
  private final Random random;
  private final List<@Nullable Object> made = new ArrayList<>();

  private RandomGraphs(long seed) {
    this.random = new Random(seed);
  }

  static Object graph(long seed, int objects) {
    RandomGraphs graphs = new RandomGraphs(seed);
    for (int i = 0; i < objects; i++) {
      graphs.made.add(graphs.next());
    }
    graphs.connect();
    return new Object[] {graphs.any(), graphs.any(), graphs.made.toArray()};
  }

  private @Nullable Object any() {
    return made.isEmpty() || random.nextInt(8) == 0 ? null : made.get(random.nextInt(made.size()));
  }

  private Object next() {
    return switch (random.nextInt(18)) {
      case 0 -> new AllWidths(random.nextLong(), any());
      case 1 -> new Person("é" + random.nextInt(5), random.nextInt(), null, List.of("a", "b"));
      case 2 -> new Node(random.nextLong(), any() instanceof Node node ? node : null);
      case 3 -> new Wide();
      case 4 -> new Object[random.nextInt(6)];
      case 5 -> new long[][] {{random.nextLong()}, {}, null};
      case 6 -> random.nextBoolean() ? Colour.GREEN : Colour.RED;
      case 7 -> new ArrayList<>(List.of("x", random.nextInt(3)));
      case 8 -> new HashMap<>(java.util.Map.of("k" + random.nextInt(9), 1L));
      case 9 -> new LinkedList<>();
      case 10 -> new TreeMap<>(java.util.Map.of(random.nextInt(), "v"));
      case 11 -> new Circle(random.nextGaussian());
      case 12 -> new Square(random.nextInt(), Colour.RED);
      case 13 -> new byte[random.nextInt(100)];
      case 14 -> "text \u20ac " + random.nextInt(4);
      case 15 -> new Tree();
      case 16 -> new boolean[] {true, random.nextBoolean()};
      default -> new LinkedHashMap<Object, Object>();
    };
  }

  /** Adds references between what there is, so that there are cycles. */
  @SuppressWarnings("unchecked")
  private void connect() {
    for (Object o : List.copyOf(made)) {
      switch (o) {
        case Object[] array when array.getClass() == Object[].class -> {
          for (int i = 0; i < array.length; i++) {
            array[i] = any();
          }
        }
        case Wide wide -> {
          wide.r1 = any();
          wide.r5 = any();
          wide.r8 = any();
          wide.a8 = random.nextLong();
        }
        case Tree tree -> {
          tree.left = any() instanceof Tree other ? other : null;
          tree.right = tree.left;
        }
        case LinkedList<?> list -> ((LinkedList<Object>) list).add(any());
        case LinkedHashMap<?, ?> map -> ((LinkedHashMap<Object, Object>) map).put("self", any());
        case ArrayList<?> list -> ((ArrayList<Object>) list).add(any());
        default -> {}
      }
    }
  }
}
