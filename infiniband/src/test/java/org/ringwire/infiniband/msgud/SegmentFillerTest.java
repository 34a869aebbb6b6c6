package org.ringwire.infiniband.msgud;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.device.RingRegions;
import org.ringwire.infiniband.device.StagingPool;
import org.ringwire.infiniband.verbs.SendRequests;
import org.ringwire.infiniband.verbs.types.SendOpcode;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.OutboundRanges;

@ExtendWith(NodeWatcher.class)
class SegmentFillerTest {

  private static final int CONTENT = 1000;
  private static final int CHUNKS = 16;
  private static final int MOST = CHUNKS / 2; // of a link

  private final Arena arena = Arena.ofAuto();
  private final MemorySegment ring = arena.allocate(1 << 16);
  private final MemorySegment other = arena.allocate(1 << 16);
  private final RingRegions.Ring registered = new RingRegions.Ring(ring, 77);
  private final StagingPool chunks =
      new StagingPool(arena.allocate((long) CHUNKS * CONTENT), 88, CONTENT);
  private final StagingPool.Share share = chunks.share();
  private final SegmentFiller filler =
      new SegmentFiller(memory -> registered.is(memory) ? registered : null);
  private final OutboundRanges ranges = new OutboundRanges(16);
  private final SendRequests requests = new SendRequests(arena, 64, 4);

  private void offer(MemorySegment memory, long offset, long length) {
    ranges.add(memory, memory.asByteBuffer(), offset, length);
  }

  private List<UdSegment> fillAll() {
    filler.begin(ranges, share);
    List<UdSegment> segments = new ArrayList<>();
    while (filler.hasMore()) {
      UdSegment segment = new UdSegment(3);
      if (!filler.fill(segment, CONTENT)) {
        break;
      }
      segments.add(segment);
    }
    filler.end();
    return segments;
  }

  @Test
  void shouldNameRingWhereItIs() {
    offer(ring, 100, 2500);
    List<UdSegment> segments = fillAll();
    assertThat(segments).extracting(UdSegment::length).containsExactly(1000, 1000, 500);
    assertThat(chunks.isExhausted()).isFalse();
  }

  /** The end of the ring and its beginning. */
  @Test
  void shouldNameTwoRangesInOneSegment() {
    offer(ring, 65000, 536);
    offer(ring, 0, 200);
    List<UdSegment> segments = fillAll();
    assertThat(segments).extracting(UdSegment::length).containsExactly(736);
    requests.clear();
    requests.add(SendOpcode.SEND, 5, 0);
    segments.getFirst().appendTo(requests, 5);
    assertThat(requests.bytes(0)).isEqualTo(736);
    assertThat(segments.getFirst().post()).isEqualTo(5);
  }

  @Test
  void shouldCopyAllOfSegmentOfWhichPartLiesElsewhere() {
    offer(ring, 0, 300);
    offer(other, 0, 300);
    offer(ring, 300, 5000);
    List<UdSegment> segments = fillAll();
    assertThat(segments.getFirst().length()).isEqualTo(CONTENT);
    assertThat(segments)
        .extracting(UdSegment::length)
        .containsExactly(1000, 1000, 1000, 1000, 1000, 600);
    segments.forEach(UdSegment::free);
    segments.forEach(UdSegment::free); // once
    for (int i = 0; i < CHUNKS; i++) {
      assertThat(chunks.share().take()).isNotNull();
    }
    assertThat(chunks.share().take()).isNull();
  }

  @Test
  void shouldStopWhereThereIsNoChunk() {
    offer(other, 0, 20_000);
    List<UdSegment> segments = fillAll();
    assertThat(segments).hasSize(MOST);
    segments.getFirst().free();
    assertThat(fillAll()).hasSize(1);
  }

  /** Whatever is offered: every byte once and in order, from the ring or from a copy. */
  @Test
  void shouldCarryEveryByte() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 1 << 16; i++) {
      ring.set(JAVA_BYTE, i, (byte) i);
      other.set(JAVA_BYTE, i, (byte) (i * 7));
    }
    for (int round = 0; round < 2000; round++) {
      ranges.clear();
      for (int i = random.nextInt(1, 17); i > 0; i--) {
        offer(random.nextBoolean() ? ring : other, random.nextInt(1000), random.nextInt(1, 400));
      }
      long sum = 0;
      for (UdSegment segment : fillAll()) {
        assertThat(segment.length()).as("seed=%s", seed).isBetween(1, CONTENT);
        sum += segment.length();
        segment.free();
      }
      assertThat(sum).as("seed=%s", seed).isEqualTo(ranges.bytes());
    }
  }
}
