package org.ringwire.codec;

/**
 * A message type as one catalog knows it. Immutable, and the same object for every use of the type
 * in that catalog.
 *
 * @param <T> the class of the messages
 */
public final class MessageType<T> {
  private final Class<T> type;
  private final String name;
  private final int id;
  private final Codec<T> codec;
  private final Schema schema;

  MessageType(Class<T> type, String name, int id, Codec<T> codec, Schema schema) {
    this.type = type;
    this.name = name;
    this.id = id;
    this.codec = codec;
    this.schema = schema;
  }

  /**
   * The class that was registered, or for which a codec was generated.
   *
   * @return the class, or a supertype of the class of a message
   */
  public Class<T> type() {
    return type;
  }

  /**
   * The name that peers know it by: that of {@link Message#name}, or else that of the class.
   *
   * @return a name without white space
   */
  public String name() {
    return name;
  }

  /**
   * The id that this node puts into frames.
   *
   * @return 0 to 32767 if it was given, 32768 to 65535 if this catalog assigned it
   */
  public int id() {
    return id;
  }

  /**
   * Whether the id was given by {@link Message#id} or at registration, not assigned.
   *
   * @return true for ids that mean the same at every node
   */
  public boolean hasGivenId() {
    return id <= MessageCatalog.MAX_GIVEN_ID;
  }

  /**
   * What turns the messages into bytes and back.
   *
   * @return the codec, shared by all threads
   */
  public Codec<T> codec() {
    return codec;
  }

  /**
   * What the bytes mean.
   *
   * @return the schema that is compared with the peer's
   */
  public Schema schema() {
    return schema;
  }

  /**
   * Short for {@code schema().fingerprint()}.
   *
   * @return any value
   */
  public long fingerprint() {
    return schema.fingerprint();
  }

  @Override
  public String toString() {
    return name + "(id=" + id + ")";
  }
}
