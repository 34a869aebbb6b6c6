package org.ringwire.transport.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ringwire.IdleStrategy;
import org.ringwire.transport.TransportConfig;

/** What tests of loopback transports share. */
final class LoopbackTransports {

  private LoopbackTransports() {}

  static TransportConfig config(int nodeId) {
    return new TransportConfig(nodeId, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(5));
  }

  /** Waits until the transport's thread has come to what was posted until now. */
  static void awaitTasks(LoopbackTransport transport) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    transport.loop().post(done::countDown);
    assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
  }
}
