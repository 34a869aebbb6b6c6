package org.ringwire.benchmarks.reference;

import org.jspecify.annotations.Nullable;

/** The handler of the receiving process: checks, and answers where the measurement wants it. */
final class ReceiverHandler {
  private final SequenceCheck check;
  private final boolean echoes;

  ReceiverHandler(Settings settings) {
    check = new SequenceCheck(settings.threads(), settings.payloadLength());
    echoes = settings.kind() != Settings.Kind.STREAM;
  }

  /** Called by the reading thread for each object; returns the reply, if there is one. */
  @Nullable Sample handle(Sample sample) {
    if (sample.sender() == Sample.BARRIER) {
      return check.report(ReceiverReport.allocatedByThisProcess()).toSample(sample.sequence());
    }
    check.handle(sample);
    return echoes ? sample : null;
  }
}
