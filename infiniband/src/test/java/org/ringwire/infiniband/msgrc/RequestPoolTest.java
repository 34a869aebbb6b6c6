package org.ringwire.infiniband.msgrc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.verbs.SendRequests;
import org.ringwire.infiniband.verbs.types.SendOpcode;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class RequestPoolTest {

  private static final int REQUESTS = 16;
  private static final int RANGES = 3;

  private final Arena arena = Arena.ofConfined();
  private final RequestPool pool = new RequestPool(arena);

  @AfterEach
  void close() {
    arena.close();
  }

  private SendRequests take() {
    return pool.take(REQUESTS, RANGES);
  }

  @Test
  void shouldMakeChainsThatHoldWhatIsAskedFor() {
    SendRequests chain = take();
    for (int i = 0; i < REQUESTS; i++) {
      chain.add(SendOpcode.SEND, i, 0);
      for (int range = 0; range < RANGES; range++) {
        chain.addRange(64L * range, 64, 1);
      }
    }
    assertThat(chain.isFull()).isTrue();
    assertThatThrownBy(() -> chain.add(SendOpcode.SEND, 0, 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void shouldGiveEachChainToOneLinkAtATime() {
    SendRequests first = take();
    SendRequests second = take();
    assertThat(second).isNotSameAs(first);
    pool.giveBack(first);
    assertThat(take()).isSameAs(first);
    assertThat(take()).isNotSameAs(first).isNotSameAs(second);
    assertThat(pool.all()).hasSize(3);
  }

  /** A link may end because there is no heap. */
  @Test
  void shouldTakeChainsBackWithoutHeap() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    List<SendRequests> chains = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      chains.add(take());
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 100; i++) { // an iterator needs heap
      pool.giveBack(chains.get(i));
    }
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isZero();
  }
}
