package org.ringwire.infiniband.memory;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.infiniband.RemoteMemoryConfig;
import org.ringwire.infiniband.simulated.SimulatedDevice;

/** A queue pair for a peer does not become ready, and the device does not let go of it at once. */
public final class UnservingPairProgram {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private UnservingPairProgram() {}

  /** Prints what the peer is told, and what is left of the device when all was closed. */
  public static void main(String... args) {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node owner = MemoryNode.open(directory, 1);
        Node user = MemoryNode.open(directory, 2)) {
      try (NodeMemory _ =
          NodeMemory.of(
              owner,
              RemoteMemoryConfig.DEFAULT,
              _ -> {
                SimulatedDevice.set("kept pairs", 1);
                throw new IllegalStateException("as if there was no way");
              })) {
        Knock knock = new Knock(new QueueEnd(17, 0, 0, 0, 1, 5, 1));
        try {
          var _ = user.requestAsync(1, knock, Admission.class, PATIENCE).join();
        } catch (CompletionException e) {
          System.out.println("refused: " + e.getCause().getMessage());
        }
        System.out.println("meanwhile: pairs=" + SimulatedDevice.get("pairs"));
      }
    }
    System.out.println(
        "after the end: pairs="
            + SimulatedDevice.get("pairs")
            + " devices="
            + SimulatedDevice.get("open devices"));
  }
}
