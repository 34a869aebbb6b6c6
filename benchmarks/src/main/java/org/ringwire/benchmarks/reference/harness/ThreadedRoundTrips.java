package org.ringwire.benchmarks.reference.harness;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.ringwire.tools.bench.measure.RoundTripHistogram;

/** Threads that each issue one blocking request after the other. */
public final class ThreadedRoundTrips implements RoundTrips {
  private final RequestClient client;
  private final byte[] payload;
  private final long[] sequences;

  /** With as many threads as the settings say. */
  public ThreadedRoundTrips(RequestClient client, Settings settings) {
    this.client = client;
    payload = Sample.pattern(settings.payloadLength());
    sequences = new long[settings.threads()];
  }

  @Override
  public Histogram run(double seconds, long pauseNs) throws Exception {
    Histogram all = new RoundTripHistogram();
    Threads threads = new Threads();
    threads.run(
        sequences.length,
        seconds,
        index -> {
          Histogram own = new RoundTripHistogram();
          sequences[index] = requestUntilStopped(threads, index, own, pauseNs);
          synchronized (all) {
            all.add(own);
          }
        });
    return all;
  }

  private long requestUntilStopped(Threads threads, int index, Histogram nanos, long pauseNs)
      throws Exception {
    long sequence = sequences[index];
    long start = System.nanoTime();
    do { // something, however late the thread gets a core
      if (pauseNs > 0) {
        TimeUnit.NANOSECONDS.sleep(pauseNs);
        start = System.nanoTime();
      }
      Sample reply = client.request(new Sample(sequence, index, payload));
      requireEcho(reply, sequence, index);
      sequence++;
      long end = System.nanoTime();
      nanos.recordValue(end - start);
      start = end;
    } while (!threads.isStopped());
    return sequence;
  }

  /** Throws unless this is the answer that was waited for. */
  public static void requireEcho(Sample reply, long sequence, int sender) {
    if (reply.sequence() != sequence || reply.sender() != sender) {
      throw new IllegalStateException(
          "reply does not match: expected sender=%d, sequence=%d, came sender=%d, sequence=%d"
              .formatted(sender, sequence, reply.sender(), reply.sequence()));
    }
  }

  @Override
  public ReceiverReport barrier() throws Exception {
    return client.barrier();
  }
}
