package org.ringwire.codec;

/**
 * A codec for receiving without garbage: the library keeps instances (one per lane of handling) and
 * decodes message after message into them. A handler must not keep the instance beyond its call.
 * Blocking handlers and responses get fresh instances.
 */
public interface ReusingCodec<T> extends Codec<T> {

  /** A new, empty instance. */
  T create();

  /** Reads a message into an instance made by {@link #create}, replacing all that it held. */
  void decodeInto(Reader reader, T target);

  @Override
  default T decode(Reader reader) {
    T target = create();
    decodeInto(reader, target);
    return target;
  }
}
