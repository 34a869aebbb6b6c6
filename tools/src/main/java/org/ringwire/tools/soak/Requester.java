package org.ringwire.tools.soak;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.ringwire.BackPressureException;
import org.ringwire.ConnectionLostException;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeUnreachableException;
import org.ringwire.RequestTimeoutException;

/** One thread that sends requests, one after the other, to any node. */
final class Requester implements Runnable {

  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Duration OVERDUE = TIMEOUT.plusSeconds(10);
  private static final long AFTER_FAILURE_NS = 20_000_000;
  private static final long BETWEEN_NS = 1_000_000;

  private final SoakSpec spec;
  private final Node node;
  private final SendLedger ledger;
  private final Gate gate;
  private final SplittableRandom random;
  private final long[] next;
  private final AtomicLong wrong = new AtomicLong();

  Requester(SoakSpec spec, Node node, SendLedger ledger, Gate gate) {
    this.spec = spec;
    this.node = node;
    this.ledger = ledger;
    this.gate = gate;
    random = new SplittableRandom(spec.seed() - spec.node() - 100L * spec.life());
    next = new long[spec.nodes() + 1];
  }

  /** Requests with a wrong answer, or that ended long after their time. Any thread. */
  long wrong() {
    return wrong.get();
  }

  @Override
  public void run() {
    try {
      while (gate.pass()) {
        int receiver = 1 + random.nextInt(spec.nodes());
        if (receiver != spec.node() && next[receiver] < spec.capacity()) {
          boolean answered = ask(receiver, next[receiver]++);
          LockSupport.parkNanos(answered ? BETWEEN_NS : AFTER_FAILURE_NS);
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Asks a node until it answers. By another thread, while the gate holds this one.
   *
   * @throws IllegalStateException if it does not answer in time
   */
  void reach(int receiver, Duration timeout) {
    long endNs = System.nanoTime() + timeout.toNanos();
    while (!ask(receiver, next[receiver]++)) {
      if (System.nanoTime() - endNs > 0) {
        throw new IllegalStateException("node " + receiver + " does not answer any more");
      }
      LockSupport.parkNanos(AFTER_FAILURE_NS);
    }
  }

  private boolean ask(int receiver, long number) {
    int stream = spec.threads();
    ledger.begin(receiver, stream, number);
    long beginNs = System.nanoTime();
    try {
      Messages.Question question = new Messages.Question(spec.node(), spec.life(), number);
      Messages.Answer answer = node.request(receiver, question, Messages.Answer.class, TIMEOUT);
      ledger.accept(receiver, stream, number);
      if (answer.number() != number || answer.node() != receiver) {
        wrong.incrementAndGet();
        System.err.println("wrong answer: " + answer + " to " + question);
      }
      return true;
    } catch (NodeUnreachableException | BackPressureException e) {
      ledger.refuse(receiver, stream);
    } catch (ConnectionLostException | RequestTimeoutException e) {
      // whether it was accepted nobody needs to know: it is begun and no more
    } catch (MessagingException e) {
      wrong.incrementAndGet();
      System.err.println("a request failed in a way that nothing explains: " + e);
    }
    if (System.nanoTime() - beginNs > OVERDUE.toNanos()) {
      wrong.incrementAndGet();
      System.err.println("a request ended long after its timeout");
    }
    return false;
  }
}
