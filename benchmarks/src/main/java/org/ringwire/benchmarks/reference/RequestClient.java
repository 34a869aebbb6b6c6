package org.ringwire.benchmarks.reference;

import java.io.IOException;

/** The requesting side of a round trip; each sender index belongs to one thread. */
interface RequestClient {
  /** Sends the object at once and returns the one that came back. */
  Sample request(Sample sample) throws IOException;

  /** Asks the receiver for its report, as one more request. */
  default ReceiverReport barrier() throws IOException {
    return ReceiverReport.fromSample(request(new Sample(0, Sample.BARRIER, new byte[0])));
  }
}
