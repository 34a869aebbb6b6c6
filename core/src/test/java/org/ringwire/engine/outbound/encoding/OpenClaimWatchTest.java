package org.ringwire.engine.outbound.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.ring.NativeMemory;
import org.ringwire.ring.OutboundRing;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** When a claim that stays open is taken for lost: by time, and in several looks of the timer. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors({"encode() took long", "a codec that blocks"})
class OpenClaimWatchTest {

  private static final long LIMIT_NS = 1_000;
  private static final long LONG_NS = 1_000_000_000;

  private final NativeMemory.Scope scope = NativeMemory.open("test");
  private final OutboundRing ring = OutboundRing.over(scope.allocate(1 << 12, 128));
  private final OpenClaimWatch watch =
      new OpenClaimWatch(new SlowEncoders(LIMIT_NS, new ErrorLog(1), new MessageCatalog()));
  private long nowNs;
  private long open;

  @BeforeEach
  void claim() {
    open = ring.tryClaim(64, 1 << 12);
  }

  @AfterEach
  void close() {
    scope.close();
  }

  private boolean isLostAt(long ns) {
    nowNs = ns;
    watch.found(open, ring.consumer(), "peer", nowNs);
    return watch.isLost(nowNs);
  }

  @Test
  void shouldFindAClaimThatIsNeverFinished() {
    assertThat(isLostAt(0)).isFalse();
    boolean lost = false;
    for (int look = 1; look < 20 && !lost; look++) {
      lost = isLostAt(look * LONG_NS);
    }
    assertThat(lost).isTrue();
  }

  /** The process was stopped in the middle of a message, and the timer runs first. */
  @Test
  void shouldNotHoldAPauseOfTheProcessAgainstAnybody() {
    assertThat(isLostAt(0)).isFalse();
    assertThat(isLostAt(60 * LONG_NS)).as("the first look afterwards").isFalse();
    open = -1; // its thread has run meanwhile
    assertThat(isLostAt(61 * LONG_NS)).isFalse();
    open = 128;
    assertThat(isLostAt(62 * LONG_NS)).as("another").isFalse();
  }

  @Test
  void shouldGiveAClaimTheTimeThatItNeeds() {
    for (int look = 0; look < 50; look++) {
      assertThat(isLostAt(look * LIMIT_NS)).isFalse();
    }
  }
}
