package org.ringwire.benchmarks.reference.harness;

/** The requesting side of a round trip; each sender index belongs to one thread. */
public interface RequestClient {
  /** Sends the object at once and returns the one that came back. */
  Sample request(Sample sample) throws Exception;

  /** Asks the receiver for its report, as one more request. */
  default ReceiverReport barrier() throws Exception {
    return ReceiverReport.fromSample(request(new Sample(0, Sample.BARRIER, new byte[0])));
  }
}
