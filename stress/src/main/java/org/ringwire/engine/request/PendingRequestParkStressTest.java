package org.ringwire.engine.request;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The waiter parks while the response comes: it never parks without being woken. */
@JCStressTest
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "It parks, and is woken.")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "It saw the response; woken in vain.")
@Outcome(id = "false, false", expect = ACCEPTABLE, desc = "The response came before.")
@State
public class PendingRequestParkStressTest {

  private final PendingRequest slot;

  /** One request is pending. */
  public PendingRequestParkStressTest() {
    PendingRequests requests = new PendingRequests(1, 1, Runnable::run);
    slot = requests.slot(requests.open(new Object(), String.class, 0, null, null));
  }

  /**
   * The waiter.
   *
   * @param result whether it parks
   */
  @Actor
  public void waiter(ZZ_Result result) {
    result.r1 = slot.beginPark();
  }

  /**
   * Who has the response.
   *
   * @param result whether it wakes the waiter
   */
  @Actor
  public void finisher(ZZ_Result result) {
    result.r2 = slot.complete("response", null);
  }
}
