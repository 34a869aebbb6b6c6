package org.ringwire.transport.support;

import java.util.ArrayList;
import java.util.List;

/** Closes a gate for the first time in the life of its process, which has no heap left. */
final class FullHeapGateProgram {

  private static final int LARGE = 64 << 10;

  private FullHeapGateProgram() {}

  public static void main(String[] args) {
    Gate gate = new Gate();
    List<Object> ballast = new ArrayList<>(1 << 20);
    boolean closed;
    boolean lacking = false;
    fill(ballast, LARGE);
    fill(ballast, 0);
    try {
      closed = gate.close();
    } catch (OutOfMemoryError e) {
      closed = false;
      lacking = true;
    }
    ballast.clear();
    System.out.println("closed: " + closed + " lacking: " + lacking);
  }

  private static void fill(List<Object> ballast, int length) {
    try {
      while (true) {
        ballast.add(new byte[length]);
      }
    } catch (OutOfMemoryError e) {
      // full
    }
  }
}
