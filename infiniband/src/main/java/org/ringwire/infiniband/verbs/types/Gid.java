package org.ringwire.infiniband.verbs.types;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.StringJoiner;
import org.ringwire.infiniband.verbs.library.VerbsLayout;

/**
 * An address of a port, of 16 bytes: that of an IPv6 address over RoCE, with IPv4 ones mapped.
 *
 * @param high the first eight bytes, the most significant first
 * @param low the last eight bytes
 */
public record Gid(long high, long low) {

  /** Bytes of an address in memory. */
  public static final int LENGTH = (int) VerbsLayout.GID_BYTES;

  private static final ValueLayout.OfLong NETWORK =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final long IPV4_PREFIX = 0xffffL;
  private static final int LINK_LOCAL_BITS = 10;
  private static final long LINK_LOCAL_PREFIX = 0xfe80L >>> 6;

  /**
   * Reads eight groups of four hexadecimal digits, as the system prints them, or any form of an IP
   * address.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public static Gid parse(String text) {
    try {
      InetAddress address = InetAddress.ofLiteral(text);
      byte[] bytes = address.getAddress();
      if (bytes.length == LENGTH) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Gid(buffer.getLong(), buffer.getLong());
      }
      return new Gid(0, IPV4_PREFIX << 32 | (ByteBuffer.wrap(bytes).getInt() & 0xffff_ffffL));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("not a GID: " + text, e);
    }
  }

  /** Reads 16 bytes in network order. */
  public static Gid read(MemorySegment memory, long offset) {
    return new Gid(memory.get(NETWORK, offset), memory.get(NETWORK, offset + Long.BYTES));
  }

  /** Writes 16 bytes in network order. */
  public void write(MemorySegment memory, long offset) {
    memory.set(NETWORK, offset, high);
    memory.set(NETWORK, offset + Long.BYTES, low);
  }

  /** Whether this is no address at all, as in empty entries of a table. */
  public boolean isZero() {
    return high == 0 && low == 0;
  }

  /** Whether this is a mapped IPv4 address. */
  public boolean isIpv4() {
    return high == 0 && low >>> 32 == IPV4_PREFIX;
  }

  /** Whether this is an IPv6 address that is known on its link only. */
  public boolean isLinkLocal() {
    return high >>> (Long.SIZE - LINK_LOCAL_BITS) == LINK_LOCAL_PREFIX;
  }

  /** The IP address that this stands for over RoCE; IPv4 if it is a mapped one. */
  public InetAddress address() {
    byte[] bytes =
        isIpv4()
            ? ByteBuffer.allocate(Integer.BYTES).putInt((int) low).array()
            : ByteBuffer.allocate(LENGTH).putLong(high).putLong(low).array();
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new AssertionError(e); // of a wrong length only
    }
  }

  /** Eight groups of four hexadecimal digits, as the system prints them. */
  @Override
  public String toString() {
    StringJoiner groups = new StringJoiner(":");
    for (long half : new long[] {high, low}) {
      for (int shift = 48; shift >= 0; shift -= 16) {
        groups.add(HexFormat.of().toHexDigits((short) (half >>> shift)));
      }
    }
    return groups.toString();
  }
}
