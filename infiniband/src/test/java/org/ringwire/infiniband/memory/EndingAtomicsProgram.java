package org.ringwire.infiniband.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemory;
import org.ringwire.infiniband.RemoteMemoryException;
import org.ringwire.infiniband.RemoteMemoryException.Reason;
import org.ringwire.infiniband.RemoteRegion;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.types.WorkStatus;

/**
 * Many threads of two nodes add to two words of a third one, by a device that is late, and in the
 * midst of it something ends.
 */
final class EndingAtomicsProgram {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int THREADS = 3; // of each node
  private static final int ROUNDS = 3; // before, and after
  private static final int AT_ONCE = 4;
  private static final int BREAKS = 10;

  /** Adds to a word, by how they have ended. */
  private static final class Word {
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private final Map<Reason, AtomicInteger> failed = new EnumMap<>(Reason.class);
    private final AtomicInteger others = new AtomicInteger();

    Word() {
      for (Reason reason : Reason.values()) {
        failed.put(reason, new AtomicInteger());
      }
    }

    void failed(Throwable why) {
      Throwable cause = why instanceof CompletionException ? why.getCause() : why;
      if (cause instanceof RemoteMemoryException e) {
        failed.get(e.reason()).incrementAndGet();
      } else if (!(cause instanceof MessagingException || cause instanceof IllegalStateException)) {
        others.incrementAndGet(); // those say that nothing was begun
      }
    }

    long count(Reason... reasons) {
      long count = 0;
      for (Reason reason : reasons) {
        count += failed.get(reason).get();
      }
      return count;
    }

    /** Whether the word has what was added for sure, and no more than may have been. */
    String judge(long value) {
      long most = done.get() + count(Reason.UNCERTAIN, Reason.CLOSED, Reason.DEADLINE);
      boolean isRight = value >= done.get() && value <= most && others.get() == 0;
      return isRight ? "right" : "wrong: " + value + " done=" + done + " " + failed + " " + others;
    }
  }

  private final Word first = new Word();
  private final Word second = new Word();
  private final CountDownLatch underWay = new CountDownLatch(2 * THREADS);
  private volatile boolean isOver;

  private EndingAtomicsProgram() {}

  /** Prints whether the words are what they must be when what is told has ended. */
  public static void main(String... args) {
    SimulatedDevice.set("late", 1);
    new EndingAtomicsProgram().run(args[0]);
    System.out.println("left: " + SimulatedDevice.get("regions"));
  }

  private void run(String ending) {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Arena arena = Arena.ofShared();
        Node owner = MemoryNode.open(directory, 1);
        Node node = MemoryNode.open(directory, 2);
        Node other = MemoryNode.open(directory, 3);
        RemoteMemory owning = RemoteMemory.of(owner);
        RemoteMemory one = RemoteMemory.of(node);
        RemoteMemory two = RemoteMemory.of(other)) {
      MemorySegment words = arena.allocate(16, 8);
      MemorySegment kept = words.asSlice(8);
      List<CompletableFuture<Void>> all = new ArrayList<>();
      try (ExportedMemory stays = owning.export(kept, MemoryPermission.ATOMIC)) {
        ExportedMemory goes = owning.export(words.asSlice(0, 8), MemoryPermission.ATOMIC);
        for (RemoteMemory user : List.of(one, two)) {
          for (int i = 0; i < THREADS; i++) {
            all.add(start(user.open(goes.descriptor()), user.open(stays.descriptor())));
          }
        }
        underWay.await();
        end(ending, goes, owning, one, owner);
        isOver = true;
        long value = words.get(ValueLayout.JAVA_LONG, 0);
        all.forEach(CompletableFuture::join);
        print(ending, value, words);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void print(String ending, long atTheEnd, MemorySegment words) {
    long value = words.get(ValueLayout.JAVA_LONG, 0);
    System.out.println("first: " + first.judge(value));
    System.out.println("second: " + second.judge(words.get(ValueLayout.JAVA_LONG, 8)));
    if (ending.equals("memory")) { // of which only that is lost what was refused
      System.out.println("exact: " + (value == first.done.get() && value == atTheEnd));
      long refused = first.count(Reason.REFUSED);
      boolean isAll = refused > 0 && first.done.get() + refused == first.begun.get();
      System.out.println("the rest refused: " + isAll);
      System.out.println("others: " + (second.done.get() == second.begun.get()));
    } else if (ending.equals("owner")) {
      System.out.println("nothing after it: " + (value == atTheEnd));
    }
  }

  private static void end(
      String what, ExportedMemory goes, RemoteMemory owning, RemoteMemory one, Node owner)
      throws InterruptedException {
    switch (what) {
      case "memory" -> goes.close();
      case "owner" -> owning.close();
      case "node" -> owner.close();
      case "user" -> one.close();
      default -> {
        for (int i = 0; i < BREAKS; i++) {
          SimulatedDevice.set("failing status", WorkStatus.RETRY_EXC_ERR);
          Thread.sleep(1); // others go on meanwhile
        }
        SimulatedDevice.set("failing status", 0);
      }
    }
  }

  private CompletableFuture<Void> start(RemoteRegion goes, RemoteRegion stays) {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    Thread _ =
        Thread.ofPlatform()
            .start(() -> {
              try {
                addSometimes(goes, stays);
                underWay.countDown();
                while (!isOver) {
                  addAtOnce(goes, stays);
                }
                addSometimes(goes, stays);
                ended.complete(null);
              } catch (Throwable e) {
                ended.completeExceptionally(e);
              }
            });
    return ended;
  }

  private void addSometimes(RemoteRegion goes, RemoteRegion stays) {
    for (int round = 0; round < ROUNDS; round++) {
      addAtOnce(goes, stays);
    }
  }

  private void addAtOnce(RemoteRegion goes, RemoteRegion stays) {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 1; i < AT_ONCE; i++) {
      all.add(add(goes, first));
      all.add(add(stays, second));
    }
    addAndWait(goes, first);
    addAndWait(stays, second);
    all.forEach(CompletableFuture::join);
  }

  private static void addAndWait(RemoteRegion region, Word word) {
    word.begun.incrementAndGet();
    try {
      long _ = region.fetchAndAdd(0, 1, PATIENCE);
      word.done.incrementAndGet();
    } catch (RuntimeException e) {
      word.failed(e);
    }
  }

  private static CompletableFuture<Void> add(RemoteRegion region, Word word) {
    word.begun.incrementAndGet();
    try {
      return region
          .fetchAndAddAsync(0, 1)
          .handle((_, why) -> {
            if (why == null) {
              word.done.incrementAndGet();
            } else {
              word.failed(why);
            }
            return (Void) null;
          })
          .toCompletableFuture();
    } catch (RuntimeException e) {
      word.failed(e);
      return CompletableFuture.completedFuture(null);
    }
  }
}
