package org.ringwire.infiniband.verbs.types;

/** Largest packet of a path. */
public enum Mtu {
  /** 256 bytes. */
  MTU_256(1, 256),
  /** 512 bytes. */
  MTU_512(2, 512),
  /** 1024 bytes. */
  MTU_1024(3, 1024),
  /** 2048 bytes. */
  MTU_2048(4, 2048),
  /** 4096 bytes. */
  MTU_4096(5, 4096);

  private final int code;
  private final int bytes;

  Mtu(int code, int bytes) {
    this.code = code;
    this.bytes = bytes;
  }

  /** Bytes of payload. */
  public int bytes() {
    return bytes;
  }

  /** As verbs call it. */
  public int code() {
    return code;
  }

  /** What verbs call so; the smallest for an unknown code. */
  public static Mtu ofCode(int code) {
    for (Mtu mtu : values()) {
      if (mtu.code == code) {
        return mtu;
      }
    }
    return MTU_256;
  }

  /**
   * The largest that is not above so many bytes.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Mtu ofBytes(int bytes) {
    Mtu largest = null;
    for (Mtu mtu : values()) {
      if (mtu.bytes <= bytes) {
        largest = mtu;
      }
    }
    if (largest == null) {
      throw new IllegalArgumentException("no MTU is so small: bytes=" + bytes);
    }
    return largest;
  }

  /** The smaller one. */
  public static Mtu min(Mtu one, Mtu other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
