package org.ringwire.engine.request;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZL_Result;
import org.ringwire.RequestTimeoutException;

/** A response and the end of the wait for it: one of the two wins, and its outcome is seen. */
@JCStressTest
@Outcome(id = "true, false, response", expect = ACCEPTABLE, desc = "The response came first.")
@Outcome(id = "false, true, timeout", expect = ACCEPTABLE, desc = "The timeout came first.")
@State
public class PendingRequestStressTest {

  private final PendingRequests requests = new PendingRequests(2, 1, Runnable::run);
  private final Object connection = new Object();
  private final long id;

  /** One request is pending. */
  public PendingRequestStressTest() {
    id = requests.open(connection, String.class, 0, null, null);
  }

  /**
   * The response arrives.
   *
   * @param result whether it won
   */
  @Actor
  public void response(ZZL_Result result) {
    result.r1 = requests.end(id, "response", null);
  }

  /**
   * The connection is lost, or time is over.
   *
   * @param result whether that won
   */
  @Actor
  public void timeout(ZZL_Result result) {
    result.r2 = requests.endAll(connection, _ -> new RequestTimeoutException("timeout")) == 1;
  }

  /**
   * Takes the outcome, and tries the id again when its slot has the next request.
   *
   * @param result the outcome
   */
  @Arbiter
  public void arbiter(ZZL_Result result) {
    PendingRequest slot = requests.slot(id);
    RuntimeException failure = slot.failure();
    result.r3 =
        !slot.getAsBoolean() ? "none" : failure == null ? slot.response() : failure.getMessage();
    requests.free(id);
    long second = requests.open(connection, String.class, 0, null, null);
    long third = requests.open(connection, String.class, 0, null, null);
    if (second == 0
        || third == 0
        || requests.find(id) != null
        || requests.end(id, "late", null)
        || requests.outstanding() != 2) {
      result.r3 = "a late response met another request";
    }
  }
}
