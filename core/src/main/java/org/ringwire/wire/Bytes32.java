package org.ringwire.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * 32 bytes: what proves something, or what has to be answered. Immutable; compared in a time that
 * does not depend on where they differ.
 */
public final class Bytes32 {

  /** Number of bytes. */
  public static final int LENGTH = 32;

  private final byte[] bytes;

  private Bytes32(byte[] bytes) {
    if (bytes.length != LENGTH) {
      throw new IllegalArgumentException("not 32 bytes: length=" + bytes.length);
    }
    this.bytes = bytes;
  }

  /** A copy of an array of 32 bytes. */
  public static Bytes32 of(byte[] bytes) {
    return new Bytes32(bytes.clone());
  }

  /** A copy of 32 bytes of memory. */
  static Bytes32 read(MemorySegment memory, long offset) {
    byte[] copy = new byte[LENGTH];
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, copy, 0, LENGTH);
    return new Bytes32(copy);
  }

  /** A copy. */
  public byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes32 that && MessageDigest.isEqual(that.bytes, bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
