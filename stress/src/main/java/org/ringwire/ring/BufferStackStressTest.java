package org.ringwire.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The stack under {@link ReceiveBufferPool}, where one thread does what defeats naive stacks. */
@JCStressTest
@Outcome(id = "123", expect = ACCEPTABLE, desc = "Each buffer is somewhere, once.")
@State
public class BufferStackStressTest {

  private static final ReceiveBufferPool POOL = new ReceiveBufferPool(0);
  private static final ReceiveBuffer[] BUFFERS = {
    POOL.acquire(1), POOL.acquire(1), POOL.acquire(1)
  };

  private final BufferStack stack = new BufferStack(3);
  private @Nullable ReceiveBuffer first;
  private @Nullable ReceiveBuffer second;

  /** Three buffers lie idle. */
  public BufferStackStressTest() {
    for (ReceiveBuffer buffer : BUFFERS) {
      stack.push(buffer);
    }
  }

  /** Takes one buffer. */
  @Actor
  public void simple() {
    first = stack.pop();
  }

  /** Takes two, and puts the first one back: the same top, but another one below it. */
  @Actor
  public void backAndForth() {
    ReceiveBuffer top = stack.pop();
    second = stack.pop();
    if (top != null) {
      stack.push(top);
    }
  }

  /**
   * Finds all buffers.
   *
   * @param result their numbers, sorted
   */
  @Arbiter
  public void arbiter(I_Result result) {
    int[] seen = new int[BUFFERS.length];
    count(seen, first);
    count(seen, second);
    for (ReceiveBuffer buffer = stack.pop(); buffer != null; buffer = stack.pop()) {
      count(seen, buffer);
    }
    for (int index = 0; index < seen.length; index++) {
      for (; seen[index] > 0; seen[index]--) {
        result.r1 = result.r1 * 10 + index + 1;
      }
    }
  }

  private static void count(int[] seen, @Nullable ReceiveBuffer buffer) {
    for (int index = 0; index < BUFFERS.length; index++) {
      if (BUFFERS[index] == buffer) {
        seen[index]++;
      }
    }
  }
}
