package org.ringwire.infiniband.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Authentication;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemoryConfig;
import org.ringwire.infiniband.RemoteMemoryException;
import org.ringwire.infiniband.RemoteMemoryException.Reason;
import org.ringwire.infiniband.RemoteRegion;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** Queue pairs for memory are made ready while a device looks for the address of some peer. */
@Tag("rdma")
@ExpectedErrors("operations on memory of other nodes have failed: ")
@ExtendWith(NodeWatcher.class)
class MakingReadyTest {

  private static final Duration PATIENCE = Duration.ofSeconds(100);
  private static final long NOWHERE = 0x2001_0db8_0000_0000L;
  private static final int USER = 1;
  private static final int OWNER = 2;
  private static final int OTHER = 3;

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final Arena arena = Arena.ofShared();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch answered = new CountDownLatch(1);

  @AfterEach
  void close() throws Exception {
    answered.countDown();
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
    arena.close();
  }

  private Node node(int id) {
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .transport("ib")
                .peers(directory)
                .listen("127.0.0.1:0")
                .authentication(Authentication.none())
                .connectTimeout(PATIENCE)
                .sendTimeout(PATIENCE)
                .requestTimeout(PATIENCE)
                .build());
    opened.add(node);
    directory.put(id, String.valueOf(node.address()));
    return node;
  }

  private NodeMemory memory(Node node, Consumer<QueueEnd> looksFor) {
    NodeMemory memory = NodeMemory.of(node, RemoteMemoryConfig.DEFAULT, looksFor);
    opened.add(memory);
    return memory;
  }

  private NodeMemory memory(int id) {
    return memory(node(id), _ -> {});
  }

  private ExportedMemory export(NodeMemory of) {
    return of.export(arena.allocate(64, 8), MemoryPermission.values());
  }

  /** As a network in which some address is looked for until the test answers. */
  private Consumer<QueueEnd> looking(Predicate<QueueEnd> hidden) {
    return end -> {
      if (hidden.test(end)) {
        asked.countDown();
        try {
          boolean _ = answered.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    };
  }

  private void awaitAsked() throws InterruptedException {
    assertThat(asked.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  private static CompletableFuture<Admission> knock(Node stranger) {
    QueueEnd nowhere = new QueueEnd(17, 0, 0, NOWHERE, 1, 5, 1);
    return stranger.requestAsync(OWNER, new Knock(nowhere), Admission.class, PATIENCE);
  }

  private static String failure(CompletableFuture<?> future) throws Exception {
    try {
      return "none: " + future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      return String.valueOf(e.getCause().getMessage());
    }
  }

  @Test
  void shouldServeOthersWhileTheAddressOfAPeerIsLookedFor() throws Exception {
    NodeMemory owning = memory(node(OWNER), looking(end -> end.gidHigh() == NOWHERE));
    ExportedMemory exported = export(owning);
    NodeMemory using = memory(USER);
    Node stranger = node(OTHER);
    CompletableFuture<Admission> first = knock(stranger);
    awaitAsked();
    CompletableFuture<Admission> second = knock(stranger);
    CompletableFuture<Admission> third = knock(stranger);

    RemoteRegion region = using.open(exported.descriptor());
    assertThat(region.fetchAndAdd(0, 1, PATIENCE)).isZero();

    assertThat(failure(CompletableFuture.anyOf(second, third))).contains("asked again");
    assertThat(first).isNotDone();
    owning.close();
    assertThat(failure(CompletableFuture.allOf(second, third))).containsAnyOf("asked", "closed");
    answered.countDown();
    assertThat(failure(first)).doesNotContain("none");
  }

  @Test
  void shouldUseOthersWhileTheAddressOfAnOwnerIsLookedFor() throws Exception {
    ExportedMemory near = export(memory(OTHER));
    ExportedMemory far = export(memory(OWNER));
    NodeMemory using = memory(node(USER), looking(_ -> asked.getCount() > 0));
    CompletableFuture<Long> waiting =
        using.open(far.descriptor()).fetchAndAddAsync(0, 1).toCompletableFuture();
    awaitAsked();

    // By the thread that takes all completions, and by the one that waits.
    CompletableFuture<Long> add =
        using.open(near.descriptor()).fetchAndAddAsync(0, 1).toCompletableFuture();
    assertThat(add.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isZero();
    RemoteRegion region = using.open(far.descriptor());
    assertThatThrownBy(() -> region.fetchAndAdd(0, 1, Duration.ofMillis(1)))
        .isInstanceOfSatisfying(
            RemoteMemoryException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DEADLINE));

    assertThat(waiting).isNotDone();
    answered.countDown();
    assertThat(waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isZero();
  }

  /** What is still in use of the device is let go by who uses it: nothing is left behind. */
  @Test
  void shouldCloseWhileTheAddressOfAnOwnerIsLookedFor() throws Exception {
    ExportedMemory far = export(memory(OWNER));
    NodeMemory using = memory(node(USER), looking(_ -> true));
    CompletableFuture<Long> waiting =
        using.open(far.descriptor()).fetchAndAddAsync(0, 1).toCompletableFuture();
    awaitAsked();

    using.close();

    assertThat(failure(waiting)).contains("was closed");
    answered.countDown();
  }

  @Test
  void shouldExportNothingAfterItHasFailed() {
    NodeMemory failed = memory(OWNER);
    ExportedMemory before = export(failed);
    NodeMemory using = memory(USER);

    failed.failed(new MessagingException("the device is gone"));

    assertThatThrownBy(() -> export(failed))
        .isInstanceOf(MessagingException.class)
        .hasMessage(
            "the remote memory of the node has failed: "
                + "org.ringwire.MessagingException: the device is gone");
    MemorySegment segment = arena.allocate(64, 8);
    assertThatThrownBy(() -> failed.export(segment, (_, _) -> {}, MemoryPermission.WRITE))
        .hasMessageContaining("the device is gone");
    RemoteRegion region = using.open(before.descriptor());
    assertThatThrownBy(() -> region.fetchAndAdd(0, 1, PATIENCE))
        .hasMessageContaining("the device is gone")
        .isInstanceOfSatisfying(
            RemoteMemoryException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNREACHABLE));
  }
}
