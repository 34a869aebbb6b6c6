package org.ringwire.codec.runtime;

import org.ringwire.codec.Writer;

/**
 * What generated codecs extend that read what another version of a record has written. They never
 * write. Public for the generated classes alone. Stateless.
 */
public abstract class EvolvedCodec extends RecordCodec<Object> {

  /** For subclasses. */
  protected EvolvedCodec() {}

  @Override
  public final int length(Object message) {
    throw readsOnly();
  }

  @Override
  public final void encode(Object message, Writer writer) {
    throw readsOnly();
  }

  @Override
  public final long lengthOf(Object value, int depth) {
    throw readsOnly();
  }

  @Override
  public final void write(Object value, Writer writer, int depth) {
    throw readsOnly();
  }

  private static UnsupportedOperationException readsOnly() {
    return new UnsupportedOperationException("reads what peers with another version have written");
  }
}
