package org.ringwire.codec.runtime;

import org.ringwire.MessagingException;
import org.ringwire.codec.Reader;

/** A subtype of a sealed interface that a peer has and this side does not: costs the message. */
public final class UnknownSubtype extends EvolvedCodec {
  private final String name;

  public UnknownSubtype(String name) {
    this.name = name;
  }

  @Override
  public Object decode(Reader reader) {
    return read(reader, 0);
  }

  @Override
  public Object read(Reader reader, int depth) {
    throw new MessagingException(
        "subtype of a sealed interface that is not known here: subtype=" + name);
  }
}
