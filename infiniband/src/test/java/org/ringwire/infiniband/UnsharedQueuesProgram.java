package org.ringwire.infiniband;

import java.nio.file.Path;
import org.ringwire.infiniband.simulated.SimulatedDevice;

/** Prints what the diagnosis says of a device that has no queues that queue pairs share. */
public final class UnsharedQueuesProgram {

  private UnsharedQueuesProgram() {}

  /**
   * Prints it.
   *
   * @param args the folder that the diagnosis takes for the system's
   */
  public static void main(String... args) {
    SimulatedDevice.set("shared queues", 0);
    DiagnosisLines.print(Path.of(args[0]));
  }
}
