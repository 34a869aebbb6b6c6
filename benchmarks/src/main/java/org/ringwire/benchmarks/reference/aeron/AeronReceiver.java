package org.ringwire.benchmarks.reference.aeron;

import io.aeron.Subscription;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.harness.ReceiverHandler;
import org.ringwire.benchmarks.reference.harness.Sample;
import org.ringwire.benchmarks.reference.harness.Settings;

/** The receiving side: one thread that polls, decodes, handles and replies. */
final class AeronReceiver {
  /** Sender of the first message, whose content is the endpoint that wants the replies. */
  static final int HELLO = -3;

  private final AeronNode node;
  private final AeronMedium medium;
  private final Settings settings;
  private final ReceiverHandler handler;
  private @Nullable AeronWriter replies;
  private boolean ended;

  AeronReceiver(AeronNode node, AeronMedium medium, Settings settings) {
    this.node = node;
    this.medium = medium;
    this.settings = settings;
    handler = new ReceiverHandler(settings);
  }

  /** Until the sender says that it is over. */
  void run(Subscription data) {
    AeronReader reader = new AeronReader(data, node.newIdle(), settings, false, this::handle);
    while (!ended) {
      reader.poll();
    }
  }

  private void handle(Sample sample) {
    switch (sample.sender()) {
      case HELLO -> replies = open(new String(sample.payload(), StandardCharsets.UTF_8));
      case Sample.BYE -> ended = true;
      default -> {
        Sample reply = handler.handle(sample);
        AeronWriter writer = replies;
        if (reply != null && writer != null) {
          write(writer, reply);
        }
      }
    }
  }

  private AeronWriter open(String endpoint) {
    return new AeronWriter(
        node.aeron()
            .addExclusivePublication(
                medium.publication(settings, endpoint, AeronProgram.REPLIES), AeronProgram.REPLIES),
        node.newIdle());
  }

  private static void write(AeronWriter writer, Sample reply) {
    try {
      writer.write(reply);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
