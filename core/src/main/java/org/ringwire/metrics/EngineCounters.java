package org.ringwire.metrics;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What a node counts that is rare, or counted once per batch. Any thread. */
public final class EngineCounters {
  public final LongAdder messagesReceived = new LongAdder();
  public final LongAdder messagesHandled = new LongAdder();
  public final LongAdder handlerFailures = new LongAdder();
  public final LongAdder unhandled = new LongAdder();
  public final LongAdder framesRejected = new LongAdder();
  public final LongAdder handshakesRefused = new LongAdder();
  public final LongAdder connectionsLost = new LongAdder();
  public final LongAdder connectionsClosed = new LongAdder();
  public final LongAdder endedMessagesSent = new LongAdder();
  private final ConcurrentHashMap<String, LongAdder> rejections = new ConcurrentHashMap<>();

  /** A peer broke a rule, or, without one, this side failed at what it said. */
  public void rejected(@Nullable Enum<?> rule) {
    framesRejected.increment();
    String name = rule == null ? "INTERNAL" : rule.name();
    rejections.computeIfAbsent(name, key -> new LongAdder()).increment();
  }

  /** How often each rule was broken, by its name. */
  public Map<String, Long> rejections() {
    Map<String, Long> counts = new TreeMap<>();
    rejections.forEach((rule, count) -> counts.put(rule, count.sum()));
    return counts;
  }
}
