package org.ringwire.tools.demo.worker;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.tools.demo.graph.Partition;
import org.ringwire.tools.demo.graph.SlicedWork;
import org.ringwire.tools.demo.graph.Spread;

/**
 * What a worker does for its vertices, phase by phase, as the coordinator says.
 *
 * <p>Phases never overlap: the coordinator starts one when all workers have settled the one before,
 * and a worker settles when it has handled as many messages as all workers together sent it. So the
 * methods for the coordinator run one after the other; only {@link #visit} and {@link #rank} run
 * beside them and beside each other, on whatever threads the node calls handlers.
 */
final class WorkerJob implements AutoCloseable {

  private static final int SLICE = 128;
  private static final Duration SETTLE_TIMEOUT = Duration.ofMinutes(4);

  private final Node node;
  private final Partition partition;
  private final Spread spread;
  private final SlicedWork senders;
  private final SearchState search;
  private final RankState ranks;
  private final Arrivals arrivals = new Arrivals();
  private final AtomicLong misplaced = new AtomicLong();
  private long expected; // total since the beginning; by the coordinator's calls only
  private volatile int level;
  private volatile int round;

  WorkerJob(Node node, Partition partition, int threads) {
    this.node = node;
    this.partition = partition;
    spread = partition.spread();
    senders = new SlicedWork("sender", threads);
    search = new SearchState(partition.count());
    ranks = new RankState(partition.count(), spread.vertices());
  }

  /**
   * Registers the handlers. Those of the edges take well under a microsecond and run where the
   * message was read; those of the coordinator wait, each on a thread of its own.
   */
  void register() {
    node.handle(Messages.Visit.class, Dispatch.INLINE, (message, _) -> visit(message));
    node.handle(Messages.Rank.class, Dispatch.INLINE, (message, _) -> rank(message));
    node.handle(
        Messages.Expand.class,
        Dispatch.BLOCKING,
        (message, exchange) -> exchange.reply(expand(message)));
    node.handle(
        Messages.SettleSearch.class,
        Dispatch.BLOCKING,
        (message, exchange) -> exchange.reply(settle(message)));
    node.handle(
        Messages.Distribute.class,
        Dispatch.BLOCKING,
        (message, exchange) -> exchange.reply(distribute(message)));
    node.handle(
        Messages.SettleRanks.class,
        Dispatch.BLOCKING,
        (message, exchange) -> exchange.reply(settle(message)));
    node.handle(
        Messages.Collect.class, Dispatch.BLOCKING, (_, exchange) -> exchange.reply(found()));
  }

  /** A class of this worker is referred to by one that was reached. Any thread. */
  void visit(Messages.Visit visit) {
    if (visit.level() == level + 1) {
      search.visit(spread.local(visit.vertex()), visit.level());
    } else {
      misplaced.incrementAndGet();
    }
    arrivals.count();
  }

  /** A class of this worker receives a share of rank. Any thread. */
  void rank(Messages.Rank rank) {
    if (rank.round() == round) {
      ranks.add(spread.local(rank.vertex()), rank.share());
    } else {
      misplaced.incrementAndGet();
    }
    arrivals.count();
  }

  private Messages.Sent expand(Messages.Expand expand)
      throws InterruptedException, ExecutionException {
    if (expand.level() == 0 && spread.owner(expand.root()) == partition.worker()) {
      search.visit(spread.local(expand.root()), 0);
      search.settle();
    }
    int[] frontier = search.frontier();
    int next = expand.level() + 1;
    AtomicLongArray sent = new AtomicLongArray(spread.nodes());
    senders.run(
        frontier.length,
        SLICE,
        (from, to) -> {
          long[] sentHere = new long[spread.nodes()];
          for (int i = from; i < to; i++) {
            expand(frontier[i], next, sentHere);
          }
          addAll(sent, sentHere);
        });
    node.flush();
    return new Messages.Sent(toArray(sent), 0);
  }

  private void expand(int place, int next, long[] sent) {
    for (int i = 0; i < partition.degree(place); i++) {
      int target = partition.target(place, i);
      int owner = spread.owner(target);
      if (owner == partition.worker()) {
        search.visit(spread.local(target), next);
      } else {
        node.send(Worker.nodeId(owner), new Messages.Visit(target, next));
        sent[owner]++;
      }
    }
  }

  private Messages.SearchSettled settle(Messages.SettleSearch settle)
      throws InterruptedException, TimeoutException {
    awaitArrivals(settle.expected());
    level = settle.level() + 1;
    return new Messages.SearchSettled(search.settle());
  }

  private Messages.Sent distribute(Messages.Distribute distribute)
      throws InterruptedException, ExecutionException {
    AtomicLongArray sent = new AtomicLongArray(spread.nodes());
    senders.run(
        partition.count(),
        SLICE,
        (from, to) -> {
          long[] sentHere = new long[spread.nodes()];
          for (int place = from; place < to; place++) {
            distribute(place, distribute.round(), sentHere);
          }
          addAll(sent, sentHere);
        });
    node.flush();
    return new Messages.Sent(toArray(sent), dangling());
  }

  private void distribute(int place, int round, long[] sent) {
    int degree = partition.degree(place);
    double share = ranks.rank(place) / degree;
    for (int i = 0; i < degree; i++) {
      int target = partition.target(place, i);
      int owner = spread.owner(target);
      if (owner == partition.worker()) {
        ranks.add(spread.local(target), share);
      } else {
        node.send(Worker.nodeId(owner), new Messages.Rank(target, share, round));
        sent[owner]++;
      }
    }
  }

  /** The rank of the classes here that refer to nothing. */
  private double dangling() {
    CompensatedSums sum = new CompensatedSums(1);
    for (int place = 0; place < partition.count(); place++) {
      if (partition.degree(place) == 0) {
        sum.add(0, ranks.rank(place));
      }
    }
    return sum.sum(0);
  }

  private Messages.RanksSettled settle(Messages.SettleRanks settle)
      throws InterruptedException, TimeoutException {
    awaitArrivals(settle.expected());
    round = settle.round() + 1;
    ranks.settle(settle.dangling());
    return new Messages.RanksSettled(round);
  }

  private Messages.Found found() {
    return new Messages.Found(search.levels(), ranks.ranks(), arrivals.handled(), misplaced.get());
  }

  private void awaitArrivals(long more) throws InterruptedException, TimeoutException {
    expected += more;
    arrivals.await(expected, SETTLE_TIMEOUT);
  }

  private static void addAll(AtomicLongArray sums, long[] values) {
    for (int i = 0; i < values.length; i++) {
      sums.addAndGet(i, values[i]);
    }
  }

  private static long[] toArray(AtomicLongArray sums) {
    long[] values = new long[sums.length()];
    for (int i = 0; i < values.length; i++) {
      values[i] = sums.get(i);
    }
    return values;
  }

  @Override
  public void close() {
    senders.close();
  }
}
