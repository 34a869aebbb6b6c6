package org.ringwire.infiniband.msgrc;

import org.ringwire.infiniband.device.Settings;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.library.VerbsException;

/** A device refuses receive requests, once. */
final class RefusedReceivesProgram {

  private static final String REQUESTS = "8";

  private RefusedReceivesProgram() {}

  /** Prints what becomes of them at first, and of the next attempt. */
  public static void main(String... args) {
    try (Adapter adapter = new Adapter(Settings.of("receiveRequests", REQUESTS))) {
      SimulatedDevice.set("refused receives", 1);
      try {
        adapter.receiveQueue().refill();
      } catch (VerbsException e) {
        System.out.println("refused: " + e.getMessage());
      }
      adapter.receiveQueue().refill();
      System.out.println("posted: " + SimulatedDevice.get("posted"));
    }
  }
}
