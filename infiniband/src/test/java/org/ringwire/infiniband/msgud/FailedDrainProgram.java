package org.ringwire.infiniband.msgud;

import java.io.IOException;
import java.lang.foreign.Arena;
import org.ringwire.infiniband.connect.DatagramTerms;
import org.ringwire.infiniband.connect.Terms;
import org.ringwire.infiniband.device.Settings;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.WorkCompletions;
import org.ringwire.infiniband.verbs.library.VerbsException;

/**
 * The queue pair of all links fails with a request under way, and its restart cannot poll for what
 * was sent, once.
 */
public final class FailedDrainProgram {

  private FailedDrainProgram() {}

  /** Prints what becomes of the first restart, of the second, and of what is sent after it. */
  public static void main(String... args) throws IOException {
    try (Arena arena = Arena.ofConfined();
        UdAdapter adapter = new UdAdapter(Settings.of())) {
      WorkCompletions batch = new WorkCompletions(arena, 32);
      Terms self = adapter.terms(0, 1, 1);
      Destination destination = adapter.destination(self, new DatagramTerms(1, 1));
      SimulatedDevice.set("held pair", adapter.queuePair().number());
      send(adapter.sender(), destination);
      adapter.queuePair().toError();
      adapter.sender().fail("as this test wants it");
      SimulatedDevice.set("held pair", 0);
      SimulatedDevice.set("failed send polls", 1);
      System.out.println("at first: " + restart(adapter, batch));
      System.out.println("still broken: " + (adapter.sender().failure() != null));
      System.out.println("then: " + restart(adapter, batch));
      int posted = SimulatedDevice.get("posted to last pair");
      System.out.println("posted: " + (posted == adapter.receiver().count()));
      send(adapter.sender(), destination);
      System.out.println("outstanding: " + adapter.sender().poll());
      System.out.println("failure: " + adapter.sender().failure());
      destination.port().close();
    }
  }

  private static String restart(UdAdapter adapter, WorkCompletions batch) {
    try {
      return String.valueOf(adapter.tryRestart(batch, true));
    } catch (VerbsException e) {
      return "refused";
    }
  }

  private static void send(UdSender sender, Destination destination) throws IOException {
    sender.open();
    try {
      long _ = sender.add(destination, sender.head(), null);
    } finally {
      sender.close();
    }
  }
}
