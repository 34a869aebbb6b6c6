package org.ringwire.infiniband.memory;

import static org.ringwire.testing.Awaiting.await;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.IdleStrategy;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.WaitInterruptedException;
import org.ringwire.idle.WaitingPlace;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemoryConfig;
import org.ringwire.infiniband.RemoteMemoryException;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.testing.FullHeap;

/**
 * Writes that end otherwise than in order where there is no heap, on an initiator that no other
 * thread polls. Each is done once before, so that everything is loaded.
 */
public final class OperationsWithoutHeapProgram {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long WITHOUT_HEAP_MS = 300;
  private static final int LENGTH = 64 << 10; // used where it lies
  private static final int AT_ONCE = 4;
  private static final int REFUSED = 10;
  private static final int NO_ANSWER = 12;
  private static final RemoteMemoryConfig CONFIG =
      new RemoteMemoryConfig(1 << 20, 1 << 24, 4, 16, PATIENCE);

  private final NodeMemory using;
  private final ExportedMemory exported;
  private final MemorySegment there;
  private final MemorySegment here;
  private Initiator initiator;
  private final List<CompletableFuture<Void>> begun = new ArrayList<>(AT_ONCE);

  private OperationsWithoutHeapProgram(
      NodeMemory using, ExportedMemory exported, MemorySegment there, MemorySegment here) {
    this.using = using;
    this.exported = exported;
    this.there = there;
    this.here = here;
    initiator = new Initiator(using, exported.descriptor().nodeId());
  }

  /** Does what is named, and prints what has become of it. */
  public static void main(String... args) throws Exception {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Arena arena = Arena.ofShared();
        Node owner = MemoryNode.open(directory, 1);
        Node user = MemoryNode.open(directory, 2);
        NodeMemory owning = NodeMemory.of(owner, CONFIG);
        NodeMemory using = NodeMemory.of(user, CONFIG)) {
      MemorySegment there = arena.allocate((long) LENGTH * AT_ONCE);
      MemorySegment here = arena.allocate(LENGTH).fill((byte) 1);
      ExportedMemory exported = owning.export(there, MemoryPermission.WRITE);
      OperationsWithoutHeapProgram program =
          new OperationsWithoutHeapProgram(using, exported, there, here);
      program.run(args[0]);
      program.initiator.close();
    }
  }

  private void run(String what) throws Exception {
    switch (what) {
      case "interrupt" -> {
        interrupt(false);
        System.out.println(interrupt(true));
      }
      case "interrupt cold" -> System.out.println(interrupt(true));
      case "refuse" -> {
        fail(REFUSED, false);
        System.out.println(fail(REFUSED, true));
      }
      case "break" -> {
        fail(NO_ANSWER, false);
        System.out.println(fail(NO_ANSWER, true));
      }
      case "close" -> {
        closeInstead(false);
        initiator = new Initiator(using, exported.descriptor().nodeId());
        System.out.println(closeInstead(true));
      }
      case "close cold" -> System.out.println(closeWhileHeld());
      default -> throw new IllegalArgumentException(what);
    }
  }

  private Region region() {
    return new Region(
        using, initiator, exported.descriptor(), WaitingPlace.of(IdleStrategy.spinning()));
  }

  private long registered() {
    return using.device().registrations().usedBytes();
  }

  private boolean afterPoll(BooleanSupplier what) {
    boolean _ = initiator.poll();
    return what.getAsBoolean();
  }

  private void connect() {
    CompletableFuture<Void> first = region().writeAsync(0, here).toCompletableFuture();
    await("a write", () -> afterPoll(first::isDone));
    await("all ends", () -> afterPoll(() -> registered() == 0));
    first.join();
  }

  /** Who waits for a write is interrupted while the device is busy with it. */
  private String interrupt(boolean withoutHeap) throws Exception {
    connect();
    SimulatedDevice.set("held pair", SimulatedDevice.get("last pair") - 1);
    there.fill((byte) 0);
    Region region = region();
    Thread writing =
        Thread.ofPlatform()
            .start(() -> {
              try {
                region.write(0, here, PATIENCE);
              } catch (WaitInterruptedException | OutOfMemoryError e) {
                // the memory is this thread's again
              }
            });
    await("a write is under way", () -> registered() > 0 && initiator.isBusy());
    if (withoutHeap) {
      FullHeap.fill();
    }
    writing.interrupt();
    writing.join(WITHOUT_HEAP_MS);
    FullHeap.empty();
    writing.join(); // it may wait for heap
    SimulatedDevice.set("held pair", 0);
    return "registered: %d, landed late: %d"
        .formatted(registered(), there.get(ValueLayout.JAVA_BYTE, 0));
  }

  /** Writes of which the first fails, and the others with it, when completions are taken. */
  private String fail(int status, boolean withoutHeap) {
    beginWrites(status);
    if (withoutHeap) {
      FullHeap.fill();
    }
    Throwable thrown = null;
    try {
      boolean _ = initiator.poll();
    } catch (Throwable e) {
      thrown = e;
    }
    long registered = registered();
    FullHeap.empty();
    print(thrown);
    return "registered: %d, thrown: %s, ends: %s".formatted(registered, thrown, ends());
  }

  private static void print(@Nullable Throwable thrown) {
    if (thrown != null) {
      thrown.printStackTrace();
    }
  }

  /** The same, and nobody takes completions but who closes all. */
  private String closeInstead(boolean withoutHeap) {
    beginWrites(NO_ANSWER);
    if (withoutHeap) {
      FullHeap.fill();
    }
    Throwable thrown = null;
    try {
      initiator.close();
    } catch (Throwable e) {
      thrown = e;
    }
    long registered = registered();
    FullHeap.empty();
    print(thrown);
    return "registered: %d, thrown: %s, ends: %s".formatted(registered, thrown, ends());
  }

  /** It is closed for the first time, while the device is busy; and once more, with heap. */
  private String closeWhileHeld() {
    connect();
    SimulatedDevice.set("held pair", SimulatedDevice.get("last pair") - 1);
    there.fill((byte) 0);
    writeAll();
    FullHeap.fill();
    try {
      initiator.close();
    } catch (OutOfMemoryError e) {
      // it is closed again
    }
    boolean ended = registered() == 0;
    FullHeap.empty();
    if (ended) {
      SimulatedDevice.set("held pair", 0); // what is told to have ended must not happen any more
    }
    initiator.close();
    SimulatedDevice.set("held pair", 0);
    return "registered: %d, landed late: %d, ends: %s"
        .formatted(registered(), there.get(ValueLayout.JAVA_BYTE, 0), ends());
  }

  private void beginWrites(int status) {
    connect();
    SimulatedDevice.set("failing status", status);
    writeAll();
  }

  private void writeAll() {
    begun.clear();
    for (int i = 0; i < AT_ONCE; i++) {
      begun.add(region().writeAsync((long) i * LENGTH, here).toCompletableFuture());
    }
  }

  private List<String> ends() {
    return begun.stream().map(this::end).toList();
  }

  private String end(CompletableFuture<Void> write) {
    await("an end", () -> afterPoll(write::isDone));
    try {
      write.join();
      return "done";
    } catch (CompletionException e) {
      return e.getCause() instanceof RemoteMemoryException why
          ? why.reason().name()
          : String.valueOf(e.getCause());
    }
  }
}
