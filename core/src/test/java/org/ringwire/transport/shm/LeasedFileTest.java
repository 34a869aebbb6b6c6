package org.ringwire.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Link;
import org.ringwire.transport.PatternSource;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.Resources;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/** A hostile peer holds a lease on its file, so that whoever opens that waits. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("thread does not end: ringwire-leftovers")
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class LeasedFileTest {

  private static final String OWNER_ONLY = "rw-------";

  /** Less than the system gives to who holds a lease, and enough for all else. */
  private static final Duration SOON = Duration.ofSeconds(20);

  private final Queue<ProbeHandler> handlers = new ConcurrentLinkedQueue<>();
  @RegisterExtension private final Resources resources = new Resources();

  private Transport open(Duration connectTimeout) {
    return resources.closing(
        new ShmTransportProvider()
            .open(new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, connectTimeout)));
  }

  private String listen(Duration connectTimeout) throws IOException {
    return open(connectTimeout)
        .listen(
            "*",
            remote -> {
              ProbeHandler handler = new ProbeHandler();
              handlers.add(handler);
              return handler;
            });
  }

  /** A process that holds one, until it is closed. */
  private record Lease(Process process) implements AutoCloseable {

    static Lease on(Path file) throws IOException {
      List<String> command =
          new ArrayList<>(
              JavaProgram.command(
                  LeaseProgram.class,
                  "-Xmx32m",
                  "-XX:+UseSerialGC",
                  "--enable-native-access=ALL-UNNAMED"));
      command.add(file.toString());
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
      assertThat(said.readLine()).isEqualTo(LeaseProgram.LEASED);
      return new Lease(process);
    }

    @Override
    public void close() {
      process.destroyForcibly().onExit().join();
    }
  }

  private static Path file(Path path, long length) throws IOException {
    Files.createFile(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY)));
    return Files.write(path, new byte[(int) length]);
  }

  private static boolean isSoon(long beganNs) {
    return System.nanoTime() - beganNs < SOON.toNanos();
  }

  @Test
  void shouldAttachOthersWhileTheFileOfOneDoesNotOpen() throws Exception {
    String address = listen(Duration.ofSeconds(1));
    try (SharedFolder hostile = SharedFolder.open()) {
      Path side = file(hostile.resolve("side-1"), SideLayout.LENGTH);
      try (Lease _ = Lease.on(side)) {
        long beganNs = System.nanoTime();
        attachBesideOneThatWaits(address, side);
        resources.close(); // while the lease is held
        assertThat(isSoon(beganNs)).isTrue();
      }
    }
  }

  private void attachBesideOneThatWaits(String address, Path side) throws Exception {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(address))) {
      channel.write(Greeting.of(side));
      channel.write(ByteBuffer.wrap(new byte[] {Greeting.MAPPED}));
      ProbeHandler bystander = new ProbeHandler();
      open(SOON).connect(address, bystander);
      Link link = bystander.link();
      ProbeHandler victim = handlers.remove();
      ProbeHandler good = handlers.remove();
      resources.closing(new PatternSource(1, 100)).offer(link, 1000);
      good.awaitReceived(1000);
      assertThat(victim.cause()).hasMessageContaining("the file of the other side did not open");
    }
  }

  @Test
  void shouldServeOthersWhileTheRingOfOneDoesNotOpen() throws Exception {
    String address = listen(SOON);
    ProbeHandler bystander = new ProbeHandler();
    open(SOON).connect(address, bystander);
    bystander.link();
    ProbeHandler good = handlers.remove();
    try (HostilePeer peer = new HostilePeer(address)) {
      ProbeHandler victim = handlers.remove();
      Link link = victim.link();
      long beganNs = System.nanoTime();
      Lease lease = describeLeasedRing(peer);
      PatternSource source = resources.closing(new PatternSource(1, 100));
      source.offer(bystander.link(), 1000);
      good.awaitReceived(1000);
      assertThat(link.lead(() -> false, System.nanoTime() + SOON.toNanos())).isFalse();
      source.offer(bystander.link(), 1000);
      good.awaitReceived(2000);
      assertThat(isSoon(beganNs)).isTrue();
      assertThat(victim.received()).isZero();
      lease.close();
      victim.awaitReceived(1000);
    }
  }

  @Test
  void shouldReadInARingThatOpensLateWhatAPeerHasWrittenThatIsGone() throws Exception {
    String address = listen(SOON);
    Lease lease;
    ProbeHandler victim;
    try (HostilePeer peer = new HostilePeer(address)) {
      victim = handlers.remove();
      victim.link();
      lease = describeLeasedRing(peer);
      ProbeHandler bystander = new ProbeHandler();
      open(SOON).connect(address, bystander);
      bystander.link(); // after the loop has seen what was described
    }
    assertThat(victim.isClosed()).isFalse();
    lease.close();
    victim.awaitReceived(1000);
    assertThat(victim.cause()).isNull();
  }

  /** Describes 1000 bytes in a ring that others do not open before the lease is closed. */
  private Lease describeLeasedRing(HostilePeer peer) throws IOException {
    Path ring = file(peer.path().resolveSibling("ring-x"), 0);
    Files.write(ring, pattern());
    Lease lease = resources.closing(Lease.on(ring));
    peer.text(ring.toString());
    peer.describe(0, SideLayout.NEW_RING, 0, ring.toString().length());
    peer.describe(1, SideLayout.IN_RING, 0, 1000);
    peer.ring();
    return lease;
  }

  private static byte[] pattern() {
    byte[] bytes = new byte[4096];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = PatternSource.at(i);
    }
    return bytes;
  }

  @Test
  void shouldOpenANodeWhileTheLockOfAnotherDoesNotOpen(@TempDir Path base) throws Exception {
    Path left =
        Files.createDirectory(
            base.resolve("ringwire-1"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Path lock = file(left.resolve("lock"), 0);
    Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minusSeconds(3600)));
    Lease _ = resources.closing(Lease.on(lock));
    long beganNs = System.nanoTime();
    SharedFolder.open(base).close();
    assertThat(isSoon(beganNs)).isTrue();
  }
}
