package org.ringwire.infiniband.link;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.ringwire.testing.FullHeap;

/**
 * A link whose bytes were lost for want of heap fails, for the first time in the life of this
 * process, while there is none; then there is heap again, and more bytes come. Says what became of
 * it.
 */
final class FailureWithoutHeapProgram {

  private FailureWithoutHeapProgram() {}

  public static void main(String[] args) {
    try (Engineless engineless = new Engineless()) {
      EndingLink link = engineless.newLink();
      LinkLife life = link.life;
      life.open();
      IOException failure = new IOException("bytes were lost");
      FullHeap.fill();
      try {
        life.fail(failure);
      } catch (OutOfMemoryError e) {
        // as the caller, whose own thread goes on
      }
      FullHeap.empty();
      if (life.enter()) {
        life.handOver(MemorySegment.NULL, 0, 7);
      }
      life.leave();
      System.out.println("closing: " + life.isClosing());
      System.out.println("cause: " + life.ended().getMessage());
      System.out.println("handed over: " + link.calls.contains("received 7"));
    }
  }
}
