package org.ringwire.benchmarks.reference.harness;

import org.jspecify.annotations.Nullable;

/** The handler of the receiving process: checks, and answers where the measurement wants it. */
public final class ReceiverHandler {
  private final SequenceCheck check;
  private final boolean echoes;

  /** For one receiver. */
  public ReceiverHandler(Settings settings) {
    check = new SequenceCheck(settings.threads(), settings.payloadLength());
    echoes = settings.kind() != Settings.Kind.STREAM;
  }

  /** Called by the reading thread for each object; returns the reply, if there is one. */
  public @Nullable Sample handle(Sample sample) {
    if (sample.sender() == Sample.BARRIER) {
      return check.report(ProcessUse.now()).toSample(sample.sequence());
    }
    check.handle(sample);
    return echoes ? sample : null;
  }
}
