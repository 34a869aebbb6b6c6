package org.ringwire.benchmarks.codec;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The Protobuf encoding over the streams of its own library, written by hand the way its compiler
 * writes it - sizes first, tags, nested messages with their length - but without builders and
 * unknown fields, so rather faster than its generated classes.
 */
final class ProtobufTrip implements Trip {
  private static final int ROOM = 64 * 1024;

  private final Object message;
  private final byte[] bytes = new byte[ROOM];
  private final ProtobufMessages messages = new ProtobufMessages();

  ProtobufTrip(Object message) {
    this.message = message;
  }

  @Override
  public Object once() {
    try {
      int length = bytes();
      CodedOutputStream output = CodedOutputStream.newInstance(bytes, 0, length);
      if (message instanceof Small small) {
        messages.write(output, small);
      } else {
        messages.write(output, (Points) message);
      }
      output.checkNoSpaceLeft();
      CodedInputStream input = CodedInputStream.newInstance(bytes, 0, length);
      return message instanceof Small ? messages.readSmall(input) : messages.readPoints(input);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Object run(int count) {
    Object last = message;
    for (int i = 0; i < count; i++) {
      last = once();
    }
    return last;
  }

  @Override
  public int bytes() {
    return message instanceof Small small ? messages.size(small) : messages.size((Points) message);
  }
}
