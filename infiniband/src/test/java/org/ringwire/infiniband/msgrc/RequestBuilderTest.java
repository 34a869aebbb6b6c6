package org.ringwire.infiniband.msgrc;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.device.RingRegions;
import org.ringwire.infiniband.device.StagingPool;
import org.ringwire.infiniband.verbs.SendRequests;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.OutboundRanges;

@ExtendWith(NodeWatcher.class)
class RequestBuilderTest {

  private static final int NUMBER = 0x1234;
  private static final int SMALL = 64;
  private static final int LARGE = 1000;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment ring = arena.allocate(1 << 16);
  private final MemorySegment other = arena.allocate(1 << 16);
  private final StagingPool smallChunks = new StagingPool(arena.allocate(2 * SMALL), 7, SMALL);
  private final StagingPool largeChunks = new StagingPool(arena.allocate(6 * LARGE), 8, LARGE);
  private final SendSlots slots = new SendSlots(64);
  private final SendRequests requests = new SendRequests(arena, 8, 3);
  private final OutboundRanges ranges = new OutboundRanges(16);

  @AfterEach
  void close() {
    arena.close();
  }

  private RequestBuilder builder(int inline, int length) {
    RingRegions.Ring known = new RingRegions.Ring(ring, 9);
    return new RequestBuilder(
        memory -> known.is(memory) ? known : null,
        smallChunks.share(),
        largeChunks.share(),
        requests,
        slots,
        new RequestBuilder.Bounds(inline, length, 4),
        NUMBER,
        Immediate.of(5, Immediate.DATA));
  }

  private void offer(MemorySegment memory, long offset, long length) {
    ranges.add(memory, memory.asByteBuffer(), offset, length);
  }

  private long build(RequestBuilder builder, int most) {
    builder.build(ranges, ranges.bytes(), most);
    return slots.addedBytes();
  }

  @Test
  void shouldNameRingWhereItIsAndSliceIt() {
    offer(ring, 100, 2500);
    assertThat(build(builder(0, 1000), 8)).isEqualTo(2500);
    assertThat(requests.count()).isEqualTo(3);
    assertThat(requests.bytes(0)).isEqualTo(1000);
    assertThat(requests.bytes(2)).isEqualTo(500);
    assertThat(requests.id(2)).isEqualTo((long) NUMBER << 32 | 2);
    assertThat(slots.free()).isEqualTo(61);
  }

  @Test
  void shouldStopWhereThereIsNoRoom() {
    offer(ring, 0, 5000);
    assertThat(build(builder(0, 1000), 2)).isEqualTo(2000);
    assertThat(requests.count()).isEqualTo(2);
  }

  @Test
  void shouldCopyShortOfferIntoRequest() {
    RequestBuilder builder = builder(200, 1000);
    offer(other, 0, 40);
    offer(ring, 0, 64);
    assertThat(build(builder, 8)).isEqualTo(104);
    assertThat(requests.count()).isEqualTo(1);
    assertThat(builder.isCopiesOnly()).isTrue();
    assertThat(smallChunks.isExhausted()).isFalse();
  }

  /** Control frames before data of the ring: one request, whose chunk comes back with it. */
  @Test
  void shouldPutCopiesAndRingIntoOneRequest() {
    RequestBuilder builder = builder(0, 1000);
    offer(other, 0, 40);
    offer(ring, 0, 500);
    offer(other, 40, 10);
    assertThat(build(builder, 8)).isEqualTo(550);
    assertThat(requests.count()).isEqualTo(1);
    assertThat(builder.isCopiesOnly()).isFalse();
    slots.offer();
    slots.acknowledge(0);
    assertThat(slots.take()).isEqualTo(550);
    assertThat(smallChunks.share().take()).isNotNull();
    assertThat(smallChunks.share().take()).isNotNull();
  }

  @Test
  void shouldBeginNewRequestWhenRangesAreUsedUp() {
    RequestBuilder builder = builder(0, 1000);
    for (int i = 0; i < 7; i++) {
      offer(ring, 100L * i, 50);
    }
    assertThat(build(builder, 8)).isEqualTo(350);
    assertThat(requests.count()).isEqualTo(3);
    assertThat(requests.bytes(0)).isEqualTo(150);
  }

  @Test
  void shouldEndWhereChunksDo() {
    RequestBuilder builder = builder(0, 1000);
    offer(other, 0, 10_000);
    assertThat(build(builder, 8)).isEqualTo(3 * LARGE);
    assertThat(builder.lacksChunk()).isTrue();
    slots.offer();
    slots.acknowledge(2);
    slots.take();
    assertThat(build(builder, 1)).isEqualTo(LARGE);
    assertThat(builder.lacksChunk()).isFalse();
  }

  /** Who waits for its own requests does not line up with those that lack what all share. */
  @Test
  void shouldLackNoChunkWhereTheChainIsFull() {
    RequestBuilder builder = builder(0, 1000);
    offer(other, 0, 10_000);
    assertThat(build(builder, 3)).as("its share").isEqualTo(3 * LARGE);
    assertThat(builder.lacksChunk()).isFalse();
  }

  @Test
  void shouldBuildSignalWithoutData() {
    builder(0, 1000).buildSignal(Immediate.of(5, Immediate.FAREWELL));
    assertThat(requests.count()).isEqualTo(1);
    assertThat(requests.bytes(0)).isZero();
    assertThat(Immediate.linkNumber(Immediate.of(0xffff, 2))).isEqualTo(0xffff);
    assertThat(Immediate.kind(Immediate.of(0xffff, 2))).isEqualTo(2);
  }

  /** Whatever is offered: every byte once, no request too long, all chunks back. */
  @Test
  void shouldCarryEveryOfferByteByByte() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    RequestBuilder builder = builder(30, 777);
    for (int i = 0; i < 1 << 16; i++) {
      ring.set(JAVA_BYTE, i, (byte) i);
      other.set(JAVA_BYTE, i, (byte) i);
    }
    for (int round = 0; round < 3000; round++) {
      ranges.clear();
      for (int i = random.nextInt(1, 17); i > 0; i--) {
        offer(random.nextBoolean() ? ring : other, random.nextInt(1000), random.nextInt(1, 900));
      }
      int most = random.nextInt(1, 9);
      long bytes = build(builder, most);
      assertThat(requests.count()).as("seed=%s", seed).isBetween(1, most);
      long sum = 0;
      for (int i = 0; i < requests.count(); i++) {
        assertThat(requests.bytes(i)).as("seed=%s", seed).isBetween(1L, 777L);
        sum += requests.bytes(i);
      }
      assertThat(sum).as("seed=%s", seed).isEqualTo(bytes).isLessThanOrEqualTo(ranges.bytes());
      slots.offer();
      slots.acknowledge((int) slots.next() - 1);
      assertThat(slots.take()).as("seed=%s", seed).isEqualTo(bytes);
      assertThat(slots.free()).isEqualTo(64);
    }
    for (int i = 0; i < 6; i++) {
      assertThat(largeChunks.share().take()).as("seed=%s", seed).isNotNull();
    }
  }
}
