package org.ringwire.infiniband.verbs.library;

/** Constants of {@code infiniband/verbs.h} without their {@code IBV_}, which a test compares. */
public final class Constants {

  public static final int QPT_RC = 2;
  public static final int QPT_UD = 4;

  public static final int QPS_RESET = 0;
  public static final int QPS_INIT = 1;
  public static final int QPS_RTR = 2;
  public static final int QPS_RTS = 3;
  public static final int QPS_ERR = 6;

  public static final int QP_STATE = 1;
  public static final int QP_ACCESS_FLAGS = 1 << 3;
  public static final int QP_PKEY_INDEX = 1 << 4;
  public static final int QP_PORT = 1 << 5;
  public static final int QP_QKEY = 1 << 6;
  public static final int QP_AV = 1 << 7;
  public static final int QP_PATH_MTU = 1 << 8;
  public static final int QP_TIMEOUT = 1 << 9;
  public static final int QP_RETRY_CNT = 1 << 10;
  public static final int QP_RNR_RETRY = 1 << 11;
  public static final int QP_RQ_PSN = 1 << 12;
  public static final int QP_MAX_QP_RD_ATOMIC = 1 << 13;
  public static final int QP_MIN_RNR_TIMER = 1 << 15;
  public static final int QP_SQ_PSN = 1 << 16;
  public static final int QP_MAX_DEST_RD_ATOMIC = 1 << 17;
  public static final int QP_DEST_QPN = 1 << 20;

  public static final int QPF_GRH_REQUIRED = 1;

  public static final int SRQ_LIMIT = 1 << 1;

  public static final int WC_GRH = 1;
  public static final int WC_WITH_IMM = 1 << 1;

  private Constants() {}
}
