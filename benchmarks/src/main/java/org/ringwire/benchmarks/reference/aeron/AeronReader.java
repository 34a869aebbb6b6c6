package org.ringwire.benchmarks.reference.aeron;

import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import org.agrona.concurrent.IdleStrategy;
import org.ringwire.benchmarks.reference.harness.Sample;
import org.ringwire.benchmarks.reference.harness.Settings;

/** Reads objects from a subscription. Used by one thread. */
final class AeronReader {
  /** Messages per poll; the position, which the writer waits for, moves once per poll. */
  private static final int FRAGMENTS = 256;

  private final Subscription subscription;
  private final IdleStrategy idle;
  private final FragmentHandler fragments;

  /** What becomes of an object, during the call. */
  interface Handler {
    void handle(Sample sample);
  }

  /**
   * @param keeps whether objects outlive the call of the handler; otherwise their contents share
   *     one array, which is how Aeron is meant to be used: without garbage
   */
  AeronReader(
      Subscription subscription,
      IdleStrategy idle,
      Settings settings,
      boolean keeps,
      Handler handler) {
    this.subscription = subscription;
    this.idle = idle;
    byte[] shared = new byte[settings.payloadLength()];
    FragmentHandler whole =
        (buffer, offset, length, _) ->
            handler.handle(
                AeronWriter.decode(
                    buffer, offset, length, keeps ? new byte[settings.payloadLength()] : shared));
    fragments = new FragmentAssembler(whole); // hands on what came in one piece
  }

  /** Handles what is there, or waits a moment. */
  void poll() {
    idle.idle(subscription.poll(fragments, FRAGMENTS));
  }
}
