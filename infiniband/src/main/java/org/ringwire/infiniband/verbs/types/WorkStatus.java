package org.ringwire.infiniband.verbs.types;

/** How a work request ended. */
public final class WorkStatus {

  /** Well. */
  public static final int SUCCESS = 0;

  /** A message did not fit into the ranges of a receive request, or is longer than allowed. */
  public static final int LOC_LEN_ERR = 1;

  /** The request made no sense to the queue pair. */
  public static final int LOC_QP_OP_ERR = 2;

  /** A range does not lie in registered memory that allows it. */
  public static final int LOC_PROT_ERR = 4;

  /** The queue pair is in the error state, so the request was not tried. */
  public static final int WR_FLUSH_ERR = 5;

  /** The peer answered something unexpected. */
  public static final int BAD_RESP_ERR = 7;

  /** Memory here does not allow what the peer did. */
  public static final int LOC_ACCESS_ERR = 8;

  /** The peer found the request invalid, for example longer than its receive request. */
  public static final int REM_INV_REQ_ERR = 9;

  /** The peer's memory does not allow it: wrong key, bounds or permission. */
  public static final int REM_ACCESS_ERR = 10;

  /** The peer could not carry it out. */
  public static final int REM_OP_ERR = 11;

  /** The peer did not answer as often as was retried: it is gone, or the way to it. */
  public static final int RETRY_EXC_ERR = 12;

  /** The peer had no receive request as often as was retried. */
  public static final int RNR_RETRY_EXC_ERR = 13;

  /** The peer aborted it. */
  public static final int REM_ABORT_ERR = 16;

  /** The device failed. */
  public static final int FATAL_ERR = 19;

  /** No response in time. */
  public static final int RESP_TIMEOUT_ERR = 20;

  /** Anything else. */
  public static final int GENERAL_ERR = 21;

  private WorkStatus() {}

  /** The name of a status and what it means. */
  public static String describe(int status) {
    return switch (status) {
      case SUCCESS -> "SUCCESS";
      case LOC_LEN_ERR -> "LOC_LEN_ERR (longer than the receive request)";
      case LOC_QP_OP_ERR -> "LOC_QP_OP_ERR (invalid for this queue pair)";
      case LOC_PROT_ERR -> "LOC_PROT_ERR (memory here is not registered for it)";
      case WR_FLUSH_ERR -> "WR_FLUSH_ERR (the queue pair had failed before)";
      case BAD_RESP_ERR -> "BAD_RESP_ERR (unexpected answer of the peer)";
      case LOC_ACCESS_ERR -> "LOC_ACCESS_ERR (memory here does not allow it)";
      case REM_INV_REQ_ERR -> "REM_INV_REQ_ERR (the peer found it invalid)";
      case REM_ACCESS_ERR -> "REM_ACCESS_ERR (the peer's memory does not allow it)";
      case REM_OP_ERR -> "REM_OP_ERR (the peer could not do it)";
      case RETRY_EXC_ERR -> "RETRY_EXC_ERR (no answer from the peer)";
      case RNR_RETRY_EXC_ERR -> "RNR_RETRY_EXC_ERR (the peer had no receive request)";
      case REM_ABORT_ERR -> "REM_ABORT_ERR (the peer aborted it)";
      case FATAL_ERR -> "FATAL_ERR (the device failed)";
      case RESP_TIMEOUT_ERR -> "RESP_TIMEOUT_ERR (no response in time)";
      case GENERAL_ERR -> "GENERAL_ERR";
      default -> "status " + status;
    };
  }
}
