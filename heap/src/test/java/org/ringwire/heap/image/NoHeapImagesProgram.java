package org.ringwire.heap.image;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.Validated;
import org.ringwire.heap.image.classes.AcceptedClasses;

/** Images of a process that has no heap at the end of a large graph. One thread. */
public final class NoHeapImagesProgram {
  private static final Limits LIMITS = new Limits(1 << 30, 1 << 30, 1 << 30, 1 << 30);
  private static final int OBJECTS = 270_000; // more than tables are kept for
  private static final int BLOCK = 1 << 16;
  private static final int[] SHARED = {-1};

  /** All the heap that there was. */
  private static Object @Nullable [] taken;

  private static boolean isWithoutHeap;

  private NoHeapImagesProgram() {}

  /** Takes all heap when its graph is complete. */
  private static final class Greedy implements Validated {
    @Override
    public void validate() {
      takeHeap();
    }
  }

  /** Prints what becomes of the graph behind one at whose end there was no heap. */
  public static void main(String... words) {
    String _ = encode(false) + decode(); // whatever is loaded or made at the first time
    isWithoutHeap = true;
    print("encoded", () -> encode(false));
    print("encoded after trimming", () -> encode(true));
    print("decoded", NoHeapImagesProgram::decode);
  }

  private static void print(String what, Supplier<String> result) {
    String text;
    try {
      text = result.get();
    } catch (RuntimeException e) {
      text = e.toString();
    }
    System.out.println(what + ": " + text);
  }

  private static String encode(boolean trims) {
    Encoder encoder = new Encoder(LIMITS, true);
    Object[] large = large(SHARED);
    without(() ->
        encoder.stream(
            large,
            BLOCK,
            (_, _, isLast) -> {
              if (isLast) {
                takeHeap();
              }
            }));
    if (trims) {
      encoder.trim(); // as who keeps it does, when there is some heap
    }
    List<MemorySegment> blocks = new ArrayList<>();
    Object[] next = {new int[] {1}, new int[] {2}, SHARED};
    encoder.stream(next, BLOCK, (head, _, _) -> blocks.add(copy(head)));
    Iterator<MemorySegment> each = blocks.iterator();
    Object read = decoder().decode((BlockSource) () -> each.hasNext() ? each.next() : null);
    return Arrays.deepToString((Object[]) read);
  }

  private static String decode() {
    byte[] large = new Encoder(LIMITS, true).encodeToArray(large(new Greedy()));
    byte[] next = new Encoder(LIMITS, true).encodeToArray(new Object[] {SHARED, "text", SHARED});
    Decoder decoder = decoder();
    AtomicInteger length = new AtomicInteger();
    without(() -> {
      Object[] graph = (Object[]) decoder.decode(large);
      decoder.trim(); // as who keeps it does before the graph is handed out
      length.set(graph.length);
    });
    return length + " " + Arrays.deepToString((Object[]) decoder.decode(next));
  }

  private static Object[] large(Object last) {
    Object[] graph = new Object[OBJECTS];
    for (int i = 0; i < OBJECTS; i++) {
      graph[i] = i < OBJECTS - 1 ? new int[] {i} : last;
    }
    return graph;
  }

  private static Decoder decoder() {
    return new Decoder(
        LIMITS, new AcceptedClasses(Map.of(Greedy.class.getName(), Greedy.class), List.of(), null));
  }

  private static MemorySegment copy(MemorySegment block) {
    return Arena.ofAuto().allocate(block.byteSize()).copyFrom(block);
  }

  /** Does something that takes the heap, whatever that ends with; then there is some again. */
  private static void without(Runnable work) {
    try {
      work.run();
    } catch (OutOfMemoryError e) {
      // the graph behind it is looked at
    } finally {
      taken = null;
    }
  }

  private static void takeHeap() {
    int length = 1 << 18;
    while (isWithoutHeap && length > 0) {
      try {
        Object[] more = new Object[length];
        more[0] = taken;
        taken = more;
      } catch (OutOfMemoryError e) {
        length /= 8; // each time the collector looks for some
      }
    }
  }
}
