package org.ringwire.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** When a worker may touch a link, and when the reading thread; without threads. */
@ExtendWith(NodeWatcher.class)
class HandshakeStrandTest {

  private final Queue<Runnable> workers = new ArrayDeque<>();
  private final List<String> seen = new ArrayList<>();
  private boolean open;
  private boolean starved;
  private boolean refused;

  private final HandshakeStrand strand =
      new HandshakeStrand(
          worker -> {
            workers.add(worker);
            if (refused) {
              throw new OutOfMemoryError("as if");
            }
            return true;
          },
          new HandshakeStrand.Work() {
            @Override
            public void advance(MemorySegment bytes) {
              seen.add("advance " + bytes.byteSize());
              if (starved) {
                throw new OutOfMemoryError("as if");
              }
            }

            @Override
            public boolean isOpen() {
              return open;
            }

            @Override
            public void failed(SSLException failure) {
              seen.add("failed");
            }

            @Override
            public void broken(Throwable failure) {
              seen.add("broken");
            }

            @Override
            public void abandoned() {
              seen.add("abandoned");
            }

            @Override
            public void ended(@Nullable Throwable cause) {
              seen.add("ended");
              if (starved) {
                throw new OutOfMemoryError("as if");
              }
            }
          });

  private void runWorkers() {
    for (Runnable worker = workers.poll(); worker != null; worker = workers.poll()) {
      worker.run();
    }
  }

  @Test
  void shouldWakeAWorkerUntilTheReadingThreadHasTakenOver() {
    assertThat(strand.wake()).isTrue();
    runWorkers();
    assertThat(strand.isDirect()).isFalse();

    assertThat(strand.keep(MemorySegment.ofArray(new byte[5]), 0, 5)).isTrue();
    open = true; // by the worker, when it has seen these
    assertThat(strand.wake()).as("the worker is still there").isTrue();
    runWorkers();

    assertThat(strand.isDirect()).isTrue();
    assertThat(strand.wake()).as("a worker would meet the reading thread").isFalse();
    assertThat(strand.keep(MemorySegment.ofArray(new byte[5]), 0, 5)).isFalse();
    assertThat(workers).isEmpty();
    assertThat(seen).containsExactly("advance 0", "advance 5");
  }

  @Test
  void shouldEndOnceHoweverLateItIsWoken() {
    strand.mediumEnded(null);

    assertThat(strand.wake()).isFalse();
    runWorkers();
    assertThat(seen).containsExactly("ended");
  }

  @Test
  void shouldEndWhenAWorkerHasNoMemory() {
    assertThat(strand.wake()).isTrue();
    starved = true;
    runWorkers();
    assertThatThrownBy(() -> strand.mediumEnded(null)).isInstanceOf(OutOfMemoryError.class);
    starved = false;
    strand.resumeEnd();
    strand.resumeEnd();

    assertThat(seen).containsExactly("advance 0", "broken", "ended", "ended");
  }

  @Test
  void shouldEndWhenThereIsNoMemoryForAWorker() {
    refused = true;
    assertThatThrownBy(strand::wake).isInstanceOf(OutOfMemoryError.class);
    strand.mediumEnded(null);
    runWorkers(); // it was on its way nevertheless

    assertThat(seen).containsExactly("ended");
  }
}
