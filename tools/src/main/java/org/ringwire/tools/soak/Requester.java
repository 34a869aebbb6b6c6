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

  /** To all nodes together, whatever the rate of messages is: there is a pause after each. */
  static final int MOST_PER_SECOND = 1000;

  static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Duration LATE = Duration.ofSeconds(10);
  private static final long AFTER_FAILURE_NS = 20_000_000;
  private static final long BETWEEN_NS = 1_000_000_000 / MOST_PER_SECOND;

  private final SoakSpec spec;
  private final Node node;
  private final SendLedger ledger;
  private final Gate gate;
  private final Duration timeout;
  private final SilentRequests silent;
  private final SplittableRandom random;
  private final long[] next;
  private final AtomicLong wrong = new AtomicLong();

  /**
   * To be run.
   *
   * @param timeout of each request
   * @param silent where those are counted that were not answered
   */
  Requester(
      SoakSpec spec,
      Node node,
      SendLedger ledger,
      Gate gate,
      Duration timeout,
      SilentRequests silent) {
    this.spec = spec;
    this.node = node;
    this.ledger = ledger;
    this.gate = gate;
    this.timeout = timeout;
    this.silent = silent;
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
        if (receiver != spec.node()) {
          boolean answered = hasRoom(receiver) && ask(receiver, next[receiver]++);
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
   * @throws IllegalStateException if it does not answer in time, or there is no room for requests
   */
  void reach(int receiver, Duration patience) {
    long endNs = System.nanoTime() + patience.toNanos();
    while (!askIfThereIsRoom(receiver)) {
      if (System.nanoTime() - endNs > 0) {
        throw new IllegalStateException("node " + receiver + " does not answer any more");
      }
      LockSupport.parkNanos(AFTER_FAILURE_NS);
    }
  }

  private boolean askIfThereIsRoom(int receiver) {
    if (!hasRoom(receiver)) {
      throw new IllegalStateException(
          "the ledger has no room for more requests to node " + receiver);
    }
    return ask(receiver, next[receiver]++);
  }

  private boolean hasRoom(int receiver) {
    return next[receiver] < spec.capacity();
  }

  private boolean ask(int receiver, long number) {
    int stream = spec.threads();
    ledger.begin(receiver, stream, number);
    long beginNs = System.nanoTime();
    try {
      Messages.Question question = new Messages.Question(spec.node(), spec.life(), number);
      Messages.Answer answer = node.request(receiver, question, Messages.Answer.class, timeout);
      ledger.accept(receiver, stream, number);
      if (answer.number() != number || answer.node() != receiver) {
        wrong.incrementAndGet();
        System.err.println("wrong answer: " + answer + " to " + question);
      }
      return true;
    } catch (NodeUnreachableException | BackPressureException e) {
      ledger.refuse(receiver, stream);
    } catch (ConnectionLostException e) {
      // whether it was accepted nobody needs to know: it is begun and no more
    } catch (RequestTimeoutException e) {
      silent.timedOut(receiver, beginNs);
      System.err.println("a request was not answered in time: " + e.getMessage());
    } catch (MessagingException e) {
      wrong.incrementAndGet();
      System.err.println("a request failed in a way that nothing explains: " + e);
    }
    if (System.nanoTime() - beginNs > timeout.plus(LATE).toNanos()) {
      wrong.incrementAndGet();
      System.err.println("a request ended long after its timeout");
    }
    return false;
  }
}
