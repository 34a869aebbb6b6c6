package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** What reading another version of a type costs. */
@ExtendWith(NodeWatcher.class)
class EvolutionCostTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int MESSAGES = 10_000;

  @Message(name = "cost.Item")
  record Item(int count, String name) {}

  @Message(name = "cost.Order")
  record Order(long number, Item item, double price, Optional<String> note) {}

  @Message(name = "cost.Item")
  record OldItem(String name, byte count, List<String> tags) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  @Message(name = "cost.Order")
  record OldOrder(int number, OldItem item, long[] trace, float price, OldOrder previous) {}

  /** Keeps a message from being optimized away. */
  private volatile Object last = this;

  private long allocatedFor(Codec<?> codec, byte[] bytes) {
    Reader reader = new Reader();
    MemorySegment memory = MemorySegment.ofArray(bytes);
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 20; round++) { // the least is without the work of compilers
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < MESSAGES; i++) {
        reader.wrap(memory, 0, bytes.length);
        last = codec.decode(reader);
      }
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(last).isNotNull();
    return least / MESSAGES;
  }

  @Test
  void shouldAllocateNoMoreThanForTheSameMessageOfItsOwnVersion() {
    MessageType<Order> here = new MessageCatalog().typeOf(Order.class);
    MessageType<OldOrder> there = new MessageCatalog().typeOf(OldOrder.class);
    OldItem item = new OldItem("pen", (byte) 3, List.of("skipped", "and not made"));
    OldOrder previous = new OldOrder(1, item, new long[5], 2f, null);
    OldOrder old = new OldOrder(7, item, new long[100], 1.5f, previous);
    Order same = new Order(7, new Item(3, "pen"), 1.5, Optional.empty());
    Codec<Order> evolved = here.codecFor(there.schema());
    byte[] written = Codecs.encode(there.codec(), old);
    assertThat(Codecs.decode(evolved, written)).isEqualTo(same);
    assertThat(allocatedFor(evolved, written))
        .isLessThanOrEqualTo(allocatedFor(here.codec(), Codecs.encode(here.codec(), same)));
  }

  @Test
  void shouldUnloadWhatWasGeneratedForVersionsThatAreGone() {
    MessageType<Item> here = new MessageCatalog().typeOf(Item.class);
    List<WeakReference<Class<?>>> classes = new ArrayList<>();
    int versions = 100;
    for (int i = 0; i < versions; i++) {
      Schema written = Schema.of("encoding 1\nrecord cost.Item\n count int\n other" + i + " int\n");
      classes.add(new WeakReference<>(here.codecFor(written).getClass()));
    }
    await(
        "all but the last few are unloaded",
        () -> {
          System.gc();
          return classes.stream().filter(reference -> reference.get() != null).count() <= 8;
        });
  }
}
