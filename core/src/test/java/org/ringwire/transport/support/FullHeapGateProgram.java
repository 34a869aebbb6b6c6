package org.ringwire.transport.support;

import org.ringwire.testing.FullHeap;

/** Closes a gate for the first time in the life of its process, which has no heap left. */
final class FullHeapGateProgram {

  private FullHeapGateProgram() {}

  public static void main(String[] args) {
    Gate gate = new Gate();
    boolean closed = false;
    boolean lacking = false;
    FullHeap.fill();
    try {
      closed = gate.close();
    } catch (OutOfMemoryError e) {
      lacking = true;
    }
    FullHeap.empty();
    System.out.println("closed: " + closed + " lacking: " + lacking);
  }
}
