package org.ringwire.infiniband.verbs;

import java.lang.foreign.Arena;
import org.ringwire.infiniband.verbs.library.Constants;
import org.ringwire.infiniband.verbs.types.Access;
import org.ringwire.infiniband.verbs.types.Gid;
import org.ringwire.infiniband.verbs.types.Path;
import org.ringwire.infiniband.verbs.types.RetryOptions;

/**
 * A queue pair that is connected to one other: what is sent arrives once and in order, or the
 * connection fails. Its states follow each other: {@link #toInit}, {@link #toReadyToReceive} when
 * the peer's numbers are known, {@link #toReadyToSend}.
 */
public final class RcQueuePair extends QueuePair {

  RcQueuePair(Device device, Created created) {
    super(device, created);
  }

  /**
   * Binds it to a port; receive requests may be posted from then on.
   *
   * @param access what the peer may do to memory: constants of {@link Access}, or-ed
   */
  public void toInit(Path path, int access) {
    try (Arena arena = Arena.ofConfined()) {
      modify(
          new QueuePairAttributes(arena, Constants.QPS_INIT)
              .port(path)
              .set("qp_access_flags", access, Constants.QP_ACCESS_FLAGS),
          "port=" + path.port());
    }
  }

  /**
   * Connects it to a queue pair; from then on it receives.
   *
   * @param remotePsn number that the peer gives its first packet, 24 bits
   * @param remoteGid used if the path is global
   * @param remoteLid used within an InfiniBand subnet, 0 over Ethernet
   */
  public void toReadyToReceive(
      Path path,
      int remoteQueuePair,
      int remotePsn,
      Gid remoteGid,
      int remoteLid,
      RetryOptions retry) {
    try (Arena arena = Arena.ofConfined()) {
      modify(
          new QueuePairAttributes(arena, Constants.QPS_RTR)
              .address(path, remoteGid, remoteLid)
              .set("dest_qp_num", remoteQueuePair, Constants.QP_DEST_QPN)
              .set("rq_psn", remotePsn, Constants.QP_RQ_PSN)
              .setByte(
                  "max_dest_rd_atomic",
                  retry.maxDestinationReadAtomic(),
                  Constants.QP_MAX_DEST_RD_ATOMIC)
              .setByte("min_rnr_timer", retry.minRnrTimer(), Constants.QP_MIN_RNR_TIMER),
          "remoteQueuePair="
              + remoteQueuePair
              + ", gid="
              + remoteGid
              + ", lid="
              + remoteLid
              + ", gidIndex="
              + path.gidIndex()
              + ", mtu="
              + path.mtu());
    }
  }

  /**
   * Allows it to send.
   *
   * @param psn number of its first packet, 24 bits, as told to the peer
   */
  public void toReadyToSend(int psn, RetryOptions retry) {
    try (Arena arena = Arena.ofConfined()) {
      modify(
          new QueuePairAttributes(arena, Constants.QPS_RTS)
              .set("sq_psn", psn, Constants.QP_SQ_PSN)
              .setByte("timeout", retry.timeout(), Constants.QP_TIMEOUT)
              .setByte("retry_cnt", retry.retries(), Constants.QP_RETRY_CNT)
              .setByte("rnr_retry", retry.rnrRetries(), Constants.QP_RNR_RETRY)
              .setByte("max_rd_atomic", retry.maxReadAtomic(), Constants.QP_MAX_QP_RD_ATOMIC),
          "psn=" + psn);
    }
  }
}
