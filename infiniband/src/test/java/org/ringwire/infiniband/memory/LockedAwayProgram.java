package org.ringwire.infiniband.memory;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.ringwire.MessagingException;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemory;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.RegistrationCache;
import org.ringwire.testing.Awaiting;

/**
 * Exports memory, and uses that of a node for the first time, where no more may be locked than
 * operations have left registered, and where another needs that at the same time. Says how that
 * goes.
 */
final class LockedAwayProgram {

  private static final int LENGTH = 1 << 16;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private LockedAwayProgram() {}

  public static void main(String... args) {
    try (MemoryPair pair = new MemoryPair()) {
      MemorySegment table = pair.arena().allocate(LENGTH, 8);
      pair.owner().prepare(pair.arena().allocate(LENGTH));
      pair.user().prepare(pair.arena().allocate(LENGTH));
      SimulatedDevice.set("more regions", 0);
      try (ExportedMemory exported = export(pair.owner(), table)) {
        SimulatedDevice.set("more regions", 0);
        System.out.println("used: " + use(pair.user(), exported, pair.arena().allocate(8)));
      }
      exportWhileAnotherMakesRoom((NodeMemory) pair.owner(), pair.arena().allocate(LENGTH, 8));
    }
  }

  /** Another finds that there is no room at the same time, and is the first to make some. */
  private static void exportWhileAnotherMakesRoom(NodeMemory memory, MemorySegment table) {
    RegistrationCache cache = memory.device().registrations();
    SimulatedDevice.set("more regions", 1);
    memory.prepare(table);
    Thread exporter = new Thread(() -> export(memory, table).close());
    synchronized (cache) {
      exporter.start();
      Awaiting.await("no room", () -> exporter.getState() == Thread.State.BLOCKED);
      cache.forget(table);
    }
    try {
      exporter.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static ExportedMemory export(RemoteMemory memory, MemorySegment table) {
    try {
      ExportedMemory exported = memory.export(table, MemoryPermission.WRITE);
      System.out.println("exported: good");
      return exported;
    } catch (MessagingException e) {
      System.out.println("exported: " + e.getMessage());
      SimulatedDevice.set("more regions", 1);
      return memory.export(table, MemoryPermission.WRITE);
    }
  }

  private static String use(RemoteMemory memory, ExportedMemory exported, MemorySegment word) {
    try {
      memory.open(exported.descriptor()).write(0, word, TIMEOUT);
      return "good";
    } catch (MessagingException e) {
      return e.getMessage();
    }
  }
}
