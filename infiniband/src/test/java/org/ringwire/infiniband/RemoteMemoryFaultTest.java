package org.ringwire.infiniband;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.infiniband.RemoteMemoryPair.OWNER;
import static org.ringwire.infiniband.RemoteMemoryPair.PATIENCE;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.WaitInterruptedException;
import org.ringwire.infiniband.RemoteMemoryException.Reason;
import org.ringwire.testing.NodeWatcher;

/** What goes wrong with remote memory, and that it costs what it must and no more. */
@Tag("rdma")
@ExtendWith(NodeWatcher.class)
class RemoteMemoryFaultTest {

  private RemoteMemoryPair pair;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicReference<Throwable> messaging = new AtomicReference<>();
  private Thread messages;
  private volatile long echoes;

  /** Goes to and fro all the time. */
  record Echo(long number) {}

  @BeforeEach
  void open() {
    pair = new RemoteMemoryPair();
  }

  @AfterEach
  void close() throws Exception {
    ended.set(true);
    if (messages != null) {
      messages.join();
    }
    pair.close();
  }

  /** Messages go over the same device while memory is used, until the test ends. */
  private void exchangeMessages() {
    pair.owner.handle(Echo.class, (echo, exchange) -> exchange.reply(echo));
    messages =
        Thread.ofPlatform()
            .start(() -> {
              try {
                while (!ended.get()) {
                  Echo echo = pair.user.request(OWNER, new Echo(echoes), Echo.class, PATIENCE);
                  echoes = echo.number() + 1;
                }
              } catch (Throwable e) {
                messaging.set(e);
              }
            });
  }

  private void messagesStillGo() throws InterruptedException {
    long before = echoes;
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    while (echoes < before + 10 && messages.isAlive() && System.nanoTime() - endNs < 0) {
      Thread.sleep(1);
    }
    assertThat(messaging).hasNullValue();
    assertThat(echoes).isGreaterThanOrEqualTo(before + 10);
  }

  private static void fails(Reason reason, ThrowingCallable operation) {
    assertThatThrownBy(operation)
        .isInstanceOfSatisfying(
            RemoteMemoryException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  private static Reason reasonOf(CompletableFuture<?> stage) throws Exception {
    try {
      stage.get(100, TimeUnit.SECONDS);
      return null;
    } catch (ExecutionException e) {
      return ((RemoteMemoryException) e.getCause()).reason();
    }
  }

  /** With the checks of this side bypassed by descriptors that promise more than was granted. */
  @Test
  void shouldBeRefusedByTheDeviceOfTheOwnerWhileMessagesGoOn() throws Exception {
    exchangeMessages();
    MemorySegment ten = pair.allocate(10);
    MemorySegment behind = pair.owning.export(pair.allocate(64), MemoryPermission.READ).memory();
    try (ExportedMemory readable = pair.export(4096, MemoryPermission.READ);
        ExportedMemory writable = pair.export(4096, MemoryPermission.WRITE)) {
      for (ExportedMemory each : List.of(readable, writable)) {
        MemoryDescriptor real = each.descriptor();
        boolean reads = real.permits(MemoryPermission.READ);
        fails(
            Reason.REFUSED,
            () -> {
              RemoteRegion region = pair.using.open(forged(real, real.length(), real.key(), 7));
              if (reads) {
                region.write(0, ten, PATIENCE);
              } else {
                region.read(0, ten, PATIENCE);
              }
            });
        fails(
            Reason.REFUSED,
            () ->
                pair.using
                    .open(forged(real, real.length(), real.key(), 7))
                    .fetchAndAdd(0, 1, PATIENCE));
        MemoryDescriptor longer = forged(real, real.length() + 8, real.key(), real.permissions());
        fails(
            Reason.REFUSED,
            () -> {
              RemoteRegion region = pair.using.open(longer);
              if (reads) {
                region.read(real.length() - 2, ten, PATIENCE);
              } else {
                region.write(real.length() - 2, ten, PATIENCE);
              }
            });
        RemoteRegion wrongKey =
            pair.using.open(forged(real, real.length(), real.key() ^ 0x5500, 7));
        fails(Reason.REFUSED, () -> wrongKey.read(0, ten, PATIENCE));
        fails(Reason.REFUSED, () -> wrongKey.read(0, ten, PATIENCE)); // and costs nothing now
      }
      assertThat(readable.memory().get(JAVA_LONG, 0)).isZero();
      messagesStillGo();
      pair.open(readable).read(0, ten, PATIENCE);
      pair.open(writable).write(0, ten, PATIENCE);
    }
    assertThat(behind.get(JAVA_LONG, 0)).isZero();
  }

  private static MemoryDescriptor forged(
      MemoryDescriptor real, long length, int key, int permissions) {
    return new MemoryDescriptor(
        real.nodeId(), real.life(), real.address(), length, key, permissions, 0);
  }

  @Test
  void shouldCostOnlyWhatIsRevokedWhileAPeerUsesIt() throws Exception {
    exchangeMessages();
    ExportedMemory going = pair.export(1 << 16);
    try (ExportedMemory staying = pair.export(8)) {
      RemoteRegion revoked = pair.open(going);
      RemoteRegion kept = pair.open(staying);
      AtomicReference<Reason> reason = new AtomicReference<>();
      CompletableFuture<Void> used = new CompletableFuture<>();
      Thread reader = readUntilItFails(revoked, used, reason);
      used.get(100, TimeUnit.SECONDS);
      List<CompletableFuture<Long>> adds = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        adds.add(kept.fetchAndAddAsync(0, 1).toCompletableFuture());
        if (i == 100) {
          going.close();
          going.memory().fill((byte) 0xDD);
        }
      }
      for (CompletableFuture<Long> add : adds) {
        assertThat(reasonOf(add)).isNull();
      }
      reader.join();
      assertThat(reason.get()).isEqualTo(Reason.REFUSED);
      assertThat(staying.memory().get(JAVA_LONG, 0)).isEqualTo(200); // each exactly once
      fails(Reason.REFUSED, () -> revoked.read(0, pair.allocate(8), PATIENCE));
      fails(Reason.REFUSED, () -> pair.open(going).write(0, pair.allocate(8), PATIENCE));
      for (long i = 0; i < 8; i++) {
        assertThat(going.memory().get(JAVA_BYTE, i)).isEqualTo((byte) 0xDD);
      }
      messagesStillGo();
    }
  }

  private Thread readUntilItFails(
      RemoteRegion region, CompletableFuture<Void> used, AtomicReference<Reason> reason) {
    return Thread.ofPlatform()
        .start(() -> {
          MemorySegment into = pair.allocate(region.length());
          try {
            while (true) {
              region.read(0, into, PATIENCE);
              used.complete(null);
            }
          } catch (RemoteMemoryException e) {
            reason.set(e.reason());
          }
        });
  }

  @Test
  void shouldRefuseADescriptorOfAnEarlierLife() throws Exception {
    ExportedMemory old = pair.export(64);
    RemoteRegion opened = pair.open(old);
    opened.write(0, pair.allocate(8), PATIENCE);
    MemoryDescriptor descriptor = old.descriptor();
    pair.restartOwner();
    try (ExportedMemory exported = pair.export(64)) {
      exported.memory().fill((byte) 1);
      RemoteRegion fresh = pair.open(exported);
      MemorySegment into = pair.allocate(8);
      fresh.read(0, into, PATIENCE); // notices that the queue pair led to the old life
      assertThat(into.get(JAVA_BYTE, 0)).isEqualTo((byte) 1);
      fails(Reason.STALE, () -> opened.write(0, pair.allocate(8), PATIENCE));
      fails(Reason.STALE, () -> pair.using.open(descriptor).read(0, into, PATIENCE));
      // Even if the new life had given the same key to the same address.
      MemoryDescriptor same = exported.descriptor();
      MemoryDescriptor stale =
          new MemoryDescriptor(
              OWNER, descriptor.life(), same.address(), 64, same.key(), same.permissions(), 0);
      fails(Reason.STALE, () -> pair.using.open(stale).write(0, into, PATIENCE));
      assertThat(exported.memory().get(JAVA_BYTE, 0)).isEqualTo((byte) 1);
    }
  }

  /** A soft device carries out while it posts; so the owner does not answer here. */
  private RemoteRegion silent() {
    ExportedMemory exported = pair.export(1 << 20);
    RemoteRegion region = pair.open(exported);
    region.read(0, pair.allocate(8), PATIENCE);
    pair.owning.close();
    return region;
  }

  private static List<CompletableFuture<Void>> readOften(RemoteRegion region, MemorySegment into) {
    List<CompletableFuture<Void>> reads = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      reads.add(region.readAsync(0, into).toCompletableFuture());
    }
    return reads;
  }

  private void nextLifeIsRead() {
    pair.restartOwner();
    try (ExportedMemory exported = pair.export(1 << 20)) {
      exported.memory().fill((byte) 5);
      MemorySegment into = pair.allocate(1 << 20);
      pair.open(exported).read(0, into, PATIENCE);
      assertThat(into.mismatch(exported.memory())).isEqualTo(-1);
    }
  }

  @Test
  void shouldEndWhatIsUnderWayWhenTimeIsOverAndGoOn() throws Exception {
    exchangeMessages();
    RemoteRegion region = silent();
    MemorySegment into = pair.allocate(1 << 20);
    List<CompletableFuture<Void>> others = readOften(region, into);
    fails(Reason.DEADLINE, () -> region.read(0, into, Duration.ofNanos(1)));
    for (CompletableFuture<Void> other : others) {
      assertThat(reasonOf(other)).isEqualTo(Reason.UNCERTAIN);
    }
    messagesStillGo();
    ended.set(true);
    messages.join();
    nextLifeIsRead();
  }

  @Test
  void shouldEndWhatIsUnderWayWhenItsThreadIsInterruptedAndGoOn() throws Exception {
    RemoteRegion region = silent();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> region.write(0, pair.allocate(1 << 20), PATIENCE))
        .isInstanceOf(WaitInterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
    nextLifeIsRead();
  }

  @Test
  void shouldEndAllOperationsWhenItCloses() throws Exception {
    RemoteRegion region = silent();
    List<CompletableFuture<Void>> reads = readOften(region, pair.allocate(1 << 20));
    pair.using.close();
    for (CompletableFuture<Void> read : reads) {
      assertThat(reasonOf(read)).isEqualTo(Reason.CLOSED);
    }
    fails(Reason.CLOSED, () -> region.read(0, pair.allocate(8), PATIENCE));
    assertThatThrownBy(() -> pair.using.open(region.descriptor()))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldKeepItsLimits() {
    pair.close();
    pair = new RemoteMemoryPair(new RemoteMemoryConfig(8192, 1 << 20, 1, 2, PATIENCE));
    ExportedMemory all = pair.export(8192);
    assertThatThrownBy(() -> pair.export(1))
        .isInstanceOf(MessagingException.class)
        .hasMessageContaining("8192");
    all.close();
    try (ExportedMemory again = pair.export(8192)) {
      MemorySegment into = pair.allocate(8192); // in two requests, or by one of two
      pair.open(again).read(0, into, PATIENCE);
      MemorySegment heap = MemorySegment.ofArray(new byte[8192]);
      pair.open(again).read(0, heap, PATIENCE);
    }
  }

  @Test
  void shouldServeNoMorePeersThanItMayAndForgetThoseThatAreGone() throws Exception {
    pair.close();
    pair = new RemoteMemoryPair(new RemoteMemoryConfig(8192, 1 << 20, 1, 2, PATIENCE));
    MemorySegment into = pair.allocate(8);
    try (ExportedMemory exported = pair.export(8);
        Node third = RemoteMemoryPair.node(pair.directory, 4);
        RemoteMemory others = RemoteMemory.of(third)) {
      pair.open(exported).read(0, into, PATIENCE);
      RemoteRegion region = others.open(exported.descriptor());
      fails(Reason.UNREACHABLE, () -> region.read(0, into, PATIENCE));
      pair.using.close();
      pair.user.close();
      long endNs = System.nanoTime() + PATIENCE.toNanos();
      while (!isRead(region, into)) {
        assertThat(System.nanoTime() - endNs).isNegative();
        Thread.sleep(10);
      }
    }
  }

  private static boolean isRead(RemoteRegion region, MemorySegment into) {
    try {
      region.read(0, into, PATIENCE);
      return true;
    } catch (RemoteMemoryException e) {
      assertThat(e.reason()).isEqualTo(Reason.UNREACHABLE);
      return false;
    }
  }

  /** Nobody of the owner's process takes part; when it is dead, operations end by themselves. */
  @Test
  void shouldGoOnWithAStoppedPeerAndEndWithADeadOne() throws Exception {
    Process process = start();
    try {
      MemoryDescriptor descriptor = announced(process);
      RemoteRegion region = pair.using.open(descriptor);
      MemorySegment into = pair.allocate(1 << 20);
      region.read(0, into, PATIENCE);
      signal(process, "STOP");
      region.write(8, into.asSlice(0, 5000), PATIENCE);
      assertThat(region.fetchAndAdd(0, 1, PATIENCE)).isEqualTo(41);
      assertThat(region.fetchAndAdd(0, 1, PATIENCE)).isEqualTo(42);
      AtomicReference<Reason> reason = new AtomicReference<>();
      CompletableFuture<Void> used = new CompletableFuture<>();
      Thread reader = readUntilItFails(region, used, reason);
      used.get(100, TimeUnit.SECONDS);
      process.destroyForcibly();
      reader.join();
      assertThat(reason.get()).isIn(Reason.UNCERTAIN, Reason.UNREACHABLE);
      pair.directory.remove(3);
    } finally {
      process.destroyForcibly();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static void signal(Process process, String name) throws Exception {
    int status =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    assertThat(status).isZero();
  }

  private MemoryDescriptor announced(Process process) throws IOException {
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    pair.directory.put(3, output.readLine());
    return MemoryDescriptor.ofBytes(HexFormat.of().parseHex(output.readLine()));
  }

  private static Process start() throws IOException {
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElse("java"),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            OwnerProgram.class.getName())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Exports memory, and says where. */
  static final class OwnerProgram {

    private OwnerProgram() {}

    /** Runs until it is killed. */
    public static void main(String[] arguments) throws InterruptedException {
      Node node = RemoteMemoryPair.node(NodeDirectory.mutable(), 3);
      MemorySegment memory = Arena.global().allocate(1 << 20, 8);
      memory.set(JAVA_LONG, 0, 41);
      ExportedMemory exported = RemoteMemory.of(node).export(memory, MemoryPermission.values());
      System.out.println(node.address());
      System.out.println(HexFormat.of().formatHex(exported.descriptor().toBytes()));
      Thread.currentThread().join();
    }
  }
}
