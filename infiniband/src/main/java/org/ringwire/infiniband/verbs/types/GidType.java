package org.ringwire.infiniband.verbs.types;

/** What packets look like that carry a GID. */
public enum GidType {
  /** InfiniBand, or RoCE v1 (Ethernet without IP). */
  INFINIBAND_OR_ROCE_V1,
  /** RoCE v2: UDP over IP, can be routed. */
  ROCE_V2,
  /** The system does not say. */
  UNKNOWN
}
