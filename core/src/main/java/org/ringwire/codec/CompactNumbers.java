package org.ringwire.codec;

/**
 * What a {@link Reader} accepts as a number in the compact form: seven bits to a byte, the lowest
 * first, in as few bytes as it takes. Stateless.
 */
final class CompactNumbers {

  private CompactNumbers() {}

  /** The number of which the first byte has said that more follow. */
  static long rest(Reader reader, byte first) {
    long value = first & 0x7f;
    for (int shift = 7; shift < Long.SIZE; shift += 7) {
      byte next = reader.getByte();
      if (shift == 63 && next > 1) {
        break;
      }
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        if (next == 0) {
          throw new DecodingException("compact number is not in its shortest form: found a last 0");
        }
        return value;
      }
    }
    throw new DecodingException("compact number out of range: expected at most 64 bits");
  }

  /** A number that is to have 32 bits. */
  static int checkedInt(long value) {
    if (value >>> 32 != 0) {
      throw new DecodingException(
          "compact int out of range: expected at most 32 bits, found " + Long.toHexString(value));
    }
    return (int) value;
  }
}
