package org.ringwire.infiniband.memory;

import static org.ringwire.testing.Awaiting.await;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.ringwire.MessagingException;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemoryException;
import org.ringwire.infiniband.RemoteRegion;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.types.WorkStatus;

/**
 * Operations whose queue pair the device does not let go of: one whose time is over, and one that
 * nobody waits for. Then one of which the end cannot be polled.
 */
final class LateKeptProgram {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration LITTLE = Duration.ofMillis(200);

  private LateKeptProgram() {}

  /** Prints how they end, and the next ones. */
  public static void main(String... args) {
    try (MemoryPair pair = new MemoryPair();
        ExportedMemory there =
            pair.owner().export(pair.arena().allocate(8, 8), MemoryPermission.WRITE)) {
      MemorySegment here = pair.arena().allocate(8, 8);
      RemoteRegion region = pair.user().open(there.descriptor());
      region.write(0, here, PATIENCE);
      // The user asks first, so its queue pair is the one before the last.
      SimulatedDevice.set("held pair", SimulatedDevice.get("last pair") - 1);
      SimulatedDevice.set("kept pairs", 1);
      try {
        region.write(0, here, LITTLE);
      } catch (RemoteMemoryException e) {
        System.out.println("ended: " + e.reason());
      } catch (MessagingException e) {
        System.out.println("ended: " + e);
      }
      region.write(0, here, PATIENCE);
      System.out.println("goes on");
      SimulatedDevice.set("failing status", WorkStatus.RETRY_EXC_ERR);
      SimulatedDevice.set("kept pairs", 1);
      System.out.println("without a waiter: " + failure(region.writeAsync(0, here)));
      System.out.println("then: " + failure(region.writeAsync(0, here)));
      SimulatedDevice.set("failed send polls", 1);
      await("the end of all", () -> failure(region::write, here).equals("CLOSED"));
      RemoteRegion anew = pair.user().open(there.descriptor());
      System.out.println("opened anew: " + failure(anew::write, here));
    }
  }

  @FunctionalInterface
  private interface Write {
    void run(long offset, MemorySegment from, Duration timeout);
  }

  private static String failure(Write write, MemorySegment from) {
    try {
      write.run(0, from, PATIENCE);
      return "none";
    } catch (RemoteMemoryException e) {
      return e.reason().toString();
    }
  }

  private static String failure(CompletionStage<Void> write) {
    try {
      write.toCompletableFuture().join();
      return "none";
    } catch (CompletionException e) {
      return e.getCause() instanceof RemoteMemoryException why ? why.reason().toString() : "" + e;
    }
  }
}
