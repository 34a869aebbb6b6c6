package org.ringwire.transport.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** Who waits for a time is told, also after there was no heap. */
@ExtendWith(NodeWatcher.class)
class DeadlinesTest {

  /** Cannot grow for a while. */
  private static final class Starved extends ArrayList<SelectorEntry> {

    private static final long serialVersionUID = 1;
    private boolean starves;

    @Override
    public boolean add(SelectorEntry entry) {
      if (starves) {
        throw new OutOfMemoryError("as this test wants it");
      }
      return super.add(entry);
    }
  }

  private static final class Waiting extends SelectorEntry {

    private int expiries;

    Waiting() {
      super(null);
    }

    @Override
    protected void ready(int readyOps) {}

    @Override
    protected void expired(long nowNs) {
      expiries++;
    }

    @Override
    protected void end(@Nullable Throwable cause) {}
  }

  @Test
  void shouldScheduleAgainWhatFoundNoHeapBefore() {
    Starved list = new Starved();
    Deadlines deadlines = new Deadlines(list);
    Waiting waiting = new Waiting();
    list.starves = true;
    assertThatThrownBy(() -> deadlines.schedule(waiting, 10)).isInstanceOf(OutOfMemoryError.class);
    list.starves = false;
    deadlines.schedule(waiting, 20);
    assertThat(deadlines.nextNs()).isEqualTo(20);
    deadlines.expire(20);
    assertThat(waiting.expiries).isOne();
  }
}
