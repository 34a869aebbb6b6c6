package org.ringwire.metrics;

import java.util.concurrent.atomic.LongAdder;

/** What a node counts that is rare, or counted once per batch. Any thread. */
public final class EngineCounters {
  public final LongAdder messagesReceived = new LongAdder();
  public final LongAdder messagesHandled = new LongAdder();
  public final LongAdder handlerFailures = new LongAdder();
  public final LongAdder unhandled = new LongAdder();
  public final LongAdder framesRejected = new LongAdder();
  public final LongAdder handshakesRefused = new LongAdder();
  public final LongAdder connectionsLost = new LongAdder();
  public final LongAdder endedMessagesSent = new LongAdder();
}
