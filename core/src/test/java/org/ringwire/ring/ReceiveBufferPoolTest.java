package org.ringwire.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Threads;

@ExtendWith(NodeWatcher.class)
class ReceiveBufferPoolTest {

  private final long scopesBefore = NativeMemory.openScopes();
  private final ReceiveBufferPool pool = new ReceiveBufferPool(1 << 20, true);

  @AfterEach
  void everythingIsFreed() {
    pool.close();
    assertThat(pool.outstanding()).isZero();
    assertThat(pool.outstandingBytes()).isZero();
    assertThat(pool.idleBytes()).isZero();
    assertThat(NativeMemory.openScopes()).isEqualTo(scopesBefore);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 4096",
    "1, 4096",
    "4096, 4096",
    "4097, 8192",
    "65535, 65536",
    "65536, 65536",
    "1048575, 1048576",
    "1048576, 1048576",
    "1048577, 1310720",
    "1310720, 1310720",
    "1310721, 1572864",
    "1835009, 2097152",
    "2097152, 2097152",
    "2097153, 2621440",
    "14680065, 16777216",
    "16777216, 16777216",
    "16777217, 16777217"
  })
  void shouldRoundUpToASizeClass(long minLength, long capacity) {
    ReceiveBuffer buffer = pool.acquire(minLength);

    assertThat(buffer.capacity()).isEqualTo(capacity);
    assertThat(buffer.segment().byteSize()).isEqualTo(capacity);
    assertThat(buffer.buffer().capacity()).isEqualTo((int) capacity);
    assertThat(pool.outstanding()).isEqualTo(1);
    assertThat(pool.outstandingBytes()).isEqualTo(capacity);
    buffer.release();
    assertThat(pool.acquired()).isEqualTo(1);
  }

  @Test
  void shouldHandOutTheBufferUsedLast() {
    ReceiveBuffer first = pool.acquire(5000);
    ReceiveBuffer second = pool.acquire(5000);
    second.buffer().position(7).limit(9);
    first.release();
    second.release();

    assertThat(pool.acquire(8000)).isSameAs(second);
    assertThat(second.buffer().position()).isZero();
    assertThat(second.buffer().limit()).isEqualTo(8192);
    assertThat(pool.acquire(8000)).isSameAs(first);
    first.release();
    second.release();
  }

  @Test
  void shouldRefuseADoubleRelease() {
    ReceiveBuffer buffer = pool.acquire(1);
    buffer.release();

    assertThatThrownBy(buffer::release).isInstanceOf(IllegalStateException.class);
    assertThat(pool.outstanding()).isZero();
    assertThat(pool.idleBytes()).isEqualTo(4096);
  }

  @Test
  void shouldPoisonReleasedMemory() {
    ReceiveBuffer buffer = pool.acquire(1);
    buffer.release();

    for (long offset = 0; offset < 4096; offset++) {
      assertThat(buffer.segment().get(ValueLayout.JAVA_BYTE, offset)).isEqualTo((byte) 0xDD);
    }
  }

  @Test
  void shouldKeepNoMoreIdleBytesThanAllowed() {
    List<ReceiveBuffer> buffers = new ArrayList<>();
    for (int index = 0; index < 5; index++) {
      buffers.add(pool.acquire(256 << 10));
    }
    buffers.forEach(ReceiveBuffer::release);

    assertThat(pool.idleBytes()).isEqualTo(1 << 20);
    assertThat(NativeMemory.openScopes()).isEqualTo(scopesBefore + 4);
  }

  /** Every length gets the smallest size that holds it, and what was kept serves it again. */
  @Test
  void shouldKeepBuffersOfEverySizeApart() {
    try (ReceiveBufferPool roomy = new ReceiveBufferPool(128 << 20)) {
      long capacity = 0;
      for (long length = 1; length <= ReceiveBufferPool.MAX_POOLED_LENGTH; length = capacity + 1) {
        ReceiveBuffer buffer = roomy.acquire(length);
        assertThat(buffer.capacity()).isGreaterThanOrEqualTo(length).isGreaterThan(capacity);
        capacity = buffer.capacity();
        buffer.release();
        assertThat(roomy.acquire(capacity)).isSameAs(buffer);
        buffer.release();
        assertThat(roomy.acquire(length)).isSameAs(buffer);
        buffer.release();
      }
      assertThat(capacity).isEqualTo(ReceiveBufferPool.MAX_POOLED_LENGTH);
    }
    assertThat(NativeMemory.openScopes()).isEqualTo(scopesBefore);
  }

  @Test
  void shouldFreeLargeBuffersAtOnce() {
    pool.acquire((16 << 20) + 1).release();

    assertThat(pool.idleBytes()).isZero();
    assertThat(NativeMemory.openScopes()).isEqualTo(scopesBefore);
  }

  @Test
  void shouldFreeWhatIsReleasedAfterTheClose() {
    ReceiveBuffer held = pool.acquire(1);
    pool.close();
    assertThatThrownBy(() -> pool.acquire(1)).isInstanceOf(IllegalStateException.class);

    held.release();

    assertThat(NativeMemory.openScopes()).isEqualTo(scopesBefore);
  }

  @Test
  void shouldNeverHandOutOneBufferTwice() throws InterruptedException {
    Threads threads = new Threads();
    for (int id = 1; id <= 4; id++) {
      long mark = id;
      threads.start(() -> exchange(mark));
    }
    threads.join();
  }

  private void exchange(long mark) {
    SplittableRandom random = new SplittableRandom(mark);
    ReceiveBuffer[] held = new ReceiveBuffer[4];
    for (int round = 0; round < 100_000; round++) {
      int slot = random.nextInt(held.length);
      ReceiveBuffer buffer = held[slot];
      if (buffer == null) {
        buffer = pool.acquire(random.nextInt(1, 16 << 10));
        buffer.segment().set(ValueLayout.JAVA_LONG, 0, mark << 32 | slot);
        held[slot] = buffer;
      } else {
        assertThat(buffer.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(mark << 32 | slot);
        buffer.release();
        held[slot] = null;
      }
    }
    for (ReceiveBuffer buffer : held) {
      if (buffer != null) {
        buffer.release();
      }
    }
  }

  /** As who reads metrics may find, while what lay idle is freed. */
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, 0",
    "-1, -4096, 0, 0",
    "1, -12288, 1, 0",
    "-1, 8192, 0, 8192",
    "3, 549755813887, 3, 549755813887"
  })
  void shouldTakeFewerThanNoneForNone(long count, long bytes, long counted, long countedBytes) {
    long tally = (count << 40) + bytes;

    assertThat(ReceiveBufferPool.count(tally)).isEqualTo(counted);
    assertThat(ReceiveBufferPool.bytes(tally)).isEqualTo(countedBytes);
  }

  @Test
  void shouldFreeWhatLiesIdle() {
    try (ReceiveBufferPool pool = new ReceiveBufferPool(64 << 20)) {
      List<ReceiveBuffer> buffers = new ArrayList<>();
      for (int count = 0; count < 40; count++) {
        buffers.add(pool.acquire(count % 2 == 0 ? 1 << 20 : 4 << 10));
      }
      buffers.forEach(ReceiveBuffer::release);
      long most = pool.idleBytes();
      assertThat(most).isGreaterThan(20 << 20);
      pool.trim();
      assertThat(pool.idleBytes()).isBetween(most / 2, most * 3 / 4);
      try (TestUse used = new TestUse(pool.acquire(1 << 20))) {
        for (int times = 0; times < 40; times++) {
          pool.trim();
        }
        assertThat(pool.idleBytes()).isZero();
        assertThat(pool.outstandingBytes()).as("what is in use stays").isEqualTo(1 << 20);
        assertThat(used.buffer().segment().scope().isAlive()).isTrue();
      }
      assertThat(pool.idleBytes()).isEqualTo(1 << 20);
    }
  }

  @Test
  void shouldKeepAFewBuffersThatAreInUseNowAndThen() {
    try (ReceiveBufferPool pool = new ReceiveBufferPool(64 << 20)) {
      ReceiveBuffer first = pool.acquire(16 << 10);
      ReceiveBuffer second = pool.acquire(16 << 10);
      first.release();
      second.release();
      pool.trim();
      assertThat(pool.idleBytes()).as("both were used since the beginning").isEqualTo(32 << 10);
      ReceiveBuffer again = pool.acquire(16 << 10);
      assertThat(again).isSameAs(second);
      again.release();
      pool.trim();
      assertThat(pool.idleBytes()).as("one was used since the last time").isEqualTo(16 << 10);
      again = pool.acquire(16 << 10);
      assertThat(again).as("the one above stays above").isSameAs(second);
      again.release();
      pool.trim();
      assertThat(pool.idleBytes()).isEqualTo(16 << 10);
      pool.trim();
      assertThat(pool.idleBytes()).as("nobody has used it since").isZero();
      assertThat(pool.outstanding()).isZero();
    }
  }

  @Test
  void shouldKeepTheOrderOfThoseThatStay() {
    try (ReceiveBufferPool pool = new ReceiveBufferPool(64 << 20)) {
      List<ReceiveBuffer> buffers = new ArrayList<>();
      for (int count = 0; count < 3; count++) {
        buffers.add(pool.acquire(4 << 10));
      }
      buffers.forEach(ReceiveBuffer::release);
      pool.trim();
      for (ReceiveBuffer expected : buffers.reversed()) {
        assertThat(pool.acquire(4 << 10)).isSameAs(expected);
      }
      buffers.forEach(ReceiveBuffer::release);
    }
  }

  @Test
  void shouldLeaveOneBufferForControlFrames() {
    try (ReceiveBufferPool pool = new ReceiveBufferPool(64 << 20)) {
      pool.trim();
      assertThat(pool.idleBytes()).as("there was none yet").isZero();
      ReceiveBuffer first = pool.acquire(ReceiveBufferPool.LASTING_LENGTH);
      ReceiveBuffer second = pool.acquire(ReceiveBufferPool.LASTING_LENGTH);
      first.release();
      second.release();
      for (int times = 0; times < 3; times++) {
        pool.trim();
      }
      assertThat(pool.idleBytes()).isEqualTo(ReceiveBufferPool.LASTING_LENGTH);
    }
  }

  private record TestUse(ReceiveBuffer buffer) implements AutoCloseable {
    @Override
    public void close() {
      buffer.release();
    }
  }
}
