package org.ringwire.benchmarks.reference.harness;

import java.io.Serializable;
import java.nio.ByteBuffer;

/**
 * The object that every program sends: encoded, decoded to a new object, checked and handled.
 *
 * <p>On the wire: int length of what follows, int sender, long sequence, payload; big-endian, which
 * is what both {@code ByteBuffer} and Netty's {@code ByteBuf} write when nobody asks otherwise.
 *
 * @param sequence counts from 0 for each sender
 * @param sender index of the sending thread, or {@link #BARRIER}
 * @param payload shared by all messages of a sender, as nobody changes it
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content in SequenceCheck, never by equals
public record Sample(long sequence, int sender, byte[] payload) implements Serializable {
  /** Sender of the frames that ask for the receiver's report, and of the report. */
  public static final int BARRIER = -1;

  /** Sender of the message that ends a receiver that does not see a connection end. */
  public static final int BYE = -2;

  /** Bytes of the length. */
  public static final int LENGTH_BYTES = Integer.BYTES;

  /** Bytes of sender and sequence. */
  public static final int FIXED_BYTES = Integer.BYTES + Long.BYTES;

  /** Bytes of a frame with a payload of this many bytes. */
  public static int frameLength(int payloadLength) {
    return LENGTH_BYTES + FIXED_BYTES + payloadLength;
  }

  /** Bytes of this object's frame. */
  public int frameLength() {
    return frameLength(payload.length);
  }

  /** The content that every sender sends and {@link SequenceCheck} expects. */
  public static byte[] pattern(int payloadLength) {
    byte[] pattern = new byte[payloadLength];
    for (int i = 0; i < payloadLength; i++) {
      pattern[i] = (byte) (i * 31 + 7);
    }
    return pattern;
  }

  /** Appends the frame; the caller has made sure that there is room. */
  public void encode(ByteBuffer buffer) {
    buffer.putInt(FIXED_BYTES + payload.length);
    buffer.putInt(sender);
    buffer.putLong(sequence);
    buffer.put(payload);
  }

  /** As a frame of its own. */
  public byte[] toBytes() {
    byte[] bytes = new byte[frameLength()];
    encode(ByteBuffer.wrap(bytes));
    return bytes;
  }

  /** Takes one whole frame, whose length the caller has already looked at. */
  public static Sample decode(ByteBuffer buffer) {
    byte[] payload = new byte[buffer.getInt() - FIXED_BYTES];
    int sender = buffer.getInt();
    long sequence = buffer.getLong();
    buffer.get(payload);
    return new Sample(sequence, sender, payload);
  }
}
