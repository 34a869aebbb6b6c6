package org.ringwire.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
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
            public void resumeReading() {
              seen.add("resume");
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

    assertThat(strand.keep(MemorySegment.ofArray(new byte[5]), 0, 5)).isEqualTo(5);
    open = true; // by the worker, when it has seen these
    assertThat(strand.wake()).as("the worker is still there").isTrue();
    runWorkers();

    assertThat(strand.isDirect()).isTrue();
    assertThat(strand.wake()).as("a worker would meet the reading thread").isFalse();
    assertThat(strand.keep(MemorySegment.ofArray(new byte[5]), 0, 5)).isZero();
    assertThat(workers).isEmpty();
    assertThat(seen).containsExactly("advance 0", "advance 5");
  }

  @Test
  void shouldKeepNoMoreThanItSaysAndLetTheMediumReadAgainWhenItHasRoom() {
    long kept = 0;
    for (ByteBuffer landing = strand.landing();
        landing.hasRemaining() && kept <= HandshakeStrand.MAX_KEPT;
        landing = strand.landing()) {
      int length = landing.remaining();
      landing.position(length);
      kept += strand.keep(strand.landed(length), 0, length);
    }
    assertThat(kept).isEqualTo(HandshakeStrand.MAX_KEPT);
    runWorkers();

    assertThat(seen).containsExactly("resume", "advance " + HandshakeStrand.MAX_KEPT);
    assertThat(strand.landing().hasRemaining()).isTrue();
  }

  @Test
  void shouldAddNothingToAnOpenLinkThatTheWorkerIsAt() {
    assertThat(strand.wake()).isTrue();
    ByteBuffer landing = strand.landing();
    landing.position(5);
    open = true; // by the worker, when the medium was about to read
    assertThat(strand.keep(strand.landed(5), 0, 5)).isEqualTo(5);
    assertThat(strand.landing().hasRemaining()).isFalse();
    runWorkers();

    assertThat(seen).containsExactly("resume", "advance 5");
    assertThat(strand.landing()).isNull();
  }

  @Test
  void shouldLeaveToTheReadingThreadWhatItWasAboutToReadWhenTheWorkerLeft() {
    ByteBuffer landing = strand.landing();
    landing.position(5);
    assertThat(strand.wake()).isTrue();
    open = true;
    runWorkers();

    MemorySegment landed = strand.landed(5);
    assertThat(landed.byteSize()).isEqualTo(5);
    assertThat(strand.keep(landed, 0, 5)).isZero();
    assertThat(strand.landing()).isNull();
  }

  @Test
  void shouldEndOnceHoweverLateItIsWoken() {
    strand.mediumEnded(null);

    assertThat(strand.wake()).isFalse();
    runWorkers();
    assertThat(seen).containsExactly("ended");
  }

  @Test
  void shouldEndOnceThoughItsWorkerDoesNotComeOrTooLate() {
    assertThat(strand.wake()).isTrue();
    strand.mediumEnded(null);
    assertThat(seen).isEmpty();
    strand.endWorkers(System.nanoTime());
    runWorkers();
    strand.endWorkers(System.nanoTime());

    assertThat(seen).containsExactly("ended");
  }

  @Test
  void shouldEndWithItsMediumAfterItsWorkerWasGivenUp() {
    assertThat(strand.wake()).isTrue();
    strand.endWorkers(System.nanoTime());
    assertThat(seen).isEmpty();
    strand.mediumEnded(null);

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
