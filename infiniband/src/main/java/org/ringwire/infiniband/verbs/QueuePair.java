package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ringwire.infiniband.verbs.library.Constants;
import org.ringwire.infiniband.verbs.library.Verbs;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.library.VerbsLayout;
import org.ringwire.infiniband.verbs.types.QueuePairState;
import org.ringwire.infiniband.verbs.types.SendFlags;
import org.ringwire.infiniband.verbs.types.WorkStatus;

/**
 * A send queue and a receive queue. Any thread may call any method, with requests of its own.
 * Closing it ends requests that are outstanding without completions: to know when their memory is
 * free, put it into the error state first and take the completions of all of them.
 */
public abstract sealed class QueuePair extends VerbsObject permits RcQueuePair, UdQueuePair {

  /** As the device made it. */
  record Created(long handle, int maxSendRequests, int maxSendRanges, int maxInline) {}

  /** Made before, as there may be no heap for it when a queue pair must stop; never changed. */
  private static final QueuePairAttributes STOPPED =
      new QueuePairAttributes(Arena.global(), Constants.QPS_ERR);

  private final MemorySegment postSend;
  private final MemorySegment postRecv;
  private final Created created;
  private final int number;

  QueuePair(Device device, Created created) {
    super(device, Verbs.Release.DESTROY_QP, created.handle());
    this.created = created;
    postSend = device.hotVerbs().postSend;
    postRecv = device.hotVerbs().postRecv;
    number =
        Verbs.at(created.handle(), VerbsLayout.QP.byteSize())
            .get(JAVA_INT, VerbsLayout.offset(VerbsLayout.QP, "qp_num"));
  }

  /** Before the first device is open: if there were no heap for it later, no pair could be made. */
  static void load() {}

  /** Its number, 24 bits, unique on the device. */
  public int number() {
    return number;
  }

  /**
   * Posts the requests of a chain from an index on; allocates nothing.
   *
   * @return the index of the first request that was not posted, because the queue is full, or
   *     because something is wrong with it and not with those before; the number of requests if all
   *     were
   * @throws VerbsException if none was posted for another reason than that the queue is full, such
   *     as too many ranges or a wrong state
   */
  public int post(SendRequests requests, int from) {
    return requests.post(postSend, handle(), from);
  }

  /** As {@link #post}, for receive requests of a pair without a shared receive queue. */
  public int postReceive(ReceiveRequests requests, int from) {
    return requests.post("ibv_post_recv", postRecv, handle(), from);
  }

  /** Asks the device. */
  public QueuePairState state() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = arena.allocate(VerbsLayout.QP_ATTR);
      MemorySegment init = arena.allocate(VerbsLayout.QP_INIT_ATTR);
      Verbs.queryQueuePair(handle(), attributes, Constants.QP_STATE, init);
      return QueuePairState.ofCode(
          attributes.get(JAVA_INT, VerbsLayout.offset(VerbsLayout.QP_ATTR, "qp_state")));
    }
  }

  /**
   * Ends all requests as {@link WorkStatus#WR_FLUSH_ERR}, and those that are posted later; needs no
   * heap.
   */
  public void toError() {
    Verbs.stopQueuePair(handle(), STOPPED.memory().address(), STOPPED.mask(), number);
  }

  /** Forgets everything, also requests that are outstanding. */
  public void toReset() {
    try (Arena arena = Arena.ofConfined()) {
      modify(new QueuePairAttributes(arena, Constants.QPS_RESET), "");
    }
  }

  final void modify(QueuePairAttributes attributes, String facts) {
    Verbs.modifyQueuePair(
        handle(),
        attributes.memory(),
        attributes.mask(),
        "queuePair=" + number + (facts.isEmpty() ? "" : ", " + facts));
  }

  /** Send requests outstanding, at most, as the device granted. */
  public int maxSendRequests() {
    return created.maxSendRequests();
  }

  /** Ranges of a send request, at most, as the device granted. */
  public int maxSendRanges() {
    return created.maxSendRanges();
  }

  /** Bytes of a request with {@link SendFlags#INLINE}, at most, as the device granted. */
  public int maxInline() {
    return created.maxInline();
  }

  @Override
  public String toString() {
    return "queue pair " + number;
  }
}
