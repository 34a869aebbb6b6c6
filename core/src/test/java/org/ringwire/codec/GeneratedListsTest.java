package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.AbstractList;
import java.util.AbstractSequentialList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.ListIterator;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** Lists go through by index where they have random access, and by their iterator elsewhere. */
@ExtendWith(NodeWatcher.class)
class GeneratedListsTest {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int WARM_UP = 200;
  private static final int ROUNDS = 1_000;

  /** Elements of fixed length, and of their own. */
  record Lists(List<Long> numbers, List<String> words) {}

  /** One more or less than it says at first. */
  private static class Changing extends AbstractList<Long> {

    private final int before;
    private final int after;
    private int asked;

    Changing(int before, int after) {
      this.before = before;
      this.after = after;
    }

    @Override
    public int size() {
      return asked++ == 0 ? before : after;
    }

    @Override
    public Long get(int index) {
      return (long) index;
    }
  }

  private static final class ChangingRandomAccess extends Changing implements RandomAccess {
    ChangingRandomAccess(int before, int after) {
      super(before, after);
    }
  }

  /** Loses its last element when that is read, as if another thread had taken it. */
  private static final class Shrinking extends AbstractList<Long> implements RandomAccess {

    private int size = 3;

    @Override
    public int size() {
      return size;
    }

    @Override
    public Long get(int index) {
      if (index == 2) {
        size = 2;
      }
      return (long) Objects.checkIndex(index, size);
    }
  }

  /** Has no other way to an element than from the first one on. */
  private static final class Sequential<T> extends AbstractSequentialList<T> {

    private final List<T> elements;

    Sequential(List<T> elements) {
      this.elements = new ArrayList<>(elements);
    }

    @Override
    public T get(int index) {
      throw new AssertionError("by index");
    }

    @Override
    public ListIterator<T> listIterator(int index) {
      return elements.listIterator(index);
    }

    @Override
    public int size() {
      return elements.size();
    }
  }

  private final MessageCatalog catalog = new MessageCatalog();

  @Test
  void shouldPassListsOfEveryKind() {
    List<Long> numbers = Arrays.asList(1L, null, 3L);
    List<String> words = Arrays.asList("a", null, "");
    Lists message = new Lists(numbers, words);
    assertThat(passed(numbers, words)).isEqualTo(message);
    assertThat(passed(new ArrayList<>(numbers), new ArrayList<>(words))).isEqualTo(message);
    assertThat(passed(new Sequential<>(numbers), new Sequential<>(words))).isEqualTo(message);
    assertThat(passed(new CopyOnWriteArrayList<>(numbers), Collections.unmodifiableList(words)))
        .isEqualTo(message);
    assertThat(passed(message.numbers(), passed(numbers, words).words())).isEqualTo(message);
    assertThat(passed(new Sequential<>(List.of()), List.of()))
        .isEqualTo(new Lists(List.of(), List.of()));
  }

  @Test
  void shouldRefuseListsThatChangeWhileTheyAreEncoded() {
    for (int after : new int[] {0, 2, 4, 5}) {
      assertRefused(new Changing(3, after));
      assertRefused(new ChangingRandomAccess(3, after));
    }
    assertRefused(new Shrinking());
  }

  @Test
  void shouldNotNeedObjectsForListsWithRandomAccess() {
    Lists message = new Lists(new ArrayList<>(List.of(1L, 2L)), List.of("a", "b", "c"));
    Codec<Lists> codec = catalog.<Lists>typeOf(Lists.class).codec();
    MemorySegment memory = MemorySegment.ofArray(new byte[1024]);
    Writer writer = new Writer();
    encode(codec, message, writer, memory, WARM_UP);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    encode(codec, message, writer, memory, ROUNDS); // hardly compiled, so nothing is optimized away
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(16 * ROUNDS);
  }

  private static void encode(
      Codec<Lists> codec, Lists message, Writer writer, MemorySegment memory, int times) {
    for (int round = 0; round < times; round++) {
      writer.wrap(memory, 0, codec.length(message));
      codec.encode(message, writer);
    }
  }

  private Lists passed(List<Long> numbers, List<String> words) {
    return Codecs.roundTrip(catalog, new Lists(numbers, words));
  }

  private void assertRefused(List<Long> numbers) {
    Codec<Lists> codec = catalog.<Lists>typeOf(Lists.class).codec();
    Writer writer = new Writer();
    writer.wrap(MemorySegment.ofArray(new byte[1024]), 0, 1024);
    assertThatThrownBy(() -> codec.encode(new Lists(numbers, List.of()), writer))
        .isInstanceOf(ConcurrentModificationException.class)
        .hasMessageContaining("collection changed while it was encoded: size=3");
  }
}
