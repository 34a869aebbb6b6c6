package org.ringwire.transport.selector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.IdleStrategy;
import org.ringwire.idle.Places;
import org.ringwire.idle.WaitingPlace;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class AwaitedLinkTest {

  private static final int MOST_OFFERS = 3;
  private static final int MOST_TRIALS = 10_000;

  private final List<String> events = new ArrayList<>();
  private final WaitingPlace place = Places.withCores(1, IdleStrategy.parking());
  private final AwaitedLink awaited = new AwaitedLink(place);
  private final Entry first = new Entry("first");
  private final Entry second = new Entry("second");
  private int silentReads;
  private @Nullable Entry alsoBrings;

  /** A link that says what happens to it. */
  private final class Entry extends SelectorEntry {
    private final String name;
    private boolean active = true;

    @SuppressWarnings("NullAway") // no loop is involved
    Entry(String name) {
      super(null);
      this.name = name;
    }

    @Override
    protected boolean isActive() {
      return active;
    }

    @Override
    protected void deactivated() {
      events.add(name + " rests");
    }

    @Override
    protected boolean look(int times) {
      read(this);
      return true;
    }

    @Override
    protected void ready(int readyOps) {}

    @Override
    protected void end(@Nullable Throwable cause) {}
  }

  /** What the loop does when it is asked to look: input comes back. */
  private void read(Entry entry) {
    events.add("read " + entry.name);
    if (silentReads > 0) {
      silentReads--;
      return;
    }
    assertThat(brought(entry)).as("goes on").isTrue();
    if (alsoBrings != null) {
      assertThat(brought(alsoBrings)).isFalse();
    }
  }

  private boolean brought(Entry entry) {
    return awaited.brought(entry, System.nanoTime());
  }

  /** Makes a link the awaited one: the machine may be too busy for that now and then. */
  private void await(Entry entry) {
    for (int i = 0; !brought(entry); i++) {
      assertThat(i).isLessThan(MOST_TRIALS);
      Thread.onSpinWait();
    }
    events.clear();
  }

  @Test
  void shouldHaveNothingToDoWithoutInput() {
    assertThat(awaited.isDue()).isFalse();

    awaited.look();

    assertThat(events).isEmpty();
  }

  @Test
  void shouldNotWaitForALinkWhereThereAreCores() {
    AwaitedLink none = new AwaitedLink(Places.withCores(2, IdleStrategy.parking()));

    assertThat(none.brought(first, System.nanoTime())).isFalse();
    assertThat(none.isDue()).isFalse();
  }

  @Test
  void shouldReadAfterTheOffer() {
    await(first);
    assertThat(awaited.isDue()).isTrue();

    awaited.look();

    assertThat(events).startsWith("read first");
  }

  @Test
  void shouldRestWhenNothingHasCome() {
    await(first);
    silentReads = Integer.MAX_VALUE;

    awaited.look();

    assertThat(awaited.isDue()).isFalse();
    assertThat(events).endsWith("read first", "first rests");
    assertThat(events).hasSizeBetween(2, MOST_OFFERS + 1);
  }

  @Test
  void shouldGiveUpWhenAnotherLinkBringsInputToo() {
    await(first);

    assertThat(brought(second)).isFalse();
    awaited.look();

    assertThat(events).containsExactly("first rests");
    assertThat(awaited.isDue()).isFalse();
  }

  @Test
  void shouldGiveUpWhenAnotherLinkBringsInputWhileItReads() {
    await(first);
    alsoBrings = second;

    awaited.look();

    assertThat(events).containsExactly("read first", "first rests");
    assertThat(awaited.isDue()).isFalse();
  }

  @Test
  void shouldLeaveALinkThatHasEnded() {
    await(first);
    first.active = false;

    awaited.look();

    assertThat(events).containsExactly("first rests");
    assertThat(awaited.isDue()).isFalse();
  }
}
