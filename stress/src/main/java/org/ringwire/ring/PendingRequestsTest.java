package org.ringwire.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.ringwire.engine.request.PendingRequest;
import org.ringwire.engine.request.PendingRequests;

/** The table of pending requests, with one slot. */
public final class PendingRequestsTest {

  private static final Object CONNECTION = new Object();

  private PendingRequestsTest() {}

  private static PendingRequests newTable() {
    return new PendingRequests(1, 1, Runnable::run);
  }

  private static long open(PendingRequests table) {
    return table.open(CONNECTION, String.class, Long.MAX_VALUE, null, null);
  }

  /**
   * A response against a timeout: one of them ends the request, and its outcome is what is seen.
   */
  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "The response.")
  @Outcome(id = "0, 1, 2", expect = ACCEPTABLE, desc = "The timeout.")
  @State
  public static class End {

    private final PendingRequests table = newTable();
    private final long id = open(table);

    /**
     * Responds.
     *
     * @param result whether it ended the request
     */
    @Actor
    public void response(III_Result result) {
      result.r1 = table.end(id, "response", null) ? 1 : 0;
    }

    /**
     * Gives up.
     *
     * @param result whether it ended the request
     */
    @Actor
    public void timeout(III_Result result) {
      result.r2 = table.end(id, null, new IllegalStateException("timeout")) ? 1 : 0;
    }

    /**
     * Takes the outcome.
     *
     * @param result 1 for the response, 2 for the timeout
     */
    @Arbiter
    public void arbiter(III_Result result) {
      PendingRequest slot = table.slot(id);
      boolean done = slot.getAsBoolean();
      result.r3 = (done && slot.response() != null ? 1 : 0) + (slot.failure() != null ? 2 : 0);
    }
  }

  /** A late response to a request that timed out, while its slot goes to the next one. */
  @JCStressTest
  @Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "The new request is left alone.")
  @State
  public static class LateResponse {

    private final PendingRequests table = newTable();
    private final long late = open(table);
    private long next;

    /** The first request times out, and is not freed yet. */
    public LateResponse() {
      table.end(late, null, new IllegalStateException("timeout"));
    }

    /**
     * Responds too late.
     *
     * @param result whether it ended a request
     */
    @Actor
    public void response(III_Result result) {
      result.r1 = table.end(late, "late", null) ? 1 : 0;
    }

    /**
     * Frees the slot and takes it again.
     *
     * @param result whether it got it
     */
    @Actor
    public void requester(III_Result result) {
      table.free(late);
      next = open(table);
      result.r2 = next > late ? 1 : 0;
    }

    /**
     * Looks at the new request.
     *
     * @param result whether it has ended
     */
    @Arbiter
    public void arbiter(III_Result result) {
      @Nullable PendingRequest slot = table.find(next);
      result.r3 = slot == null || slot.getAsBoolean() ? 1 : 0;
    }
  }
}
