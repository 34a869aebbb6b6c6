package org.ringwire.infiniband.verbs.types;

/** What a port is connected to. */
public enum LinkLayer {
  /** Not said: InfiniBand. */
  UNSPECIFIED,
  /** InfiniBand: addressed by LID within a subnet. */
  INFINIBAND,
  /** Ethernet (RoCE): addressed by GID. */
  ETHERNET;

  public static LinkLayer ofCode(int code) {
    return code >= 0 && code < values().length ? values()[code] : UNSPECIFIED;
  }
}
