package org.ringwire.benchmarks.verbs;

import org.ringwire.codec.Reader;
import org.ringwire.codec.ReusingCodec;
import org.ringwire.codec.Writer;

/** A message of so many bytes and nothing else, as perftest's are. */
final class Sized {

  byte[] content;

  Sized(int length) {
    content = new byte[length];
  }

  /** Reads into the same array as long as the length stays. */
  static final class Codec implements ReusingCodec<Sized> {

    @Override
    public int length(Sized message) {
      return message.content.length;
    }

    @Override
    public void encode(Sized message, Writer writer) {
      writer.putBytes(message.content, 0, message.content.length);
    }

    @Override
    public Sized create() {
      return new Sized(0);
    }

    @Override
    public void decodeInto(Reader reader, Sized target) {
      int length = (int) reader.remaining();
      if (target.content.length != length) {
        target.content = new byte[length];
      }
      reader.getBytes(target.content, 0, length);
    }
  }
}
