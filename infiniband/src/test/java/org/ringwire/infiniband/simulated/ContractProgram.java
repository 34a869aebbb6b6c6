package org.ringwire.infiniband.simulated;

import org.ringwire.infiniband.guest.GuestTests;

/** Runs classes of tests over a device in memory. */
final class ContractProgram {

  private static final String PACKAGE = "org.ringwire.transport.";

  private ContractProgram() {}

  /** Whether the device is late, then names of classes that the core has. */
  public static void main(String... args) throws Exception {
    if (Boolean.parseBoolean(args[0])) {
      SimulatedDevice.set("late", 1);
    }
    String[] selected = new String[args.length + 1];
    selected[0] = "none"; // no reports
    selected[1] = "class";
    for (int i = 1; i < args.length; i++) {
      selected[i + 1] = PACKAGE + args[i];
    }
    GuestTests.main(selected);
  }
}
