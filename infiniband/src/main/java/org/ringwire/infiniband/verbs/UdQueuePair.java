package org.ringwire.infiniband.verbs;

import java.lang.foreign.Arena;
import org.ringwire.infiniband.verbs.library.Constants;
import org.ringwire.infiniband.verbs.types.Path;

/**
 * A queue pair for datagrams of up to one packet, to and from any number of others; they may be
 * lost. The first 40 bytes of what is received belong to the route.
 */
public final class UdQueuePair extends QueuePair {

  /** Bytes before the content of a datagram in the memory of its receive request. */
  public static final int ROUTE_BYTES = 40;

  UdQueuePair(Device device, Created created) {
    super(device, created);
  }

  /**
   * Binds it to a port; receive requests may be posted from then on.
   *
   * @param queueKey what datagrams must carry to be received
   */
  public void toInit(Path path, int queueKey) {
    try (Arena arena = Arena.ofConfined()) {
      modify(
          new QueuePairAttributes(arena, Constants.QPS_INIT)
              .port(path)
              .set("qkey", queueKey, Constants.QP_QKEY),
          "port=" + path.port());
    }
  }

  /** From then on it receives. */
  public void toReadyToReceive() {
    try (Arena arena = Arena.ofConfined()) {
      modify(new QueuePairAttributes(arena, Constants.QPS_RTR), "");
    }
  }

  /**
   * Allows it to send.
   *
   * @param psn number of its first packet, 24 bits
   */
  public void toReadyToSend(int psn) {
    try (Arena arena = Arena.ofConfined()) {
      modify(
          new QueuePairAttributes(arena, Constants.QPS_RTS).set("sq_psn", psn, Constants.QP_SQ_PSN),
          "psn=" + psn);
    }
  }
}
