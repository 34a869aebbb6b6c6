package org.ringwire.tools.bench.pair;

import org.ringwire.codec.Reader;
import org.ringwire.codec.ReusingCodec;
import org.ringwire.codec.Writer;

/** A long, an int, and the content up to the end of the message. */
final class PayloadCodec implements ReusingCodec<Payload> {

  private static final int FIXED = Long.BYTES + Integer.BYTES;

  @Override
  public int length(Payload message) {
    return FIXED + message.content.length;
  }

  @Override
  public void encode(Payload message, Writer writer) {
    writer.putLong(message.sequence);
    writer.putInt(message.sender);
    writer.putBytes(message.content, 0, message.content.length);
  }

  @Override
  public Payload create() {
    return new Payload();
  }

  @Override
  public void decodeInto(Reader reader, Payload target) {
    target.sequence = reader.getLong();
    target.sender = reader.getInt();
    int length = (int) reader.remaining();
    if (target.content.length != length) {
      target.content = new byte[length];
    }
    reader.getBytes(target.content, 0, length);
  }
}
