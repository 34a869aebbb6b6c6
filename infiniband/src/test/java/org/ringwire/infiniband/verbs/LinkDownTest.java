package org.ringwire.infiniband.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.verbs.types.AsyncEvent;
import org.ringwire.infiniband.verbs.types.AsyncEventType;
import org.ringwire.infiniband.verbs.types.PortState;
import org.ringwire.testing.NodeWatcher;

/** What a device tells when its network interface goes down. */
@Tag("rdma")
@ExtendWith(NodeWatcher.class)
final class LinkDownTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @AfterEach
  void restore() throws Exception {
    link("up");
    try (Device device = Devices.open("rxe0")) {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (!device.port(1).isActive() || device.gid(1, 1).isZero()) {
        assertThat(System.nanoTime()).as("the port comes back").isLessThan(deadline);
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void shouldTellWhenAPortGoesDownAndComesBack() throws Exception {
    try (Device device = Devices.open("rxe0");
        EventPoll poll = new EventPoll(List.of(), device)) {
      link("down");
      await(device, poll, AsyncEventType.PORT_ERR);
      assertThat(device.port(1).state()).isEqualTo(PortState.DOWN);
      link("up");
      await(device, poll, AsyncEventType.PORT_ACTIVE);
      assertThat(device.port(1).state()).isEqualTo(PortState.ACTIVE);
    }
  }

  private static void await(Device device, EventPoll poll, AsyncEventType type) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      AsyncEvent event = device.takeAsyncEvent();
      if (event != null && event.type() == type) {
        assertThat(event.number()).isEqualTo(1);
        return;
      }
      assertThat(System.nanoTime()).as("an event %s", type).isLessThan(deadline);
      if (event == null && poll.await(PATIENCE.toMillis())) {
        assertThat(poll.isAsyncEventReady()).isTrue();
      }
    }
  }

  private static void link(String state) throws IOException, InterruptedException {
    Process process = new ProcessBuilder("ip", "link", "set", "dummy0", state).inheritIO().start();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }
}
