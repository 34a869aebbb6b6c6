package org.ringwire.ring;

import org.ringwire.testing.FullHeap;

/** Trims a pool for the first time in the life of its process, which has no heap left. */
final class FullHeapTrimProgram {

  private FullHeapTrimProgram() {}

  public static void main(String[] args) {
    try (ReceiveBufferPool pool = new ReceiveBufferPool(1 << 20)) {
      ReceiveBuffer first = pool.acquire(1);
      ReceiveBuffer second = pool.acquire(1);
      first.release();
      second.release();
      boolean lacking = false;
      FullHeap.fill();
      try {
        pool.trim();
      } catch (OutOfMemoryError e) {
        lacking = true;
      }
      FullHeap.empty();
      System.out.println("lost: " + pool.outstanding() + " lacking: " + lacking);
    }
  }
}
