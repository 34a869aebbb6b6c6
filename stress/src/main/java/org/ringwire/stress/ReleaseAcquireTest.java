package org.ringwire.stress;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * What every ring relies on: a length stored with release semantics shows the payload before it.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Neither is seen yet.")
@Outcome(id = "0, 7", expect = Expect.ACCEPTABLE, desc = "The payload is seen early.")
@Outcome(id = "1, 7", expect = Expect.ACCEPTABLE, desc = "Published, and the payload with it.")
@Outcome(id = "1, 0", expect = Expect.FORBIDDEN, desc = "Published without its payload.")
@State
public class ReleaseAcquireTest {
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final long LENGTH = 0;
  private static final long PAYLOAD = 4;

  private final MemorySegment memory = MemorySegment.ofArray(new long[1]);

  /** Writes the payload and publishes it. */
  @Actor
  public void producer() {
    memory.set(ValueLayout.JAVA_INT, PAYLOAD, 7);
    INT.setRelease(memory, LENGTH, 1);
  }

  /**
   * Looks for the length, then at the payload.
   *
   * @param result the length and the payload that were seen
   */
  @Actor
  public void consumer(II_Result result) {
    result.r1 = (int) INT.getAcquire(memory, LENGTH);
    result.r2 = memory.get(ValueLayout.JAVA_INT, PAYLOAD);
  }
}
