package org.ringwire.infiniband.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryDescriptor;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemory;
import org.ringwire.infiniband.RemoteMemoryException;
import org.ringwire.infiniband.RemoteRegion;
import org.ringwire.infiniband.simulated.SimulatedDevice;

/** Many threads of two nodes change words of a third one; and words that they may not change. */
final class AtomicsProgram {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int THREADS = 3; // of each node
  private static final int ADDS = 300;
  private static final int AT_ONCE = 100;
  private static final int SWAPS = 50;
  private static final long ADDED = 0;
  private static final long ADDED_AT_ONCE = 8;
  private static final long SWAPPED = 16;
  private static final int LENGTH = 24;

  private final Set<Long> before = ConcurrentHashMap.newKeySet();
  private final Set<Long> beforeAtOnce = ConcurrentHashMap.newKeySet();
  private final MemorySegment memory;

  private AtomicsProgram(MemorySegment memory) {
    this.memory = memory;
  }

  /** Prints what has become of the words; of a device that is late if so told. */
  public static void main(String... args) {
    if (Boolean.parseBoolean(args[0])) {
      SimulatedDevice.set("late", 1);
    }
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Arena arena = Arena.ofShared();
        Node owner = MemoryNode.open(directory, 1);
        Node second = MemoryNode.open(directory, 2);
        Node third = MemoryNode.open(directory, 3);
        RemoteMemory owning = RemoteMemory.of(owner);
        RemoteMemory one = RemoteMemory.of(second);
        RemoteMemory other = RemoteMemory.of(third)) {
      AtomicsProgram program = new AtomicsProgram(arena.allocate(LENGTH, 8));
      program.change(owning, one, other);
      program.changeWhatIsForbidden(owning, one, arena);
    }
    System.out.println("left: " + SimulatedDevice.get("regions"));
  }

  private void change(RemoteMemory owning, RemoteMemory one, RemoteMemory other) {
    try (ExportedMemory exported = owning.export(memory, MemoryPermission.ATOMIC)) {
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (RemoteMemory user : List.of(one, other)) {
        RemoteRegion region = user.open(exported.descriptor());
        for (int i = 0; i < THREADS; i++) {
          CompletableFuture<Void> ended = new CompletableFuture<>();
          Thread _ = Thread.ofPlatform().start(() -> run(ended, () -> change(region)));
          all.add(ended);
        }
      }
      all.forEach(CompletableFuture::join);
    }
    int threads = all();
    System.out.println("adds: " + (isExact(before, ADDED, threads * ADDS) ? "exact" : "wrong"));
    boolean isExact = isExact(beforeAtOnce, ADDED_AT_ONCE, threads * AT_ONCE);
    System.out.println("adds at once: " + (isExact ? "exact" : "wrong"));
    System.out.println("swaps: " + (word(SWAPPED) == (long) threads * SWAPS ? "exact" : "wrong"));
  }

  private static int all() {
    return 2 * THREADS;
  }

  private static void run(CompletableFuture<Void> ended, Runnable body) {
    try {
      body.run();
      ended.complete(null);
    } catch (Throwable e) {
      ended.completeExceptionally(e);
    }
  }

  private void change(RemoteRegion region) {
    for (int i = 0; i < ADDS; i++) {
      before.add(region.fetchAndAdd(ADDED, 1, PATIENCE));
    }
    List<CompletableFuture<Long>> atOnce = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      atOnce.add(region.fetchAndAddAsync(ADDED_AT_ONCE, 1).toCompletableFuture());
    }
    atOnce.forEach(each -> beforeAtOnce.add(each.join()));
    long expected = 0;
    for (int done = 0; done < SWAPS; ) {
      long found = region.compareAndSwap(SWAPPED, expected, expected + 1, PATIENCE);
      done += found == expected ? 1 : 0;
      expected = found == expected ? expected + 1 : found;
    }
  }

  /** Whether each add has found another number, from 0 on. */
  private boolean isExact(Set<Long> found, long offset, int count) {
    return word(offset) == count
        && found.size() == count
        && found.stream().allMatch(each -> each >= 0 && each < count);
  }

  private long word(long offset) {
    return memory.get(ValueLayout.JAVA_LONG, offset);
  }

  private void changeWhatIsForbidden(RemoteMemory owning, RemoteMemory user, Arena arena) {
    MemorySegment odd = arena.allocate(LENGTH, 8).asSlice(4, 16);
    try (ExportedMemory exported = owning.export(odd, MemoryPermission.ATOMIC);
        ExportedMemory readable = owning.export(memory, MemoryPermission.READ)) {
      MemoryDescriptor is = exported.descriptor();
      RemoteRegion region = user.open(is);
      print("at an address that is divisible", () -> region.fetchAndAdd(4, 5, PATIENCE));
      print("at one that is not", () -> region.fetchAndAdd(0, 1, PATIENCE));
      print("partly beyond the end", () -> region.fetchAndAdd(12, 1, PATIENCE));
      print("before the start", () -> region.compareAndSwap(-4, 0, 1, PATIENCE));
      RemoteRegion longer = user.open(forged(is, is.length() + 8));
      print("beyond the end, forged", () -> longer.fetchAndAdd(12, 1, PATIENCE));
      RemoteRegion unreadable = user.open(readable.descriptor());
      print("not permitted", () -> unreadable.fetchAndAdd(0, 1, PATIENCE));
      MemoryDescriptor read = readable.descriptor();
      RemoteRegion permitted = user.open(forged(read, read.length()));
      print("permitted, forged", () -> permitted.compareAndSwap(0, word(0), 0, PATIENCE));
      print("after that", () -> user.open(is).compareAndSwap(4, 5, 6, PATIENCE));
    }
    System.out.println("word: " + odd.get(ValueLayout.JAVA_LONG_UNALIGNED, 4));
    System.out.println("not touched: " + (word(0) == (long) all() * ADDS));
  }

  /** What somebody says who knows the key. */
  private static MemoryDescriptor forged(MemoryDescriptor is, long length) {
    return new MemoryDescriptor(
        is.nodeId(), is.life(), is.address(), length, is.key(), 4, is.listener());
  }

  private static void print(String what, LongSupplier operation) {
    try {
      System.out.println(what + ": " + operation.getAsLong());
    } catch (RemoteMemoryException e) {
      System.out.println(what + ": " + e.reason());
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      System.out.println(what + ": " + e.getClass().getSimpleName());
    }
  }
}
