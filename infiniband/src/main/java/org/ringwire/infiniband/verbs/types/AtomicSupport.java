package org.ringwire.infiniband.verbs.types;

/** Whether a device has atomics, and with respect to what. */
public enum AtomicSupport {
  /** It has none. */
  NONE,
  /** Atomic among the queue pairs of the device. */
  DEVICE,
  /** Atomic also with respect to processors and other devices. */
  GLOBAL;

  public static AtomicSupport ofCode(int code) {
    return code >= 0 && code < values().length ? values()[code] : NONE;
  }
}
