package org.ringwire.infiniband.verbs;

/** What a port is connected to. */
public enum LinkLayer {
  /** Not said: InfiniBand. */
  UNSPECIFIED,
  /** InfiniBand: addressed by LID within a subnet. */
  INFINIBAND,
  /** Ethernet (RoCE): addressed by GID. */
  ETHERNET;

  static LinkLayer ofCode(int code) {
    return code >= 0 && code < values().length ? values()[code] : UNSPECIFIED;
  }
}
