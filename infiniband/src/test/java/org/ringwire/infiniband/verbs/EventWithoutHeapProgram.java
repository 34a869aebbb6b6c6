package org.ringwire.infiniband.verbs;

import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.simulated.SimulatedDevice;

/** Takes events of a device where there is no heap, or a little more each time. */
public final class EventWithoutHeapProgram {

  private static final int EVENTS = 100;
  private static final int MOST_FREE = 40; // blocks; more than an event takes

  private static @Nullable Block blocks;

  private EventWithoutHeapProgram() {}

  /** What heap is filled with. */
  private record Block(@Nullable Block next) {}

  /** Prints how many events were not acknowledged, and how many were lost. */
  public static void main(String... args) {
    int told = 0;
    int failed = 0;
    int unacknowledged;
    try (Device device = Devices.open("")) {
      SimulatedDevice.set("address events", EVENTS);
      while (told < 10) { // everything is loaded
        told += tell(device);
      }
      for (int free = 0; free < MOST_FREE; free += 4) {
        fill(free);
        try {
          told += tell(device);
        } catch (OutOfMemoryError e) {
          failed++;
        }
      }
      blocks = null;
      unacknowledged = SimulatedDevice.get("unacknowledged events");
      for (int one = tell(device); one > 0; one = tell(device)) {
        told += one;
      }
    }
    System.out.println("without heap: " + (failed > 0));
    System.out.println("not acknowledged: " + unacknowledged + ", lost: " + (EVENTS - told));
  }

  private static int tell(Device device) {
    return device.takeAsyncEvent() == null ? 0 : 1;
  }

  /** Leaves room for some blocks. */
  private static void fill(int free) {
    try {
      while (true) {
        blocks = new Block(blocks);
      }
    } catch (OutOfMemoryError e) {
      for (int i = 0; i < free && blocks != null; i++) {
        blocks = blocks.next();
      }
    }
  }
}
