package org.ringwire.infiniband;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.Set;
import org.ringwire.Node;

/**
 * Names exported memory, to be sent to peers: as a component of a message, or as bytes. Whoever has
 * it may use the memory as it says, if it is a node that the owner exchanges messages with; so it
 * is to be kept like a key.
 *
 * <p>As bytes, little-endian: version u8 ({@value #VERSION}), permissions u8 (1 read, 2 write, 4
 * atomic), node id u16, listener u16, 0 u16, key u32, life u64, address u64, length u64.
 *
 * @param nodeId the owner
 * @param life of the owner's {@link RemoteMemory}, random: a descriptor of an earlier one is stale
 * @param address where it begins, there
 * @param length bytes, at least 1
 * @param key for the device
 * @param permissions the {@link MemoryPermission#bit}s, or-ed
 * @param listener number of who hears of writes, 1 to 65535; 0 if nobody does
 */
public record MemoryDescriptor(
    int nodeId, long life, long address, long length, int key, int permissions, int listener) {

  /** Bytes of a descriptor. */
  public static final int BYTES = 36;

  private static final int VERSION = 1;
  private static final int MOST_LISTENERS = 0xffff;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if one is broken; so does reading a message
   */
  public MemoryDescriptor {
    if (nodeId < 0 || nodeId > Node.MAX_ID) {
      throw new IllegalArgumentException("nodeId must be in 0..65535: nodeId=" + nodeId);
    }
    if (address <= 0 || length <= 0 || address > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException(
          "no such memory: address=" + Long.toHexString(address) + " length=" + length);
    }
    if ((permissions & ~MemoryPermission.ALL) != 0) {
      throw new IllegalArgumentException("unknown permission: permissions=" + permissions);
    }
    if (listener < 0 || listener > MOST_LISTENERS) {
      throw new IllegalArgumentException("listener must be in 0..65535: listener=" + listener);
    }
  }

  /** Whether it permits something. */
  public boolean permits(MemoryPermission permission) {
    return (permissions & permission.bit()) != 0;
  }

  /** What it permits. */
  public Set<MemoryPermission> permitted() {
    EnumSet<MemoryPermission> permitted = EnumSet.allOf(MemoryPermission.class);
    permitted.removeIf(permission -> !permits(permission));
    return permitted;
  }

  /** The descriptor as {@value #BYTES} bytes. */
  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put((byte) VERSION)
        .put((byte) permissions)
        .putShort((short) nodeId)
        .putShort((short) listener)
        .putShort((short) 0)
        .putInt(key)
        .putLong(life)
        .putLong(address)
        .putLong(length)
        .array();
  }

  /**
   * Reads {@link #toBytes}.
   *
   * @throws IllegalArgumentException if it is no descriptor; the message says why
   */
  public static MemoryDescriptor ofBytes(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("not a descriptor of memory: length=" + bytes.length);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int version = Byte.toUnsignedInt(buffer.get());
    if (version != VERSION) {
      throw new IllegalArgumentException("unknown descriptor of memory: version=" + version);
    }
    int permissions = Byte.toUnsignedInt(buffer.get());
    int nodeId = Short.toUnsignedInt(buffer.getShort());
    int listener = Short.toUnsignedInt(buffer.getShort());
    if (buffer.getShort() != 0) {
      throw new IllegalArgumentException("not a descriptor of memory: reserved bytes are not 0");
    }
    int key = buffer.getInt();
    return new MemoryDescriptor(
        nodeId, buffer.getLong(), buffer.getLong(), buffer.getLong(), key, permissions, listener);
  }

  /** Without what it takes to use it. */
  @Override
  public String toString() {
    return "memory of node " + nodeId + ", length=" + length + ", permitted=" + permitted();
  }
}
