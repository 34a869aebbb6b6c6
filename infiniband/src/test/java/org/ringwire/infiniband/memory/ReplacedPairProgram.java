package org.ringwire.infiniband.memory;

import java.util.ArrayList;
import java.util.List;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.infiniband.RemoteMemoryConfig;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.RcQueuePair;
import org.ringwire.testing.FullHeap;

/** Peers that ask for a queue pair anew where there is no heap. */
public final class ReplacedPairProgram {

  private static final int ROUNDS = 10;
  private static final int PEER = 1;
  private static final int LARGE = 1000; // an object of its own

  private ReplacedPairProgram() {}

  /** Prints what is left of the device when all was closed. */
  public static void main(String... args) {
    int failed = 0;
    try (Node node = MemoryNode.open(NodeDirectory.mutable(), 1)) {
      NodeMemory memory = NodeMemory.of(node, RemoteMemoryConfig.DEFAULT);
      CompletionThread thread = new CompletionThread(memory, "never started");
      Responders responders = new Responders(node, memory, thread);
      List<RcQueuePair> pairs = new ArrayList<>();
      for (int i = 0; i <= ROUNDS; i++) {
        pairs.add(memory.device().createResponder());
      }
      responders.keep(PEER, pairs.removeLast());
      responders.begin(PEER); // everything is loaded
      for (int i = 0; i < ROUNDS; i++) {
        int peer = i % 2 == 0 ? PEER : LARGE;
        responders.keep(peer, pairs.get(i));
        failed += beginWithoutHeap(responders, peer);
      }
      responders.close();
      thread.close();
      memory.close();
    }
    System.out.println("without heap: " + (failed > 0));
    System.out.println(
        "pairs="
            + SimulatedDevice.get("pairs")
            + " devices="
            + SimulatedDevice.get("open devices"));
  }

  /** And once more with heap. */
  private static int beginWithoutHeap(Responders responders, int peer) {
    int failed = 0;
    FullHeap.fill();
    try {
      responders.begin(peer);
    } catch (OutOfMemoryError e) {
      failed = 1;
    }
    FullHeap.empty();
    responders.begin(peer);
    return failed;
  }
}
