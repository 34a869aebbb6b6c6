package org.ringwire.transport.support;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.ringwire.transport.support.InterestQueue.Node;

/**
 * The news of a transport's thread: no interest is lost or seen twice, and the loop is woken when
 * there is something. What became of an interest is told as 1 if the loop has to be woken, 0 if
 * not, -1 if the loop has ended.
 */
public final class InterestQueueStressTest {

  private static final int READ = 1;
  private static final int WRITE = 2;

  private InterestQueueStressTest() {}

  private static int add(InterestQueue queue, Node node, int interest) {
    return switch (queue.add(node, interest)) {
      case FIRST -> 1;
      case QUEUED -> 0;
      case ENDED -> -1;
    };
  }

  /** Interests of a list, one decimal digit for each node. */
  private static int take(@Nullable Node list) {
    int taken = 0;
    Node node = list;
    while (node != null) {
      Node following = node.unlink();
      taken = taken * 10 + node.takeInterests();
      node = following;
    }
    return taken;
  }

  /** Two nodes, two producers. */
  @JCStressTest
  @Outcome(id = "1, 0, 12", expect = ACCEPTABLE, desc = "The reader first: it wakes the loop.")
  @Outcome(id = "0, 1, 21", expect = ACCEPTABLE, desc = "The writer first: it wakes the loop.")
  @State
  public static class TwoNodes {

    private final InterestQueue queue = new InterestQueue();
    private final Node reader = new Node();
    private final Node writer = new Node();

    /**
     * Adds.
     *
     * @param result the outcome
     */
    @Actor
    public void first(III_Result result) {
      result.r1 = add(queue, reader, READ);
    }

    /**
     * Adds.
     *
     * @param result the outcome
     */
    @Actor
    public void second(III_Result result) {
      result.r2 = add(queue, writer, WRITE);
    }

    /**
     * Takes what there is.
     *
     * @param result interests in order of arrival
     */
    @Arbiter
    public void arbiter(III_Result result) {
      result.r3 = take(queue.takeAll());
    }
  }

  /** One node, two producers: it is in the list once. */
  @JCStressTest
  @Outcome(id = "1, 0, 3", expect = ACCEPTABLE, desc = "The first one wakes the loop.")
  @Outcome(id = "0, 1, 3", expect = ACCEPTABLE, desc = "The second one wakes the loop.")
  @State
  public static class OneNode {

    private final InterestQueue queue = new InterestQueue();
    private final Node node = new Node();

    /**
     * Adds.
     *
     * @param result the outcome
     */
    @Actor
    public void first(III_Result result) {
      result.r1 = add(queue, node, READ);
    }

    /**
     * Adds.
     *
     * @param result the outcome
     */
    @Actor
    public void second(III_Result result) {
      result.r2 = add(queue, node, WRITE);
    }

    /**
     * Takes what there is.
     *
     * @param result interests
     */
    @Arbiter
    public void arbiter(III_Result result) {
      result.r3 = take(queue.takeAll());
    }
  }

  /** A node gets one more interest while the loop takes it. */
  @JCStressTest
  @Outcome(id = "0, 3, 7, 0", expect = ACCEPTABLE, desc = "Both at once, with what was written.")
  @Outcome(id = "1, 1, 0, 2", expect = ACCEPTABLE, desc = "Listed again: the loop is woken.")
  @State
  public static class AddWhileTaken {

    private final InterestQueue queue = new InterestQueue();
    private final Node node = new Node();
    private int written;

    /** The node is in the list. */
    public AddWhileTaken() {
      queue.add(node, READ);
    }

    /**
     * Writes, and adds.
     *
     * @param result the outcome
     */
    @Actor
    public void producer(IIII_Result result) {
      written = 7;
      result.r1 = add(queue, node, WRITE);
    }

    /**
     * Takes what there is.
     *
     * @param result interests, and what was written if the producer's is among them
     */
    @Actor
    public void loop(IIII_Result result) {
      result.r2 = take(queue.takeAll());
      result.r3 = (result.r2 & WRITE) != 0 ? written : 0;
    }

    /**
     * Takes the rest.
     *
     * @param result interests
     */
    @Arbiter
    public void arbiter(IIII_Result result) {
      result.r4 = take(queue.takeAll());
    }
  }

  /** The loop ends while somebody adds: the news is taken, or refused. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Taken.")
  @Outcome(id = "-1, 0", expect = ACCEPTABLE, desc = "Refused.")
  @State
  public static class AddAtTheEnd {

    private final InterestQueue queue = new InterestQueue();
    private final Node node = new Node();

    /**
     * Adds.
     *
     * @param result the outcome
     */
    @Actor
    public void producer(II_Result result) {
      result.r1 = add(queue, node, READ);
    }

    /**
     * Looks for the last time.
     *
     * @param result interests
     */
    @Actor
    public void loop(II_Result result) {
      result.r2 = take(queue.end());
    }
  }
}
