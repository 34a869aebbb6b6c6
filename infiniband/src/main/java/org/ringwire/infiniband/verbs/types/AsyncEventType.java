package org.ringwire.infiniband.verbs.types;

/** What happened to a device or something of it, under its name in the header. */
@SuppressWarnings("doclint:missing") // they are documented there
public enum AsyncEventType {
  CQ_ERR,
  QP_FATAL,
  QP_REQ_ERR,
  QP_ACCESS_ERR,
  COMM_EST,
  SQ_DRAINED,
  PATH_MIG,
  PATH_MIG_ERR,
  DEVICE_FATAL,
  PORT_ACTIVE,
  PORT_ERR,
  LID_CHANGE,
  PKEY_CHANGE,
  SM_CHANGE,
  SRQ_ERR,
  SRQ_LIMIT_REACHED,
  QP_LAST_WQE_REACHED,
  CLIENT_REREGISTER,
  GID_CHANGE,
  WQ_FATAL,
  /** A newer one. */
  UNKNOWN;

  private static final AsyncEventType[] ALL = values(); // a copy each time

  /** What verbs call so; without heap. */
  public static AsyncEventType ofCode(int code) {
    return code >= 0 && code < ALL.length ? ALL[code] : UNKNOWN;
  }

  /** Whether the event concerns a port. */
  public boolean isOfPort() {
    return switch (this) {
      case PORT_ACTIVE,
          PORT_ERR,
          LID_CHANGE,
          PKEY_CHANGE,
          SM_CHANGE,
          CLIENT_REREGISTER,
          GID_CHANGE ->
          true;
      default -> false;
    };
  }

  /** Whether the event concerns a queue pair. */
  public boolean isOfQueuePair() {
    return switch (this) {
      case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR, COMM_EST, SQ_DRAINED, PATH_MIG, PATH_MIG_ERR ->
          true;
      case QP_LAST_WQE_REACHED -> true;
      default -> false;
    };
  }
}
