package org.ringwire.engine.outbound;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The holder finds the medium full while the transport says that it is writable again. */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The holder goes on itself.")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The transport goes on.")
@Outcome(id = "false, false", expect = FORBIDDEN, desc = "Nobody goes on.")
@Outcome(id = "true, true", expect = FORBIDDEN, desc = "Both write.")
@State
public class WritableStressTest {

  private final ConsumerRole role = new ConsumerRole();

  /** The role is held. */
  public WritableStressTest() {
    if (!role.tryTake()) {
      throw new IllegalStateException("taken");
    }
  }

  /**
   * Waits for the medium.
   *
   * @param result whether the holder goes on
   */
  @Actor
  public void holder(ZZ_Result result) {
    result.r1 = !role.awaitWritable();
  }

  /**
   * The medium takes bytes again.
   *
   * @param result whether the transport goes on
   */
  @Actor
  public void transport(ZZ_Result result) {
    result.r2 = role.signalWritable();
  }

  /**
   * Nobody else has the role.
   *
   * @param result unchanged, unless the role is free
   */
  @Arbiter
  public void arbiter(ZZ_Result result) {
    if (role.tryTake()) {
      result.r1 = false;
      result.r2 = false;
    }
  }
}
