package org.ringwire.benchmarks.reference.aeron;

import io.aeron.Publication;
import io.aeron.logbuffer.BufferClaim;
import java.io.IOException;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.ringwire.benchmarks.reference.harness.Sample;

/** Writes objects into a publication. Used by one thread. */
final class AeronWriter {
  private static final int SEQUENCE_OFFSET = 0; // first, because it is eight bytes and aligned so
  private static final int SENDER_OFFSET = Long.BYTES;
  private static final int PAYLOAD_OFFSET = SENDER_OFFSET + Integer.BYTES;

  private final Publication publication;
  private final IdleStrategy idle;
  private final BufferClaim claim = new BufferClaim();
  private final ExpandableArrayBuffer longMessage = new ExpandableArrayBuffer();
  private boolean wasConnected;

  AeronWriter(Publication publication, IdleStrategy idle) {
    this.publication = publication;
    this.idle = idle;
  }

  /** Encodes straight into the log buffer, unless the message has to be cut into fragments. */
  void write(Sample sample) throws IOException {
    int length = PAYLOAD_OFFSET + sample.payload().length;
    if (length > publication.maxPayloadLength()) {
      writeLong(sample, length);
      return;
    }
    idle.reset();
    while (publication.tryClaim(length, claim) < 0) {
      awaitRoom();
    }
    encode(sample, claim.buffer(), claim.offset());
    claim.commit();
  }

  private void writeLong(Sample sample, int length) throws IOException {
    encode(sample, longMessage, 0);
    idle.reset();
    while (publication.offer(longMessage, 0, length) < 0) {
      awaitRoom();
    }
  }

  private void awaitRoom() throws IOException {
    boolean connected = publication.isConnected();
    if (publication.isClosed() || (wasConnected && !connected)) {
      throw new IOException("the other process is gone");
    }
    wasConnected = connected;
    idle.idle();
  }

  private static void encode(Sample sample, MutableDirectBuffer buffer, int offset) {
    buffer.putLong(offset + SEQUENCE_OFFSET, sample.sequence());
    buffer.putInt(offset + SENDER_OFFSET, sample.sender());
    buffer.putBytes(offset + PAYLOAD_OFFSET, sample.payload());
  }

  /**
   * Decodes a message.
   *
   * @param payload used for the content if it has the right length
   */
  static Sample decode(org.agrona.DirectBuffer buffer, int offset, int length, byte[] payload) {
    int payloadLength = length - PAYLOAD_OFFSET;
    byte[] content = payloadLength == payload.length ? payload : new byte[payloadLength];
    buffer.getBytes(offset + PAYLOAD_OFFSET, content);
    return new Sample(
        buffer.getLong(offset + SEQUENCE_OFFSET), buffer.getInt(offset + SENDER_OFFSET), content);
  }
}
