package org.ringwire.infiniband;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.infiniband.RemoteMemoryPair.PATIENCE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/**
 * The device is let go when nobody uses it any more, and not before; errors that are logged fail.
 */
@Tag("rdma")
@ExpectedErrors({"a listener of exported memory has not returned", "thread does not end: "})
@ExtendWith(NodeWatcher.class)
class RemoteMemoryCloseTest {

  private RemoteMemoryPair pair;

  @BeforeEach
  void open() {
    pair = new RemoteMemoryPair();
  }

  @AfterEach
  void close() {
    pair.close();
  }

  @Test
  void shouldBeClosedByAListener() throws Exception {
    long before = openDevices();
    CountDownLatch closed = new CountDownLatch(1);
    MemoryListener listener =
        (_, _) -> {
          pair.owning.close();
          closed.countDown();
        };
    notifyOf(listener);
    assertThat(closed.await(100, TimeUnit.SECONDS)).isTrue();
    awaitDevices(before - 1);
  }

  @Test
  void shouldStayOpenForAListenerThatDoesNotReturn() throws Exception {
    long before = openDevices();
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    MemoryListener listener =
        (_, _) -> {
          called.countDown();
          awaitQuietly(released);
        };
    notifyOf(listener);
    assertThat(called.await(100, TimeUnit.SECONDS)).isTrue();
    pair.owning.close();
    assertThat(openDevices()).isEqualTo(before);
    released.countDown();
    awaitDevices(before - 1);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      boolean _ = latch.await(100, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void notifyOf(MemoryListener listener) {
    MemorySegment memory = pair.allocate(64);
    ExportedMemory exported = pair.owning.export(memory, listener, MemoryPermission.WRITE);
    RemoteRegion region = pair.open(exported);
    region.writeAndNotify(0, pair.allocate(8), 1, PATIENCE);
  }

  private static void awaitDevices(long count) {
    Awaiting.await("open devices", () -> openDevices() == count);
  }

  /** How often this process has a device open. */
  private static long openDevices() {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.filter(RemoteMemoryCloseTest::isDevice).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isDevice(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("/dev/infiniband/uverbs");
    } catch (IOException e) { // closed meanwhile
      return false;
    }
  }
}
