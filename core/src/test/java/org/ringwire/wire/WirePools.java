package org.ringwire.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.ringwire.ring.ReceiveBufferPool;

/** The pools of these tests. */
final class WirePools {

  private WirePools() {}

  static ReceiveBufferPool open() {
    return new ReceiveBufferPool(8 << 20);
  }

  /** Closes a pool and complains if a buffer was not returned. */
  static void close(ReceiveBufferPool pool) {
    assertThat(pool.outstanding()).as("buffers not returned").isZero();
    pool.close();
  }
}
