package org.ringwire.codec;

/** A message type as one catalog knows it. */
public final class MessageType<T> {

  private final Class<T> type;
  private final String name;
  private final int id;
  private final Codec<T> codec;

  MessageType(Class<T> type, String name, int id, Codec<T> codec) {
    this.type = type;
    this.name = name;
    this.id = id;
    this.codec = codec;
  }

  /** The class. */
  public Class<T> type() {
    return type;
  }

  /** The name that peers know it by. */
  public String name() {
    return name;
  }

  /** The 16-bit id that this side uses when it sends. */
  public int id() {
    return id;
  }

  /** The codec. */
  public Codec<T> codec() {
    return codec;
  }
}
