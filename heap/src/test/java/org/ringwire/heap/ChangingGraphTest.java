package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.EncodingException;
import org.ringwire.heap.Samples.AllWidths;
import org.ringwire.heap.Samples.Wide;
import org.ringwire.heap.image.classes.DeclaredClasses;
import org.ringwire.heap.image.memory.Raw;
import org.ringwire.testing.NodeWatcher;

/** A graph that others change while it is encoded arrives as a mixture, or is refused. */
@ExtendWith(NodeWatcher.class)
class ChangingGraphTest {
  private static final int ROUNDS = 500;

  private final Object[] graph = new Object[64];
  private final ArrayList<Object> list = new ArrayList<>();
  private final Map<Object, Object> map = new HashMap<>();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldSurviveChangesWhileEncoding(boolean isStreamed) throws Exception {
    graph[0] = list;
    graph[1] = map;
    AtomicBoolean stop = new AtomicBoolean();
    Thread changer = new Thread(() -> change(stop), "changer");
    changer.start();
    HeapCodec codec =
        HeapCodec.builder().acceptPackage("org.ringwire.heap").maxBytes(1 << 24).build();
    int arrived = 0;
    try {
      for (int i = 0; i < ROUNDS; i++) {
        try {
          Graphs.walk(
              isStreamed
                  ? throughBlocks(codec, graph, () -> {})
                  : codec.decode(codec.encode(graph)));
          arrived++;
        } catch (EncodingException e) {
          assertThat(e).hasMessageContaining("was changed while it was encoded");
        }
      }
    } finally {
      stop.set(true);
      changer.join(60_000);
    }
    assertThat(changer.isAlive()).isFalse();
    assertThat(arrived).as("the others were refused").isPositive();
    assertThat((Object[]) codec.decode(codec.encode(graph))).hasSize(64);
  }

  /** As a channel sends it: arrays that are longer than a block are read as they leave. */
  private static @Nullable Object throughBlocks(HeapCodec codec, Object graph, Runnable afterEach) {
    List<MemorySegment> blocks = new ArrayList<>();
    codec.channelEncoder(new DeclaredClasses()).stream(
        graph,
        4096,
        (head, body, isLast) -> {
          for (MemorySegment part : body == null ? List.of(head) : List.of(head, body)) {
            if (part.byteSize() > 0) {
              blocks.add(Arena.ofAuto().allocate(part.byteSize()).copyFrom(part));
            }
          }
          afterEach.run();
        });
    Iterator<MemorySegment> all = blocks.iterator(); // which keeps their memory
    return codec
        .channelDecoder(number -> List.of())
        .decode(() -> all.hasNext() ? all.next() : null);
  }

  private void change(AtomicBoolean stop) {
    Random random = new Random(1);
    while (!stop.get()) {
      int at = 2 + random.nextInt(62);
      switch (random.nextInt(7)) {
        case 0 -> graph[at] = null;
        case 1 -> graph[at] = new AllWidths(random.nextLong(), graph[random.nextInt(64)]);
        case 2 -> graph[at] = graph[random.nextInt(64)];
        case 3 -> {
          if (graph[at] instanceof Wide wide) {
            wide.r3 = graph[random.nextInt(64)];
            wide.a1 = random.nextLong();
          } else {
            graph[at] = new Wide();
          }
        }
        case 4 -> graph[at] = new long[random.nextInt(1000)];
        case 5 -> changeContainers(random);
        default -> Thread.onSpinWait();
      }
    }
  }

  private void changeContainers(Random random) {
    if (list.size() < 20) {
      list.add(graph[2 + random.nextInt(62)] instanceof long[] array ? array : "text");
    } else {
      list.clear();
    }
    map.put(random.nextInt(20), list.size());
    map.remove(random.nextInt(20));
  }

  /** The fields are those of a moment between two changes: another thread might see them so. */
  @Test
  void shouldRefuseValuesThatAreNotAsLongAsTheySay() {
    BitSet bits = new BitSet();
    bits.set(3);
    UNSAFE.putInt(bits, Raw.offsetOf(BitSet.class, "wordsInUse"), 5);
    StringBuilder text = new StringBuilder("text\u1234").deleteCharAt(4);
    UNSAFE.putInt(text, Raw.offsetOf(StringBuilder.class.getSuperclass(), "count"), 5000);

    for (Object value : List.of(bits, text)) {
      assertThatThrownBy(() -> HeapCodecTest.CODEC.encode(value))
          .isInstanceOf(EncodingException.class)
          .hasMessageContainingAll("was changed while it was encoded", value.getClass().getName());
    }
  }

  /**
   * As in a channel whose writer waits for room; then other threads have all the time they need.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldKeepTheIdentityOfAllButWhatIsChanged(boolean isChanged) {
    AllWidths shared = new AllWidths(1, null);
    Wide other = new Wide();
    Runnable change = () -> other.a1 += isChanged ? 1 : 0;
    Object[] copy =
        (Object[])
            Objects.requireNonNull(
                throughBlocks(
                    HeapCodecTest.CODEC,
                    new Object[] {shared, other, "x".repeat(10_000), shared, other},
                    change));

    assertThat(copy[3]).isSameAs(copy[0]);
    if (isChanged) {
      assertThat(copy[4]).isNotSameAs(copy[1]);
    } else {
      assertThat(copy[4]).isSameAs(copy[1]);
    }
    assertThat(((Wide) copy[4]).a1).isEqualTo(isChanged ? 2 : 0);
  }
}
