package org.ringwire.benchmarks.reference.harness;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.ringwire.tools.bench.measure.RttMicros;
import org.ringwire.tools.console.Text;

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
  public Run prepare(long pauseNs) throws InterruptedException {
    List<Histogram> nanos =
        IntStream.range(0, sequences.length).mapToObj(_ -> RttMicros.newHistogram()).toList();
    Threads threads =
        Threads.start(
            sequences.length,
            (running, index) ->
                sequences[index] = requestUntilStopped(running, index, nanos.get(index), pauseNs));
    return new Run() {
      @Override
      public void run(double seconds) throws Exception {
        threads.run(seconds);
      }

      @Override
      public Histogram nanos() {
        Histogram all = RttMicros.newHistogram();
        nanos.forEach(all::add);
        return all;
      }
    };
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
          Text.format(
              "reply does not match: expected sender=%d, sequence=%d, came sender=%d, sequence=%d",
              sender, sequence, reply.sender(), reply.sequence()));
    }
  }

  @Override
  public ReceiverReport barrier() throws Exception {
    return client.barrier();
  }
}
