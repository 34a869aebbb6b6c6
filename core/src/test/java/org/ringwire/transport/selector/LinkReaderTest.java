package org.ringwire.transport.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.nio.channels.Pipe;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Threads;
import org.ringwire.transport.support.Gate;

/** How the I/O thread looks at a link that another thread leads; this test is the I/O thread. */
@ExtendWith(NodeWatcher.class)
class LinkReaderTest {

  private final LeaderResources resources = new LeaderResources(IdleStrategy.parking(), 0);
  private final AtomicInteger waits = new AtomicInteger();
  private final AtomicBoolean done = new AtomicBoolean();
  private final AtomicInteger asked = new AtomicInteger();
  private final Threads threads = new Threads();
  private Pipe pipe;
  private LinkReader reader;

  /** Nothing ever comes. */
  private final class Silence implements LinkInput {

    private final boolean wakesOnlyWhoWaits;

    Silence(boolean wakesOnlyWhoWaits) {
      this.wakesOnlyWhoWaits = wakesOnlyWhoWaits;
    }

    @Override
    public long read(ReadBuffer own) {
      return 0;
    }

    @Override
    public void await(LeaderSeat seat, long timeoutNs) throws IOException {
      waits.incrementAndGet();
      seat.await(timeoutNs);
    }

    @Override
    public boolean wakesOnlyWhoWaits() {
      return wakesOnlyWhoWaits;
    }

    @Override
    public boolean isEnded() {
      return false;
    }
  }

  @BeforeEach
  void openPipe() throws IOException {
    pipe = Pipe.open();
    pipe.source().configureBlocking(false);
  }

  @AfterEach
  void closePipe() throws IOException {
    reader.close();
    resources.close();
    pipe.source().close();
    pipe.sink().close();
  }

  private void open(boolean wakesOnlyWhoWaits) {
    LinkInput input = new Silence(wakesOnlyWhoWaits);
    reader = new LinkReader(resources, pipe.source(), input, new Gate(), failure -> {});
    reader.open();
  }

  private void lead() {
    long deadlineNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    threads.start(() -> reader.lead(done::get, deadlineNs, asked::incrementAndGet, () -> {}));
    await("a leader that waits", () -> waits.get() == 1);
  }

  private void endLead() throws InterruptedException {
    done.set(true);
    reader.wakeLeader();
    threads.join();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldLookMoreRarelyWhileALeaderStaysAndBeAskedForWhenItLeaves(boolean wakesOnlyWhoWaits)
      throws InterruptedException {
    open(wakesOnlyWhoWaits);
    lead();
    assertThat(reader.disarm()).isTrue();
    long passedNs = 0;
    int looks = 0;
    while (passedNs < TimeUnit.SECONDS.toNanos(1)) {
      assertThat(reader.tryRearm()).isFalse();
      long tickNs = reader.tickNs();
      assertThat(tickNs).isBetween(LinkReader.TICK_NS, LookPace.LONGEST_NS);
      passedNs += tickNs;
      looks++;
    }
    assertThat(looks).as("looks in a second").isLessThan(50);
    endLead();
    assertThat(asked).hasValue(1);
    assertThat(reader.rearmNow()).isTrue();
    assertThat(reader.pace().isRare()).isFalse();
  }

  @Test
  void shouldNotBeAskedForAfterAShortLead() throws InterruptedException {
    open(false);
    lead();
    assertThat(reader.disarm()).isTrue();
    for (int i = 1; i < LookPace.STEADY_LOOKS; i++) {
      assertThat(reader.tryRearm()).isFalse();
      assertThat(reader.tickNs()).isEqualTo(LinkReader.TICK_NS);
    }
    endLead();
    assertThat(asked).hasValue(0);
  }

  /** It may have left just before it could know that it has to ask. */
  @Test
  void shouldGoOnToLookOftenIfTheLeaderHasLeft() throws InterruptedException {
    open(false);
    lead();
    assertThat(reader.disarm()).isTrue();
    for (int i = 0; i < 2 * LookPace.STEADY_LOOKS; i++) {
      assertThat(reader.tryRearm()).isFalse();
    }
    endLead();
    assertThat(asked).hasValue(0);
    assertThat(reader.tickNs()).isEqualTo(LinkReader.TICK_NS);
    assertThat(reader.pace().isRare()).isFalse();
  }
}
