package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ringwire.infiniband.verbs.library.Constants;
import org.ringwire.infiniband.verbs.library.Verbs;
import org.ringwire.infiniband.verbs.library.VerbsLayout;
import org.ringwire.infiniband.verbs.types.AsyncEventType;

/** Receive requests for all queue pairs that were made with it. Any thread may call any method. */
public final class SharedReceiveQueue extends VerbsObject {

  private final MemorySegment postSrqRecv;
  private final int maxRequests;
  private final int maxRanges;

  SharedReceiveQueue(Device device, long handle, int maxRequests, int maxRanges) {
    super(device, Verbs.Release.DESTROY_SRQ, handle);
    postSrqRecv = device.hotVerbs().postSrqRecv;
    this.maxRequests = maxRequests;
    this.maxRanges = maxRanges;
  }

  /**
   * Posts the requests of a chain from an index on; allocates nothing.
   *
   * @return the index of the first request that was not posted, because the queue is full; the
   *     number of requests if all were
   */
  public int post(ReceiveRequests requests, int from) {
    return requests.post("ibv_post_srq_recv", postSrqRecv, handle(), from);
  }

  /** Requests that it can hold, as the device granted. */
  public int maxRequests() {
    return maxRequests;
  }

  /** Ranges of a request, as the device granted. */
  public int maxRanges() {
    return maxRanges;
  }

  /** Asks for one {@link AsyncEventType#SRQ_LIMIT_REACHED} when fewer requests are left. */
  public void arm(int limit) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = arena.allocate(VerbsLayout.SRQ_ATTR);
      attributes.set(JAVA_INT, VerbsLayout.offset(VerbsLayout.SRQ_ATTR, "srq_limit"), limit);
      Verbs.modifySharedReceiveQueue(handle(), attributes, Constants.SRQ_LIMIT);
    }
  }

  @Override
  public String toString() {
    return "shared receive queue of " + maxRequests + " requests";
  }
}
