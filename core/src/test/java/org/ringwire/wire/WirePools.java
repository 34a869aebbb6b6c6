package org.ringwire.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.ringwire.ring.ReceiveBufferPool;

/** The pools of these tests. */
public final class WirePools {

  private WirePools() {}

  public static ReceiveBufferPool open() {
    return new ReceiveBufferPool(8 << 20);
  }

  /** Closes a pool and complains if a buffer was not returned. */
  public static void close(ReceiveBufferPool pool) {
    assertThat(pool.outstanding()).as("buffers not returned").isZero();
    pool.close();
  }
}
