package org.ringwire.infiniband.datagram;

import java.util.ArrayList;
import java.util.List;

/** Releases the last segment of a window that may be smaller from then on, without heap. */
final class NoHeapWindowProgram {

  private static final int MANY = 200;
  private static final int LARGE = 1 << 20;
  private static final List<Object> TAKEN = new ArrayList<>(4 * LARGE);

  private NoHeapWindowProgram() {}

  private static final class Piece extends Segment {
    @Override
    public int length() {
      return 1;
    }
  }

  private static void takeAll() {
    for (int length = LARGE; length > 0; length /= 2) {
      try {
        while (true) {
          TAKEN.add(new byte[length - 1]);
        }
      } catch (OutOfMemoryError e) {
        // there is some left for less
      }
    }
  }

  private static void send(SendWindow<Piece> window, int count) {
    for (int i = 0; i < count; i++) {
      window.sent(window.prepare(), Datagram.DATA, 0);
    }
    window.abandon();
  }

  private static boolean isReleased(SendWindow<Piece> window) {
    try {
      while (window.releasable() != null) {
        window.release();
      }
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  public static void main(String[] args) {
    SendWindow<Piece> window = new SendWindow<>(Piece::new);
    send(window, MANY);
    boolean first = isReleased(window);
    send(window, 1);
    takeAll();
    boolean second = isReleased(window);
    TAKEN.clear();
    int slots = window.slots();
    send(window, 1);
    boolean third = isReleased(window);
    System.out.println("released: " + first + " " + second + " " + third);
    System.out.println("fewer: " + (window.slots() < slots));
  }
}
