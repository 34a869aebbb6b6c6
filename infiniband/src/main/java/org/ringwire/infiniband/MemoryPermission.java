package org.ringwire.infiniband;

/** What peers may do to exported memory. */
public enum MemoryPermission {
  /** Read it. */
  READ(1),
  /** Write it. */
  WRITE(2),
  /** Change eight bytes of it atomically. */
  ATOMIC(4);

  /** All that there are. */
  static final int ALL = 7;

  private final int bit;

  MemoryPermission(int bit) {
    this.bit = bit;
  }

  /** What stands for it in a {@link MemoryDescriptor}. */
  public int bit() {
    return bit;
  }
}
