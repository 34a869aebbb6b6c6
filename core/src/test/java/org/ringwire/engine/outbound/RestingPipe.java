package org.ringwire.engine.outbound;

import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.ring.RingMemory;

/** A pipe that leads nowhere, over a ring whose memory goes each time that it rests. */
final class RestingPipe {

  /** Bytes of each frame. */
  static final int LENGTH = 64;

  /** Longer than pieces that rings share. */
  private static final int CAPACITY = 128 << 10;

  final OutboundRing ring =
      OutboundRing.resting(
          new RingMemory("resting", arena -> arena.allocate(CAPACITY, 64), CAPACITY, () -> {}));
  final OutboundPipe pipe =
      SinkLink.pipe(
          new OutboundStream(new ControlQueue(), () -> new byte[0], new ReceiveBufferPool(0)));

  RestingPipe() {
    pipe.ring(ring);
    pipe.open(new SinkLink());
  }

  /** Starts threads that all do the same. */
  static Thread[] start(int count, Runnable work) {
    Thread[] threads = new Thread[count];
    for (int index = 0; index < count; index++) {
      threads[index] = Thread.ofPlatform().start(work);
    }
    return threads;
  }
}
