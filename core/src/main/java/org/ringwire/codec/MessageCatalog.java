package org.ringwire.codec;

import java.lang.invoke.MethodHandles;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The message types of a node. */
public final class MessageCatalog {

  private final Map<Class<?>, MessageType<?>> types = new ConcurrentHashMap<>();

  /** An empty catalog. */
  public MessageCatalog() {}

  /** An empty catalog with access to the packages of a lookup. */
  public MessageCatalog(MethodHandles.Lookup lookup) {
    lookup.lookupClass();
  }

  /** Registers a codec written by hand. */
  public <T> MessageType<T> register(Class<T> type, Codec<T> codec) {
    MessageType<T> entry = new MessageType<>(type, type.getName(), 32_768 + types.size(), codec);
    types.put(type, entry);
    return entry;
  }

  /** The entry of a class. */
  @SuppressWarnings("unchecked")
  public <T> MessageType<T> typeOf(Class<T> type) {
    MessageType<?> entry = types.get(type);
    if (entry == null) {
      throw new IllegalArgumentException("no codec: type=" + type.getName());
    }
    return (MessageType<T>) entry;
  }

  /** The entry that peers know by a name, or null. */
  public @Nullable MessageType<?> byName(String name) {
    return types.values().stream().filter(t -> t.name().equals(name)).findFirst().orElse(null);
  }

  /** All entries. */
  public Collection<MessageType<?>> types() {
    return types.values();
  }
}
