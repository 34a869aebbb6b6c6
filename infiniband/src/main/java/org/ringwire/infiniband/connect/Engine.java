package org.ringwire.infiniband.connect;

import java.util.Locale;

/** What carries the data of links; both ends of a link have the same. */
public enum Engine {
  /** A reliable queue pair for each link. */
  MSGRC(1),
  /** Datagrams of one queue pair for all links. */
  MSGUD(2);

  private final int code;

  Engine(int code) {
    this.code = code;
  }

  /** Its number in the exchange. */
  int code() {
    return code;
  }

  /** Its name in settings. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
