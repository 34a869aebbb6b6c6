package org.ringwire.infiniband.verbs;

import java.util.ArrayList;
import java.util.List;
import org.ringwire.infiniband.verbs.types.QueuePairState;
import org.ringwire.testing.FullHeap;

/** Stops queue pairs where there is no heap. */
public final class ErrorStateProgram {

  private static final int PAIRS = 10;

  private ErrorStateProgram() {}

  /** Prints how many are stopped, and what was thrown. */
  public static void main(String... args) {
    int thrown = 0;
    try (Device device = Devices.open("");
        ProtectionDomain domain = device.allocateProtectionDomain();
        CompletionQueue queue = device.createCompletionQueue(PAIRS, null)) {
      List<RcQueuePair> pairs = new ArrayList<>();
      for (int i = 0; i <= PAIRS; i++) {
        pairs.add(
            domain.createRcQueuePair(
                new QueuePairOptions(queue, queue, null, 1, 1, 1, 1, 0, false)));
      }
      pairs.get(PAIRS).toError(); // everything is loaded
      for (int i = 0; i < PAIRS; i++) {
        FullHeap.fill();
        try {
          pairs.get(i).toError();
        } catch (OutOfMemoryError e) {
          thrown++;
        }
      }
      FullHeap.empty();
      long stopped =
          pairs.stream().limit(PAIRS).filter(each -> each.state() == QueuePairState.ERR).count();
      System.out.println("stopped: " + stopped + ", thrown: " + thrown);
      pairs.forEach(RcQueuePair::close);
    }
  }
}
