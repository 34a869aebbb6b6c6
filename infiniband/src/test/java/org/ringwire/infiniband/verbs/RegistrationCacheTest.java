package org.ringwire.infiniband.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.types.Access;
import org.ringwire.testing.NodeWatcher;

@Tag("rdma")
@Tag("rdma-slice")
@ExtendWith(NodeWatcher.class)
final class RegistrationCacheTest {

  private static final int PAGE = 4096;

  private final Arena arena = Arena.ofShared();
  private Device device;
  private ProtectionDomain domain;
  private RegistrationCache cache;

  @BeforeEach
  void open() {
    device = Devices.open("");
    domain = device.allocateProtectionDomain();
    cache = new RegistrationCache(domain, Access.LOCAL_WRITE, 4L * PAGE);
  }

  @AfterEach
  void close() {
    cache.close();
    assertThat(domain.registeredBytes()).isZero();
    domain.close();
    device.close();
    arena.close();
  }

  @Test
  void shouldRegisterOnce() {
    MemorySegment memory = arena.allocate(2L * PAGE, PAGE);
    MemoryRegion region = cache.acquire(memory);
    assertThat(cache.acquire(memory.asSlice(100, 1000))).isSameAs(region);
    assertThat(cache.usedBytes()).isEqualTo(2L * PAGE);
    cache.release(region);
    cache.release(region);
    assertThat(cache.usedBytes()).isZero();
    assertThat(cache.acquire(memory)).isSameAs(region);
    cache.release(region);
    assertThat(cache.hits()).isEqualTo(2);
    assertThat(cache.misses()).isEqualTo(1);
    assertThatThrownBy(() -> cache.release(region)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldStayBelowTheLimit() {
    MemoryRegion[] regions = new MemoryRegion[4];
    for (int i = 0; i < 4; i++) {
      regions[i] = cache.acquire(arena.allocate(PAGE, PAGE));
    }
    assertThatThrownBy(() -> cache.acquire(arena.allocate(PAGE, PAGE)))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("limitBytes=16384");
    cache.release(regions[2]);
    cache.release(regions[0]);
    MemoryRegion next = cache.acquire(arena.allocate(PAGE, PAGE));
    assertThat(regions[2].isClosed()).as("unused for longest").isTrue();
    assertThat(regions[0].isClosed()).isFalse();
    assertThat(cache.evictions()).isEqualTo(1);
    assertThat(domain.registeredBytes()).isEqualTo(4L * PAGE).isEqualTo(cache.cachedBytes());
    cache.release(next);
    cache.release(regions[1]);
    cache.release(regions[3]);
  }

  @Test
  void shouldForget() {
    MemorySegment memory = arena.allocate(PAGE, PAGE);
    MemoryRegion region = cache.acquire(memory);
    cache.forget(memory);
    assertThat(region.isClosed()).as("in use").isFalse();
    MemoryRegion again = cache.acquire(memory);
    assertThat(again).isNotSameAs(region);
    cache.release(region);
    assertThat(region.isClosed()).isTrue();
    assertThatThrownBy(cache::close).isInstanceOf(IllegalStateException.class);
    cache.release(again);
  }

  @Test
  void shouldNeverHandOutMemoryThatHasEnded() {
    MemoryRegion dead;
    long address;
    MemorySegment ended;
    try (Arena shortLived = Arena.ofShared()) {
      MemorySegment memory = shortLived.allocate(PAGE, PAGE);
      address = memory.address();
      ended = memory;
      dead = cache.acquire(memory);
      cache.release(dead);
    }
    assertThatThrownBy(() -> cache.acquire(ended))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("freed");
    // Another arena may get the same addresses; the scope tells them apart.
    MemorySegment sameAddress = arena.allocate(PAGE, PAGE);
    MemoryRegion region = cache.acquire(sameAddress);
    assertThat(region).isNotSameAs(dead);
    assertThat(dead.isClosed()).as("found dead, at %x", address).isTrue();
    cache.release(region);
  }

  /** Native code may unmap what it has mapped, and map something else there. */
  @Test
  @SuppressWarnings("restricted") // as native code has its memory
  void shouldNotKeepMemoryWhoseEndNobodyLearnsOf() {
    MemorySegment memory = arena.allocate(PAGE, PAGE);
    MemorySegment foreign = MemorySegment.ofAddress(memory.address()).reinterpret(PAGE);
    MemoryRegion region = cache.acquire(foreign);
    assertThat(region.isClosed()).as("in use").isFalse();
    cache.release(region);
    assertThat(region.isClosed()).isTrue();
  }

  @Test
  void shouldRegisterNothingMoreAtTheEnd() {
    MemoryRegion used = cache.acquire(arena.allocate(PAGE, PAGE));
    MemoryRegion idle = cache.acquire(arena.allocate(PAGE, PAGE));
    cache.release(idle);
    cache.end();
    assertThat(idle.isClosed()).isTrue();
    assertThat(used.isClosed()).as("in use").isFalse();
    assertThatThrownBy(() -> cache.acquire(used.memory()))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("nothing is registered any more");
    cache.release(used);
    assertThat(used.isClosed()).isTrue();
  }
}
