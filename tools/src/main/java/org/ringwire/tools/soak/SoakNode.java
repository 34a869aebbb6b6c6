package org.ringwire.tools.soak;

import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.ringwire.Authentication;
import org.ringwire.Dispatch;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.NodeListener;
import org.ringwire.NodeMetrics;

/** One life of a node: its threads, and its part of the ledger. */
final class SoakNode {

  private static final int RING = 256 << 10;
  private static final int WINDOW = 64 << 10;
  private static final Duration REST = Duration.ofSeconds(1);

  /** So few that the warm-up starts them all, whatever the machine: threads must not grow. */
  private static final int HANDLER_THREADS = 2;

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration CLOSE = Duration.ofSeconds(20);
  private static final long POLL_NS = 5_000_000;

  private record Life(int node, int number) {}

  private final SoakSpec spec;
  private final Consumer<Throwable> ledgerLost;
  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final SendLedger sent;
  private final ConcurrentHashMap<Life, ReceiveLedger> received = new ConcurrentHashMap<>();
  private final Gate gate;
  private final SilentRequests silent;
  private final Node node;
  private final List<Sender> senders = new ArrayList<>();
  private final Requester requester;
  private final List<Thread> threads = new ArrayList<>();
  private final Thread clock;

  /**
   * A node that listens, and sends once it is told to.
   *
   * @param ledgerLost told, maybe often and by several threads, that the ledger cannot be written
   *     any more, for want of room above all: what the node does from then on is not taken down
   */
  SoakNode(SoakSpec spec, Consumer<Throwable> ledgerLost) {
    this.spec = spec;
    this.ledgerLost = ledgerLost;
    sent = SendLedger.create(spec);
    silent = new SilentRequests(spec.node());
    gate = new Gate(spec.streams());
    node = Node.open(config());
    node.handle(
        Messages.Parcel.class,
        Dispatch.POOLED.inOrder(),
        (parcel, _) -> noting(() -> accept(parcel)));
    node.handle(
        Messages.Question.class,
        (question, exchange) -> {
          noting(() -> accept(question));
          exchange.reply(new Messages.Answer(spec.node(), question.number()));
        });
    for (int stream = 0; stream < spec.threads(); stream++) {
      Sender sender = new Sender(spec, node, sent, gate, stream);
      senders.add(sender);
      threads.add(Thread.ofPlatform().name("sender " + stream).start(() -> noting(sender)));
    }
    requester = new Requester(spec, node, sent, gate, Requester.TIMEOUT, silent);
    threads.add(Thread.ofPlatform().name("requester").start(() -> noting(requester)));
    clock = Thread.ofPlatform().name("clock").start(() -> noting(this::tick));
  }

  /** Does what is taken down in the ledger. */
  private void noting(Runnable task) {
    try {
      task.run();
    } catch (InternalError | UncheckedIOException e) { // the first from memory that is a file
      ledgerLost.accept(e);
      throw e;
    }
  }

  private void tick() {
    while (!Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(Successors.MOMENT_NS);
      sent.tick();
    }
  }

  private NodeConfig config() {
    return NodeConfig.builder(spec.node())
        .cluster("soak")
        .listen(spec.listen())
        .peers(directory)
        .authentication(
            Authentication.sharedSecret(spec.secret().getBytes(StandardCharsets.US_ASCII)))
        .lookup(MethodHandles.lookup())
        .ringCapacity(RING)
        .window(WINDOW, 4 * WINDOW)
        .idleTime(REST)
        .handlerThreads(HANDLER_THREADS)
        .maxConnections(spec.maxConnections())
        .listener(
            new NodeListener() {
              @Override
              public void connected(int nodeId) {
                noting(() -> sent.connected(nodeId));
              }

              @Override
              public void lost(LossReport report) {
                silent.ended(report.nodeId());
                noting(() -> sent.report(report));
              }

              @Override
              public void dismissed(LossReport report) {
                noting(() -> sent.dismissed(report));
              }
            })
        .build();
  }

  private void accept(Messages.Parcel parcel) {
    ReceiveLedger ledger = ledger(parcel.node(), parcel.life());
    ledger.deliver(parcel.stream(), parcel.number());
    if (!parcel.isWhole()) {
      ledger.damaged();
    }
  }

  private void accept(Messages.Question question) {
    ledger(question.node(), question.life()).deliverUnordered(spec.threads(), question.number());
  }

  private ReceiveLedger ledger(int sender, int life) {
    Life key = new Life(sender, life);
    ReceiveLedger ledger = received.get(key);
    return ledger == null
        ? received.computeIfAbsent(key, _ -> ReceiveLedger.create(spec, sender, life))
        : ledger;
  }

  String address() {
    return String.valueOf(node.address());
  }

  /** Where another node is now. */
  void peer(int id, String address) {
    directory.put(id, address);
  }

  void run() {
    gate.open();
  }

  /** Holds the threads, and waits until everything that they have sent is written. */
  void pause() throws InterruptedException {
    gate.close(LONG);
    long endNs = System.nanoTime() + LONG.toNanos();
    while (node.metrics().connections().stream().anyMatch(one -> one.pendingBytes() > 0)) {
      if (System.nanoTime() > endNs) {
        throw new IllegalStateException("not written in time: " + node.metrics().connections());
      }
      LockSupport.parkNanos(POLL_NS);
    }
  }

  /** While the threads are held: asks every node until it answers, for traffic must resume. */
  void touch() {
    for (int peer = 1; peer <= spec.nodes(); peer++) {
      if (peer != spec.node()) {
        requester.reach(peer, LONG);
      }
    }
  }

  /**
   * While the threads are held: makes the connections that rest is with.
   *
   * @return whether there are these and no others
   */
  boolean settle() {
    Set<Integer> peers = spec.restingPeers();
    for (int peer : peers) {
      requester.reach(peer, LONG);
    }
    return peers.equals(
        node.metrics().connections().stream()
            .map(NodeMetrics.ConnectionMetrics::nodeId)
            .collect(Collectors.toSet()));
  }

  Resources measure() {
    return Resources.of(node);
  }

  /** Lets a sender make a mistake, and waits until it has; the threads must run. */
  void corrupt(Corruption corruption) {
    Sender sender = senders.getFirst();
    sender.corrupt(corruption);
    long endNs = System.nanoTime() + LONG.toNanos();
    while (sender.isToErr()) {
      if (System.nanoTime() > endNs) {
        throw new IllegalStateException("the sender makes no mistake: " + corruption);
      }
      LockSupport.parkNanos(POLL_NS);
    }
  }

  /** A node, maybe this one, has stood still for so long, up to now. */
  void stalled(int id, Duration time) {
    silent.stalled(id, time);
  }

  /** Requests that were not answered in time. */
  long timedOutRequests() {
    return silent.count();
  }

  /** Requests with a wrong answer, that did not end in time, or got no answer for no reason. */
  long wrongRequests() {
    return requester.wrong() + silent.unexplained();
  }

  /** Ends this life in good order; from then on its part of the ledger is complete. */
  void close() throws InterruptedException {
    gate.end();
    for (Thread thread : threads) {
      thread.join();
    }
    node.close(CLOSE);
    clock.interrupt();
    clock.join();
    sent.closed();
  }
}
