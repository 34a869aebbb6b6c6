package org.ringwire.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.ringwire.ConnectionLostException;
import org.ringwire.Dispatch;
import org.ringwire.LossReport;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.NodeListener;
import org.ringwire.RequestTimeoutException;
import org.ringwire.SendStatus;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.Awaiting;

/**
 * Two nodes over links with faults: node 1 sends numbered messages to node 2 by several threads,
 * one of which never waits and one of which sends to sets of nodes; some messages need a grant.
 * Both send requests to each other meanwhile. Keeps a ledger of what became of each message.
 */
final class FaultyPair implements AutoCloseable {

  static final int THREADS = 4;
  private static final int MOST = 10_000;
  private static final int RING = 1 << 16;
  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final long RETRY_NS = 1_000_000;

  /** One way. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Numbered(int sender, int number, byte[] content) {}

  /** A question, and its answer. */
  record Echo(int node, long number) {}

  /**
   * What became of the messages.
   *
   * @param accepted messages one way
   * @param missing those that were not delivered
   * @param reported messages that the reports name
   * @param lost of those
   * @param uncertain of those
   * @param answered requests of node 1 that were surely accepted
   * @param asked requests of node 1
   * @param losses connections that ended with messages whose fate is not processed
   * @param wrong what must not be, for people
   */
  record Account(
      long accepted,
      long missing,
      long reported,
      long lost,
      long uncertain,
      long answered,
      long asked,
      long losses,
      Queue<String> wrong) {}

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final Node one;
  private final Node two;
  private final int[] accepted = new int[THREADS];
  private final AtomicIntegerArray deliveries = new AtomicIntegerArray(THREADS * MOST);
  private final Map<Long, int[]> lastOfLink = new HashMap<>();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final Queue<LossReport> reports = new ConcurrentLinkedQueue<>();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong asked = new AtomicLong();
  private volatile boolean healed;
  private volatile boolean done;

  FaultyPair(FaultyLinkTest.Medium medium, Faults faults) {
    this(medium, faults, 0, plain -> plain);
  }

  /**
   * Two nodes that are not connected yet.
   *
   * @param silent the node that does not listen: both directions share the link that it opens; or 0
   * @param around puts something around the transport with faults
   */
  FaultyPair(
      FaultyLinkTest.Medium medium,
      Faults faults,
      int silent,
      UnaryOperator<TransportProvider> around) {
    TransportProvider provider =
        around.apply(FaultyTransport.provider(medium.provider(), faults, () -> healed));
    NodeConfig.Builder first = settings(1).listener(listener());
    NodeConfig.Builder second = settings(2);
    one =
        MessagingNode.open(
            (silent == 1 ? first : listening(first, 1, medium)).build(), 1, provider);
    two =
        MessagingNode.open(
            (silent == 2 ? second : listening(second, 2, medium)).build(), 2, provider);
    two.handle(Numbered.class, Dispatch.INLINE, (message, _) -> deliver(message));
    for (Node node : new Node[] {one, two}) {
      String address = node.address();
      if (address != null) {
        directory.put(node.id(), address);
      }
      node.handle(
          Echo.class, (echo, exchange) -> exchange.reply(new Echo(node.id(), echo.number())));
    }
  }

  private NodeConfig.Builder settings(int id) {
    return NodeConfig.builder(id)
        .cluster("faulty")
        .peers(directory)
        .ringCapacity(RING)
        .window(RING, RING)
        .connectTimeout(TestNodes.PATIENCE);
  }

  private static NodeConfig.Builder listening(
      NodeConfig.Builder settings, int id, FaultyLinkTest.Medium medium) {
    return settings.listen(medium.address(id));
  }

  private NodeListener listener() {
    return new NodeListener() {
      @Override
      public void lost(LossReport report) {
        if (report.accepted() != report.processed() + report.lost() + report.uncertain()) {
          wrong.add("does not add up: " + report);
        }
        reports.add(report);
      }
    };
  }

  /**
   * A link delivers what a thread gave it without a gap: the next number each time, as far as it is
   * known which link it was.
   */
  private void deliver(Numbered message) {
    int index = message.sender() * MOST + message.number();
    if (deliveries.incrementAndGet(index) > 1) {
      wrong.add("delivered twice: " + message.sender() + " " + message.number());
    }
    if (message.content().length != length(message.number())) {
      wrong.add("damaged: " + message.sender() + " " + message.number());
    }
    long link = FaultyLink.current();
    if (link == 0) {
      return; // read by the worker of a TLS handshake, of whatever link
    }
    synchronized (lastOfLink) {
      int[] last = lastOfLink.computeIfAbsent(link, _ -> new int[] {-1, -1, -1, -1});
      int before = last[message.sender()];
      if (before >= 0 && message.number() != before + 1) {
        wrong.add(message.number() + " after " + before + " of sender " + message.sender());
      }
      last[message.sender()] = message.number();
    }
  }

  private static int length(int number) {
    return number % 97 == 0 ? RING / 2 : number % 50;
  }

  /** Sends so many messages by each thread; then everything is well again. */
  void run(int messages) throws InterruptedException {
    Threads senders = new Threads();
    for (int sender = 0; sender < THREADS; sender++) {
      int id = sender;
      senders.start(() -> {
        for (int number = 0; number < messages; number++) {
          send(id);
        }
      });
    }
    Threads requesters = new Threads();
    requesters.start(() -> ask(one, two));
    requesters.start(() -> ask(two, one));
    senders.join();
    done = true;
    healed = true;
    requesters.join();
  }

  private void send(int sender) {
    int number = accepted[sender];
    Numbered message = new Numbered(sender, number, new byte[length(number)]);
    long endNs = System.nanoTime() + TestNodes.PATIENCE.toNanos();
    while (true) {
      try {
        if (isAccepted(sender, message)) {
          accepted[sender]++;
          return;
        }
        LockSupport.parkNanos(RETRY_NS);
      } catch (MessagingException e) { // was not accepted, so that its number is free
        if (System.nanoTime() - endNs > 0) {
          throw e;
        }
        LockSupport.parkNanos(RETRY_NS);
      }
    }
  }

  /** Each sender has its own way to send; false if the message was not accepted. */
  private boolean isAccepted(int sender, Numbered message) {
    return switch (sender) {
      case 0 -> one.trySend(2, message) == SendStatus.ACCEPTED;
      case 1 -> one.send(Set.of(2), message).statuses().get(2) == SendStatus.ACCEPTED;
      default -> {
        one.send(2, message, SHORT);
        yield true;
      }
    };
  }

  private void ask(Node from, Node to) {
    for (long number = 0; !done; number++) {
      ask(from, to, number);
      LockSupport.parkNanos(RETRY_NS);
    }
  }

  private boolean ask(Node from, Node to, long number) {
    try {
      if (from.id() == 1) {
        asked.incrementAndGet();
      }
      Echo echo = from.request(to.id(), new Echo(from.id(), number), Echo.class, LONG);
      if (from.id() == 1) {
        answered.incrementAndGet();
      }
      if (echo.node() != to.id() || echo.number() != number) {
        wrong.add("wrong answer: " + echo + " to " + number);
      }
      return true;
    } catch (ConnectionLostException | RequestTimeoutException e) {
      return false; // accepted or not
    } catch (MessagingException e) {
      if (from.id() == 1) {
        asked.decrementAndGet();
      }
      return false;
    }
  }

  /** Traffic resumes by itself; then everything ends, and all accounts are there. */
  Account settle() {
    Awaiting.await(
        "requests are answered",
        () -> {
          boolean there = ask(one, two, -1); // both in any case: one of them may be who connects
          boolean back = ask(two, one, -1);
          return there && back;
        });
    for (int sender = 0; sender < THREADS; sender++) {
      send(sender);
    }
    for (int sender = 0; sender < THREADS; sender++) {
      int last = sender * MOST + accepted[sender] - 1;
      Awaiting.await("the last message", () -> deliveries.get(last) == 1);
    }
    assertThat(one.close(LONG).requestsCancelled()).isZero();
    two.close(LONG);
    long missing = 0;
    long sent = 0;
    for (int sender = 0; sender < THREADS; sender++) {
      sent += accepted[sender];
      for (int number = 0; number < accepted[sender]; number++) {
        missing += deliveries.get(sender * MOST + number) == 0 ? 1 : 0;
      }
    }
    return new Account(
        sent,
        missing,
        reports.stream().mapToLong(LossReport::accepted).sum(),
        reports.stream().mapToLong(LossReport::lost).sum(),
        reports.stream().mapToLong(LossReport::uncertain).sum(),
        answered.get(),
        asked.get(),
        reports.stream().filter(report -> report.lost() + report.uncertain() > 0).count(),
        wrong);
  }

  @Override
  public void close() {
    healed = true;
    done = true;
    one.close();
    two.close();
  }
}
