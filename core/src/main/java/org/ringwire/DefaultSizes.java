package org.ringwire;

/**
 * Sizes of a connection where the user gives none.
 *
 * <p>Through shared memory a sender waits for room and credit less often when there is more of
 * both, which costs nothing but memory, since its peer reads the ring where it lies. Over other
 * media what waits in a longer ring leaves the cache before the kernel copies it, and a longer ring
 * is slower.
 *
 * @param ringCapacity bytes of the send ring
 * @param maxWindow bytes that the window grows to
 */
record DefaultSizes(int ringCapacity, int maxWindow) {

  private static final String SHARED_MEMORY = "shm";
  private static final DefaultSizes WITHIN_MEMORY = new DefaultSizes(2 << 20, 4 << 20);
  private static final DefaultSizes OTHERS = new DefaultSizes(1 << 20, 2 << 20);

  /** Sizes for nodes whose main transport has this name. */
  static DefaultSizes of(String transport) {
    return transport.equals(SHARED_MEMORY) ? WITHIN_MEMORY : OTHERS;
  }
}
