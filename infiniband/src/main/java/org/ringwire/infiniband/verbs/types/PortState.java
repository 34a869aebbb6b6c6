package org.ringwire.infiniband.verbs.types;

/** State of a port; only {@link #ACTIVE} ones carry data. */
public enum PortState {
  /** Never set. */
  NOP,
  /** No link. */
  DOWN,
  /** A link, not yet configured by the subnet manager. */
  INIT,
  /** Configured, not yet in use. */
  ARMED,
  /** Carries data. */
  ACTIVE,
  /** Was active; the link is being restored. */
  ACTIVE_DEFER;

  public static PortState ofCode(int code) {
    return code >= 0 && code < values().length ? values()[code] : NOP;
  }
}
