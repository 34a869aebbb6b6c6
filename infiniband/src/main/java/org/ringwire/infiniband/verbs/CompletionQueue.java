package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import org.ringwire.infiniband.verbs.library.HotVerbs;
import org.ringwire.infiniband.verbs.library.Verbs;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.library.VerbsLayout;
import org.ringwire.infiniband.verbs.types.SendFlags;

/**
 * Where requests that are complete arrive. One thread polls at a time; any thread may arm. It must
 * be able to hold all completions of the queues that use it: a queue that overflows fails for good.
 */
public final class CompletionQueue extends VerbsObject {

  private final MemorySegment pollCq;
  private final MemorySegment reqNotifyCq;
  private final int entries;

  CompletionQueue(Device device, long handle) {
    super(device, Verbs.Release.DESTROY_CQ, handle);
    pollCq = device.hotVerbs().pollCq;
    reqNotifyCq = device.hotVerbs().reqNotifyCq;
    entries =
        Verbs.at(handle, VerbsLayout.CQ.byteSize())
            .get(JAVA_INT, VerbsLayout.offset(VerbsLayout.CQ, "cqe"));
  }

  /**
   * Takes completions, as many as there are and fit; allocates nothing and does not wait.
   *
   * @return how many are in the list now
   * @throws VerbsException if the queue has failed
   */
  public int poll(WorkCompletions completions) {
    int count = HotVerbs.poll(pollCq, handle(), completions.capacity(), completions.address());
    if (count < 0) {
      throw new VerbsException("ibv_poll_cq", 0, "result=" + count);
    }
    completions.filled(count);
    return count;
  }

  /**
   * Asks for one event on the channel when the next completion arrives. Those that are there
   * already make none: poll once more after this, and only then wait.
   *
   * @param solicitedOnly only for what peers sent with {@link SendFlags#SOLICITED}, and failures
   */
  public void requestNotify(boolean solicitedOnly) {
    int error = HotVerbs.requestNotify(reqNotifyCq, handle(), solicitedOnly ? 1 : 0);
    if (error != 0) {
      throw new VerbsException("ibv_req_notify_cq", Math.abs(error), "");
    }
  }

  /** Completions that it can hold, as the device granted. */
  public int entries() {
    return entries;
  }

  @Override
  public String toString() {
    return "completion queue of " + entries + " entries";
  }
}
