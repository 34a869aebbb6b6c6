package org.ringwire.infiniband.verbs;

import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.library.VerbsException;

/** Opens whatever device is good, where there are two. */
public final class FirstDeviceProgram {

  private FirstDeviceProgram() {}

  /**
   * Prints which it is, and how many are open when it was closed.
   *
   * @param args names, each followed by its value, of what {@link SimulatedDevice} is told
   */
  public static void main(String... args) {
    SimulatedDevice.set("devices", 2);
    for (int i = 0; i < args.length; i += 2) {
      SimulatedDevice.set(args[i], Integer.parseInt(args[i + 1]));
    }
    try (Device device = Devices.open("")) {
      System.out.println("opened: " + device.name());
    } catch (VerbsException e) {
      System.out.println("failed: " + e.getMessage());
    }
    System.out.println("left open: " + SimulatedDevice.get("open devices"));
  }
}
