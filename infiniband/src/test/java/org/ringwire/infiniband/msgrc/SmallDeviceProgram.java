package org.ringwire.infiniband.msgrc;

import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.infiniband.RemoteMemory;
import org.ringwire.infiniband.device.IbOptions;
import org.ringwire.infiniband.device.Settings;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.RcQueuePair;
import org.ringwire.infiniband.verbs.library.VerbsException;

/** Says what an adapter makes of devices that lack something. */
public final class SmallDeviceProgram {

  private static final IbOptions OPTIONS = Settings.of();

  private SmallDeviceProgram() {}

  public static void main(String... args) {
    SimulatedDevice.set("completions of a queue", 64);
    try (Adapter adapter = new Adapter(OPTIONS)) {
      int entries = adapter.receiveCompletions().entries();
      System.out.println("all may arrive: " + (adapter.receiveQueue().requests() <= entries));
      int before = inline(adapter);
      SimulatedDevice.set("refused pairs", 1);
      int _ = inline(adapter);
      System.out.println("inline: " + (inline(adapter) == before));
    }
    SimulatedDevice.set("shared queues", 0);
    System.out.println("adapter: " + failure(() -> new Adapter(OPTIONS).close()));
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node node = Node.open(IbNodes.settings(1).transport("tcp").peers(directory).build())) {
      System.out.println("memory: " + failure(() -> RemoteMemory.of(node).close()));
    }
    System.out.println("devices: " + SimulatedDevice.get("open devices"));
  }

  /** Bytes that a queue pair takes with a request; 0 if there is none. */
  private static int inline(Adapter adapter) {
    try (RcQueuePair pair = adapter.createQueuePair()) {
      return pair.maxInline();
    } catch (VerbsException e) {
      return 0;
    }
  }

  private static String failure(Runnable use) {
    try {
      use.run();
      return "none";
    } catch (MessagingException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
