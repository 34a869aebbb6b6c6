package org.ringwire.engine;

import java.util.concurrent.atomic.LongAdder;

/** What a node counts that is rare, or counted once per batch. Any thread. */
final class EngineCounters {
  final LongAdder messagesReceived = new LongAdder();
  final LongAdder messagesHandled = new LongAdder();
  final LongAdder handlerFailures = new LongAdder();
  final LongAdder unhandled = new LongAdder();
  final LongAdder framesRejected = new LongAdder();
  final LongAdder handshakesRefused = new LongAdder();
  final LongAdder connectionsLost = new LongAdder();
  final LongAdder endedMessagesSent = new LongAdder();
}
