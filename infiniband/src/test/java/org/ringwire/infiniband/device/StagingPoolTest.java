package org.ringwire.infiniband.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class StagingPoolTest {

  private static final int CHUNKS = 60;

  private final StagingPool pool = new StagingPool(Arena.ofAuto().allocate(CHUNKS * 64L), 1, 64);

  private static Deque<StagingPool.Chunk> takeAll(StagingPool.Share share) {
    Deque<StagingPool.Chunk> taken = new ArrayDeque<>();
    for (StagingPool.Chunk chunk = share.take(); chunk != null; chunk = share.take()) {
      taken.add(chunk);
    }
    return taken;
  }

  /** The peers of the others may take nothing any more. */
  @Test
  void shouldLeaveSomeToEachHoweverManyTakeWhatTheyGet() {
    assertThat(takeAll(pool.share())).hasSize(30);
    assertThat(takeAll(pool.share())).hasSize(15);
    assertThat(takeAll(pool.share())).hasSize(8);
    assertThat(takeAll(pool.share())).hasSize(4);
    assertThat(takeAll(pool.share())).hasSize(2);
    assertThat(pool.share().isUsedUp()).isFalse();
  }

  @Test
  void shouldGiveLinksTheirShareAnewWhenAnotherHasGivenBack() {
    StagingPool.Share one = pool.share();
    StagingPool.Share other = pool.share();
    Deque<StagingPool.Chunk> first = takeAll(one);
    Deque<StagingPool.Chunk> second = takeAll(other);
    assertThat(other.isUsedUp()).isTrue();
    assertThat(other.waitsForOwn()).isTrue();
    first.forEach(StagingPool.Chunk::release);
    assertThat(other.isUsedUp()).isFalse();
    second.forEach(StagingPool.Chunk::release);
    assertThat(takeAll(one)).hasSize(30);
  }

  @Test
  void shouldSayThatLinkWaitsForOthersWhereNothingIsLeft() {
    List<StagingPool.Chunk> taken = new ArrayList<>();
    while (!pool.isExhausted()) {
      taken.addAll(takeAll(pool.share()));
    }
    assertThat(taken).hasSize(CHUNKS);
    StagingPool.Share share = pool.share();
    assertThat(share.take()).isNull();
    assertThat(share.isUsedUp()).isTrue();
    assertThat(share.waitsForOwn()).isFalse();
  }

  @Test
  void shouldNotCountWhatWasLeftToTheDevice() {
    StagingPool.Share share = pool.share();
    takeAll(share).forEach(StagingPool.Chunk::leave);
    assertThat(takeAll(share)).hasSize(15);
    pool.takeBack();
    assertThat(takeAll(pool.share())).hasSize(23);
  }
}
