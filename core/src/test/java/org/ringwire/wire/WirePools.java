package org.ringwire.wire;

import org.ringwire.ring.ReceiveBufferPool;

/** The pools of these tests. */
final class WirePools {

  private WirePools() {}

  static ReceiveBufferPool open() {
    return new ReceiveBufferPool(8 << 20);
  }

  static long outstandingBytes(ReceiveBufferPool pool) {
    return pool.outstandingBytes();
  }
}
