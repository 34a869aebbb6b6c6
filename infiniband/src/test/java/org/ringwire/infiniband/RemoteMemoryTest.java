package org.ringwire.infiniband;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.infiniband.RemoteMemoryPair.PATIENCE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** What remote memory does where nothing goes wrong, or is refused before it is sent. */
@Tag("rdma")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(NodeWatcher.class)
class RemoteMemoryTest {

  private RemoteMemoryPair pair;

  @BeforeAll
  void open() {
    pair = new RemoteMemoryPair();
  }

  @AfterAll
  void close() {
    pair.close();
  }

  /** A message with a descriptor in it. */
  record Announcement(String name, MemoryDescriptor descriptor) {}

  private static void fill(MemorySegment memory, int seed) {
    for (long i = 0; i < memory.byteSize(); i++) {
      memory.set(JAVA_BYTE, i, (byte) (seed + 7 * i));
    }
  }

  /** Also longer than the longest message of the device, which is 8 MiB. */
  @Test
  void shouldReadAndWriteEveryLength() {
    long[] lengths = {0, 1, 7, 8, 100, 4095, 4096, 4097, 65_536, (9 << 20) + 13};
    try (ExportedMemory exported = pair.export(10 << 20)) {
      RemoteRegion region = pair.open(exported);
      for (long length : lengths) {
        for (boolean heap : new boolean[] {false, true}) {
          MemorySegment from = memory(length, heap);
          MemorySegment into = memory(length, heap);
          fill(from, (int) length);
          long offset = exported.memory().byteSize() - length - 3;
          region.write(offset, from, PATIENCE);
          assertThat(exported.memory().asSlice(offset, length).mismatch(from)).isEqualTo(-1);
          region.read(offset, into, PATIENCE);
          assertThat(into.mismatch(from)).as(length + (heap ? " heap" : "")).isEqualTo(-1);
        }
      }
    }
  }

  private MemorySegment memory(long length, boolean heap) {
    return heap
        ? MemorySegment.ofArray(new byte[(int) length])
        : pair.allocate(Math.max(length, 1)).asSlice(0, length);
  }

  @Test
  void shouldTouchNothingBesideWhatItWrites() {
    try (ExportedMemory exported = pair.export(100)) {
      exported.memory().fill((byte) 1);
      pair.open(exported).write(10, MemorySegment.ofArray(new byte[20]), PATIENCE);
      for (long i = 0; i < 100; i++) {
        assertThat(exported.memory().get(JAVA_BYTE, i))
            .isEqualTo((byte) (i < 10 || i >= 30 ? 1 : 0));
      }
    }
  }

  @Test
  void shouldUseMemoryThatOnlyItsThreadMayAccess() {
    try (ExportedMemory exported = pair.export(5000);
        Arena confined = Arena.ofConfined()) {
      RemoteRegion region = pair.open(exported);
      fill(exported.memory(), 3);
      MemorySegment into = confined.allocate(5000);
      region.read(0, into.asSlice(0, 10), PATIENCE);
      region.read(10, into.asSlice(10), PATIENCE);
      assertThat(into.mismatch(exported.memory())).isEqualTo(-1);
    }
  }

  @Test
  void shouldAddUpWhatThreadsAdd() throws Exception {
    long threads = 4;
    long each = 50;
    try (ExportedMemory exported = pair.export(16)) {
      RemoteRegion region = pair.open(exported);
      exported.memory().set(JAVA_LONG, 8, Long.MAX_VALUE - 2); // wraps
      List<Thread> started = new ArrayList<>();
      CompletableFuture<Throwable> failed = new CompletableFuture<>();
      for (int t = 0; t < threads; t++) {
        Thread.Builder builder = t % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
        started.add(
            builder.start(() -> {
              try {
                addAndSwap(region, each);
              } catch (Throwable e) {
                failed.complete(e);
              }
            }));
      }
      for (Thread thread : started) {
        thread.join();
      }
      assertThat(failed).isNotDone();
      assertThat(exported.memory().get(JAVA_LONG, 0)).isEqualTo(threads * each);
      assertThat(exported.memory().get(JAVA_LONG, 8))
          .isEqualTo(Long.MAX_VALUE - 2 + threads * each);
    }
  }

  private static void addAndSwap(RemoteRegion region, long times) {
    for (int i = 0; i < times; i++) {
      region.fetchAndAdd(8, 1, PATIENCE);
      long seen = 0;
      long before = region.compareAndSwap(0, seen, seen + 1, PATIENCE);
      while (before != seen) {
        seen = before;
        before = region.compareAndSwap(0, seen, seen + 1, PATIENCE);
      }
    }
  }

  /** More than fit into the queue pair, of several kinds. */
  @Test
  void shouldRunManyOperationsAtOnce() throws Exception {
    long count = 300;
    try (ExportedMemory exported = pair.export(1 << 16)) {
      RemoteRegion region = pair.open(exported);
      fill(exported.memory(), 1);
      exported.memory().set(JAVA_LONG, 0, 0);
      List<CompletableFuture<?>> stages = new ArrayList<>();
      List<MemorySegment> read = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        MemorySegment into = pair.allocate(i % 10 == 0 ? 20_000 : 100);
        read.add(into);
        stages.add(region.readAsync(100, into).toCompletableFuture());
        stages.add(region.fetchAndAddAsync(0, i).toCompletableFuture());
      }
      CompletableFuture.allOf(stages.toArray(CompletableFuture[]::new)).get(100, TimeUnit.SECONDS);
      assertThat(exported.memory().get(JAVA_LONG, 0)).isEqualTo(count * (count - 1) / 2);
      for (MemorySegment each : read) {
        assertThat(each.mismatch(exported.memory().asSlice(100, each.byteSize()))).isEqualTo(-1);
      }
    }
  }

  /** In the order of the writes, each with its bytes there, however many requests it took. */
  @Test
  void shouldTellTheOwnerOfWritesThatAskForIt() throws Exception {
    int writes = 600; // more than there are receive requests
    MemorySegment memory = pair.allocate(3 << 20);
    List<String> heard = new ArrayList<>();
    CompletableFuture<Void> all = new CompletableFuture<>();
    MemoryListener listener =
        (node, tag) -> {
          heard.add(node + " " + tag + " " + memory.get(JAVA_BYTE, (3 << 20) - 1));
          if (tag == 65_535) {
            all.complete(null);
          }
        };
    try (ExportedMemory exported = pair.owning.export(memory, listener, MemoryPermission.WRITE)) {
      RemoteRegion region = pair.open(exported);
      for (int i = 0; i < writes; i++) {
        CompletionStage<Void> _ =
            region.writeAndNotifyAsync(0, MemorySegment.ofArray(new byte[1 + i % 10]), i);
      }
      MemorySegment large = pair.allocate(3 << 20);
      large.fill((byte) 7);
      region.writeAndNotify(0, large, 65_535, PATIENCE);
      all.get(100, TimeUnit.SECONDS);
      assertThat(heard).hasSize(writes + 1);
      for (int i = 0; i < writes; i++) {
        assertThat(heard.get(i)).startsWith("1 " + i + " ");
      }
      assertThat(heard.getLast()).isEqualTo("1 65535 7");
      assertThatThrownBy(() -> region.writeAndNotify(0, large.asSlice(0, 0), 0, PATIENCE))
          .isInstanceOf(IllegalArgumentException.class);
    }
    try (ExportedMemory exported = pair.export(8)) {
      assertThatThrownBy(() -> pair.open(exported).writeAndNotify(0, memory, 0, PATIENCE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("nobody listens");
    }
  }

  @Test
  void shouldOpenWhatAPeerHasAnnounced() throws Exception {
    CompletableFuture<Announcement> heard = new CompletableFuture<>();
    pair.user.handle(Announcement.class, (message, exchange) -> heard.complete(message));
    try (ExportedMemory exported = pair.export(10, MemoryPermission.READ)) {
      exported.memory().setString(0, "over ib");
      pair.owner.send(1, new Announcement("greeting", exported.descriptor()));
      MemoryDescriptor descriptor = heard.get(100, TimeUnit.SECONDS).descriptor();
      assertThat(descriptor).isEqualTo(exported.descriptor());
      MemorySegment into = pair.allocate(10);
      pair.using.open(descriptor).read(0, into, PATIENCE);
      assertThat(into.getString(0)).isEqualTo("over ib");
    }
  }

  @Test
  void shouldRefuseHereWhatTheDescriptorDoesNotAllow() {
    try (ExportedMemory exported = pair.export(100, MemoryPermission.READ)) {
      RemoteRegion region = pair.open(exported);
      MemorySegment ten = pair.allocate(10);
      assertThatThrownBy(() -> region.read(91, ten, PATIENCE))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> region.readAsync(-1, ten))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> region.read(Long.MAX_VALUE, ten, PATIENCE))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> region.read(0, ten.asReadOnly(), PATIENCE))
          .isInstanceOf(IllegalArgumentException.class);
      notPermitted(() -> region.write(0, ten, PATIENCE), "WRITE");
      notPermitted(() -> region.writeAsync(0, ten), "WRITE");
      notPermitted(() -> region.fetchAndAdd(0, 1, PATIENCE), "ATOMIC");
      notPermitted(() -> region.compareAndSwapAsync(0, 1, 2), "ATOMIC");
    }
    try (ExportedMemory exported = pair.export(100, MemoryPermission.ATOMIC)) {
      RemoteRegion region = pair.open(exported);
      notPermitted(() -> region.read(0, pair.allocate(8), PATIENCE), "READ");
      assertThatThrownBy(() -> region.fetchAndAdd(4, 1, PATIENCE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("offset=4");
      assertThatThrownBy(() -> region.fetchAndAdd(96, 1, PATIENCE))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  private static void notPermitted(Runnable operation, String what) {
    assertThatThrownBy(operation::run)
        .isInstanceOfSatisfying(
            RemoteMemoryException.class,
            e -> assertThat(e.reason()).isEqualTo(RemoteMemoryException.Reason.NOT_PERMITTED))
        .hasMessageContaining(what);
  }

  @Test
  void shouldExportOnlyWhatCanBe() {
    MemorySegment memory = pair.allocate(100);
    refuseExport(MemorySegment.ofArray(new byte[8]), MemoryPermission.READ);
    refuseExport(memory.asSlice(0, 0), MemoryPermission.READ);
    refuseExport(memory);
    refuseExport(memory.asReadOnly(), MemoryPermission.READ, MemoryPermission.WRITE);
    assertThatThrownBy(
            () -> pair.using.open(new MemoryDescriptor(1, 0, memory.address(), 100, 0, 1, 0)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RemoteMemory.of(pair.owner)).isInstanceOf(IllegalStateException.class);
  }

  /** Its addresses may be somebody else's by now; also if the device knows it from before. */
  @Test
  void shouldUseNoMemoryThatWasFreed() {
    try (ExportedMemory exported = pair.export(10_000)) {
      RemoteRegion region = pair.open(exported);
      for (long length : new long[] {100, 10_000}) {
        for (boolean known : new boolean[] {false, true}) {
          Arena arena = Arena.ofShared();
          MemorySegment memory = arena.allocate(length, 8);
          if (known) {
            region.read(0, memory, PATIENCE);
          }
          arena.close();
          assertThatThrownBy(() -> region.read(0, memory, PATIENCE))
              .as("length=%d known=%s", length, known)
              .isInstanceOf(IllegalStateException.class);
          assertThatThrownBy(() -> pair.owning.export(memory, MemoryPermission.READ))
              .isInstanceOf(IllegalStateException.class);
        }
      }
    }
  }

  private void refuseExport(MemorySegment memory, MemoryPermission... permissions) {
    assertThatThrownBy(() -> pair.owning.export(memory, permissions))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
