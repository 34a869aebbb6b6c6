package org.ringwire.tools.demo.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.Progress;
import org.ringwire.tools.console.Text;
import org.ringwire.tools.demo.graph.Spread;
import org.ringwire.tools.demo.worker.Messages;
import org.ringwire.tools.demo.worker.Worker;

/**
 * Leads the workers through the phases. For one thread.
 *
 * <p>The barrier between two phases: all workers say how many messages they sent to whom; each is
 * then told how many it must have handled, and answers when it has. A phase that was answered by
 * all is complete, so no message of it can arrive later.
 */
public final class Coordinator {

  private static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(5);
  private static final Duration EXPLANATION = Duration.ofSeconds(10);

  private final Cluster cluster;
  private final Spread spread;
  private final Progress progress;
  private String phase = "start";
  private long edges;
  private long sent;
  private int depth;

  public Coordinator(Cluster cluster, Spread spread, Progress progress) {
    this.cluster = cluster;
    this.spread = spread;
    this.progress = progress;
  }

  /**
   * Waits until every worker has read its part of the graph.
   *
   * @throws CommandException if a worker is gone or sees the classes of another JDK
   */
  public void prepare(long fingerprint) {
    phase = "reading class files";
    Messages.Prepare message = new Messages.Prepare(cluster.addresses());
    List<Messages.Prepared> parts = askAll(_ -> message, Messages.Prepared.class);
    for (int worker = 0; worker < parts.size(); worker++) {
      Messages.Prepared part = parts.get(worker);
      if (part.fingerprint() != fingerprint || part.vertices() != spread.count(worker)) {
        throw new CommandException(
            "node "
                + Worker.nodeId(worker)
                + " sees other classes than this process; run all nodes on the same JDK");
      }
      edges += part.edges();
    }
  }

  /** Runs the search from a vertex, then so many rounds of PageRank, and collects the results. */
  public Outcome run(int root, int rounds) {
    long start = System.nanoTime();
    search(root);
    long searched = System.nanoTime();
    long searchMessages = sent;
    progress.done(
        Text.format(
            "Search: %,d levels, %,d messages in %.3f s",
            depth, searchMessages, (searched - start) / 1e9));
    rank(rounds);
    long ranked = System.nanoTime();
    long rankMessages = sent - searchMessages;
    progress.done(
        Text.format(
            "PageRank: %,d rounds, %,d messages in %.3f s",
            rounds, rankMessages, (ranked - searched) / 1e9));
    return collect(searchMessages, rankMessages, searched - start, ranked - searched);
  }

  private void search(int root) {
    long found;
    do {
      int level = depth;
      phase = "search level " + level;
      progress.update(Text.format("Search: level %d, %,d messages", level, sent));
      Messages.Expand expand = new Messages.Expand(level, root);
      long[] toWorker = sumSent(askAll(_ -> expand, Messages.Sent.class));
      found =
          askAll(
                  worker -> new Messages.SettleSearch(level, toWorker[worker]),
                  Messages.SearchSettled.class)
              .stream()
              .mapToLong(Messages.SearchSettled::found)
              .sum();
      depth += found == 0 ? 0 : 1;
    } while (found > 0);
  }

  private void rank(int rounds) {
    for (int i = 0; i < rounds; i++) {
      int round = i;
      phase = "PageRank round " + (round + 1);
      progress.update(
          Text.format("PageRank: round %d of %d, %,d messages", round + 1, rounds, sent));
      Messages.Distribute distribute = new Messages.Distribute(round);
      List<Messages.Sent> reports = askAll(_ -> distribute, Messages.Sent.class);
      double dangling = reports.stream().mapToDouble(Messages.Sent::dangling).sum();
      long[] toWorker = sumSent(reports);
      askAll(
          worker -> new Messages.SettleRanks(round, toWorker[worker], dangling),
          Messages.RanksSettled.class);
    }
  }

  private Outcome collect(
      long searchMessages, long rankMessages, long searchNanos, long rankNanos) {
    phase = "collecting results";
    List<Messages.Found> parts = askAll(_ -> new Messages.Collect(), Messages.Found.class);
    int[] levels = new int[spread.vertices()];
    double[] ranks = new double[spread.vertices()];
    for (int worker = 0; worker < parts.size(); worker++) {
      for (int place = 0; place < spread.count(worker); place++) {
        int vertex = spread.vertex(worker, place);
        levels[vertex] = parts.get(worker).levels()[place];
        ranks[vertex] = parts.get(worker).ranks()[place];
      }
    }
    return new Outcome(
        edges,
        levels,
        ranks,
        searchMessages,
        rankMessages,
        parts.stream().mapToLong(Messages.Found::handled).sum(),
        parts.stream().mapToLong(Messages.Found::misplaced).sum(),
        searchNanos,
        rankNanos);
  }

  /** What each worker must handle before the phase is over. */
  private long[] sumSent(List<Messages.Sent> reports) {
    long[] toWorker = new long[spread.nodes()];
    for (Messages.Sent report : reports) {
      Arrays.setAll(toWorker, worker -> toWorker[worker] + report.toWorker()[worker]);
    }
    sent += Arrays.stream(toWorker).sum();
    return toWorker;
  }

  /** Asks every worker at once, and waits for all answers or the first failure. */
  private <R> List<R> askAll(IntFunction<Object> question, Class<R> answerType) {
    CompletableFuture<Void> failed = cluster.failure().copy();
    List<CompletableFuture<R>> answers = new ArrayList<>();
    try {
      for (int worker = 0; worker < cluster.nodes(); worker++) {
        CompletableFuture<R> answer =
            cluster
                .coordinator()
                .requestAsync(
                    Worker.nodeId(worker), question.apply(worker), answerType, REQUEST_TIMEOUT);
        answers.add(answer);
        var _ = answer.whenComplete((_, error) -> failIfThereIs(error, failed));
      }
      CompletableFuture<?> all = CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
      CompletableFuture.anyOf(all, failed).join();
    } catch (CompletionException | MessagingException e) {
      throw explain(e);
    }
    return answers.stream().map(CompletableFuture::join).toList();
  }

  private static void failIfThereIs(@Nullable Throwable error, CompletableFuture<Void> failed) {
    if (error != null) {
      failed.completeExceptionally(error);
    }
  }

  /** The end of a worker explains a lost connection, and is noticed about as soon. */
  private CommandException explain(RuntimeException error) {
    Throwable reason =
        cluster
            .failure()
            .handle((_, death) -> death)
            .completeOnTimeout(null, EXPLANATION.toMillis(), TimeUnit.MILLISECONDS)
            .join();
    reason = reason == null ? error : reason;
    while (reason instanceof CompletionException && reason.getCause() != null) {
      reason = reason.getCause();
    }
    return new CommandException(
        Text.format("%s (during: %s); run the demo again", reason.getMessage(), phase), error);
  }
}
