package org.ringwire.metrics;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.ringwire.EndReason;
import org.ringwire.LossReport;

/** What a node counts that is rare, or counted once per batch. Any thread. */
public final class EngineCounters {

  /**
   * Ready before it is needed: a lambda that finds no heap where it comes first is lost for ever.
   */
  @SuppressWarnings("UnnecessaryLambda")
  private static final Function<String, LongAdder> NEW_COUNTER = _ -> new LongAdder();

  public final LongAdder messagesReceived = new LongAdder();
  public final LongAdder messagesHandled = new LongAdder();
  public final LongAdder handlerFailures = new LongAdder();
  public final LongAdder unhandled = new LongAdder();

  /** Requests that get no answer, since this node has closed before there was one. */
  public final LongAdder unanswered = new LongAdder();

  public final LongAdder framesRejected = new LongAdder();
  public final LongAdder handshakesRefused = new LongAdder();
  public final LongAdder connectionsLost = new LongAdder();
  public final LongAdder connectionsClosed = new LongAdder();
  public final LongAdder messagesLost = new LongAdder();
  public final LongAdder messagesUncertain = new LongAdder();
  public final LongAdder connectAttempts = new LongAdder();
  public final LongAdder connectFailures = new LongAdder();

  private final long openedNs = System.nanoTime();
  private final ConcurrentHashMap<String, LongAdder> rejections = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, LongAdder> ends = new ConcurrentHashMap<>();

  /** Nanoseconds since the node was opened. */
  public long ageNs() {
    return System.nanoTime() - openedNs;
  }

  /**
   * Messages that have arrived, to be asked after the number of those that handlers are done with:
   * these have arrived, too, though what comes in a batch is counted at its end.
   */
  public long received(long handled) {
    return Math.max(handled, messagesReceived.sum());
  }

  /** Messages that have arrived and that handlers are not done with; exact when none arrive. */
  public long waiting() {
    long handled = messagesHandled.sum();
    return received(handled) - handled;
  }

  /** A peer broke a rule, or, without one, this side failed at what it said. */
  public void rejected(@Nullable Enum<?> rule) {
    framesRejected.increment();
    String name = rule == null ? "INTERNAL" : rule.name();
    rejections.computeIfAbsent(name, NEW_COUNTER).increment();
  }

  /** How often each rule was broken, by its name. */
  public Map<String, Long> rejections() {
    return sums(rejections);
  }

  /** A connection that was open has ended. */
  public void ended(EndReason reason) {
    ends.computeIfAbsent(reason.name(), NEW_COUNTER).increment();
    (reason.isOrderly() ? connectionsClosed : connectionsLost).increment();
  }

  /** It is known what became of the messages of a connection that has ended. */
  public void settled(LossReport report) {
    messagesLost.add(report.lost());
    messagesUncertain.add(report.uncertain());
  }

  /** How many connections ended for each reason, by its name. */
  public Map<String, Long> ends() {
    return sums(ends);
  }

  private static Map<String, Long> sums(Map<String, LongAdder> counters) {
    Map<String, Long> counts = new TreeMap<>();
    counters.forEach((name, count) -> counts.put(name, count.sum()));
    return counts;
  }
}
