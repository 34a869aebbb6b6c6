package org.ringwire.tools.bench.pair;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.ringwire.Node;
import org.ringwire.RequestTimeoutException;
import org.ringwire.tools.bench.check.Content;
import org.ringwire.tools.bench.check.MessageCheck;
import org.ringwire.tools.bench.check.Numbered;
import org.ringwire.tools.bench.measure.Allocation;

/**
 * One sending thread's numbered messages. Used by one thread at a time; the threads of successive
 * phases follow each other by {@link Thread#join()}.
 */
final class SenderThread {

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);

  private final Node node;
  private final int index;
  private final boolean records;
  private final Class<? extends Numbered> type;
  private final byte[] content;
  private final byte[] expected;
  private final Payload reused = new Payload();
  private long sequence;
  private long unanswered;
  private long wrongAnswers;
  private long allocatedBytes;

  SenderThread(Node node, BenchSpec spec, int index) {
    this.node = node;
    this.index = index;
    records = spec.codec() == BenchSpec.PayloadKind.RECORD;
    type = records ? RecordPayload.class : Payload.class;
    content = Content.of(index, spec.payloadBytes());
    expected = content.clone();
    reused.sender = index;
    reused.content = content;
  }

  /** Sends one way until told to stop, but something, however late the thread gets a core. */
  void stream(StopSignal stop) {
    long allocatedBefore = Allocation.ofThisThread();
    long next = sequence;
    do {
      node.send(BenchNodes.RECEIVER, message(next));
      next++;
    } while (!stop.isSet());
    sequence = next;
    allocatedBytes += Allocation.ofThisThread() - allocatedBefore;
  }

  /**
   * Sends requests, each when the one before is answered, and notes how long each took; at least
   * one.
   *
   * @param pauseNs of silence before each
   */
  void pingpong(StopSignal stop, Histogram ns, long pauseNs) throws InterruptedException {
    long allocatedBefore = Allocation.ofThisThread();
    long last = System.nanoTime();
    do {
      if (pauseNs > 0) {
        TimeUnit.NANOSECONDS.sleep(pauseNs);
        last = System.nanoTime();
      }
      roundTrip(sequence++);
      long now = System.nanoTime();
      ns.recordValue(now - last);
      last = now;
    } while (!stop.isSet());
    allocatedBytes += Allocation.ofThisThread() - allocatedBefore;
  }

  /** Does one thing wrong. */
  void tamper(BenchSpec spec) {
    switch (spec.corrupt()) {
      case NONE -> {}
      case LOSS -> sequence++;
      case DUPLICATE -> {
        transmit(spec, sequence);
        transmit(spec, sequence++);
      }
      case REORDER -> {
        transmit(spec, sequence + 1);
        transmit(spec, sequence);
        sequence += 2;
      }
    }
  }

  /** Messages numbered so far. */
  long sent() {
    return sequence;
  }

  /** Requests that were not answered, or not by their own content. */
  long withoutAnswer() {
    return unanswered + wrongAnswers;
  }

  /** Heap bytes allocated while sending. */
  long allocatedBytes() {
    return allocatedBytes;
  }

  private void transmit(BenchSpec spec, long number) {
    if (spec.benchmark() == BenchSpec.Kind.STREAM) {
      node.send(BenchNodes.RECEIVER, message(number));
    } else {
      roundTrip(number);
    }
  }

  private void roundTrip(long number) {
    try {
      Numbered answer = node.request(BenchNodes.RECEIVER, message(number), type, REQUEST_TIMEOUT);
      if (answer.sequence() != number
          || answer.sender() != index
          || answer.content().length != expected.length
          || (number % MessageCheck.SAMPLE == 0
              && !Content.matches(answer.content(), expected, number))) {
        wrongAnswers++;
      }
    } catch (RequestTimeoutException _) {
      unanswered++;
    }
  }

  private Numbered message(long number) {
    Content.stamp(content, number);
    if (records) {
      return new RecordPayload(number, index, content);
    }
    reused.sequence = number;
    return reused;
  }
}
