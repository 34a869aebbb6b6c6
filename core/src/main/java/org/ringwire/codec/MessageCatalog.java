package org.ringwire.codec;

import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.generate.RecordCodecs;
import org.ringwire.codec.generate.layout.TypeNames;

/**
 * The message types of a node: those registered with a codec of their own, and records and enums,
 * whose codecs are generated on first use.
 *
 * <p>All methods may be called by any thread. Types are added under a lock and never change or
 * disappear; {@link #typeOf} of a known class takes no lock.
 */
public final class MessageCatalog {
  /** Ids up to here can be given by {@link Message#id}; higher ones are assigned by catalogs. */
  static final int MAX_GIVEN_ID = 32_767;

  private static final int MAX_ID = 65_535;

  /** Of messages of the library itself, which peers know whatever an application registers. */
  private static final List<String> OWN_NAMES = List.of("ringwire.", "org.ringwire.");

  private final RecordCodecs codecs;
  private final Object lock = new Object();
  private final Map<Class<?>, MessageType<?>> byType = new HashMap<>(); // guarded by lock
  private final Map<Integer, MessageType<?>> byId = new ConcurrentHashMap<>();
  private final Map<String, MessageType<?>> byName = new ConcurrentHashMap<>();
  private int nextId = MAX_GIVEN_ID + 1; // guarded by lock

  /** Classes that are sent by the codec of a type above them, for good. Guarded by lock. */
  private final Map<Class<?>, MessageType<?>> sentAs = new WeakHashMap<>();

  /**
   * What classes of messages lead to. References, as an entry leads back to the catalog, which
   * keeps it: a class would otherwise keep each catalog that has ever known it.
   */
  private final ClassValue<WeakReference<MessageType<?>>> cache =
      new ClassValue<>() {
        @Override
        protected WeakReference<MessageType<?>> computeValue(Class<?> type) {
          return new WeakReference<>(find(type));
        }
      };

  /**
   * Creates a catalog for records in packages that are open to this library, as all are on the
   * class path.
   */
  public MessageCatalog() {
    this.codecs = RecordCodecs.shared();
  }

  /**
   * Creates a catalog that may also use what a lookup may use, so that a modular application need
   * not open its packages.
   *
   * @param lookup {@code MethodHandles.lookup()} of a class in the module that has the records
   */
  public MessageCatalog(MethodHandles.Lookup lookup) {
    this.codecs = RecordCodecs.using(Objects.requireNonNull(lookup, "lookup must not be null"));
  }

  /**
   * Adds a type with a codec of its own. It is used for this class and for its subclasses that are
   * not registered themselves, but for messages of this library. The id is that of {@link
   * Message#id}, or assigned.
   *
   * @param type a class or interface
   * @param codec its codec
   * @param <T> the type of the messages
   * @return the new entry
   * @throws IllegalArgumentException if the class, its name or its id is already in use, or if
   *     messages that this codec would be used for already have that of another type, or one that
   *     was generated, from their first use: when they were sent, handled or asked for
   */
  public <T> MessageType<T> register(Class<T> type, Codec<T> codec) {
    return add(type, givenIdOf(given(type)), codec, opaque(type, codec), null);
  }

  /**
   * Adds a type with a codec of its own and a fixed id.
   *
   * <p>The id is that of messages which this node sends: it tells each peer once which name stands
   * for it, and types are told apart by their names. So nodes that use different ids for a type
   * understand each other.
   *
   * @param id 0 to 32767, one for each type of this catalog
   * @param type a class or interface
   * @param codec its codec
   * @param <T> the type of the messages
   * @return the new entry
   * @throws IllegalArgumentException if the id is outside of its range, if the class, its name or
   *     its id is already in use, or if messages that this codec would be used for already have
   *     that of another type, or one that was generated, from their first use: when they were sent,
   *     handled or asked for
   */
  public <T> MessageType<T> register(int id, Class<T> type, Codec<T> codec) {
    requireGivenId(id, given(type));
    return add(type, id, codec, opaque(type, codec), null);
  }

  private static Schema opaque(Class<?> type, Codec<?> codec) {
    Objects.requireNonNull(codec, "codec must not be null");
    return Schema.opaque(TypeNames.nameOf(type), codec.version());
  }

  /**
   * The entry for messages of a class. For a record or an enum that was not registered, a codec is
   * generated on the first call.
   *
   * @param type {@code message.getClass()}
   * @param <T> the type of the messages
   * @return the entry, always the same one
   * @throws IllegalArgumentException if there is no codec for the class and none can be generated;
   *     the message says why, and what to do
   */
  @SuppressWarnings("unchecked")
  public <T> MessageType<T> typeOf(Class<T> type) {
    return (MessageType<T>) Objects.requireNonNull(cache.get(given(type)).get());
  }

  /**
   * The entry that peers know by a name. Nothing is loaded or generated because a peer named it.
   *
   * @param name see {@link MessageType#name}
   * @return the entry, or null if no such type was registered or used here
   */
  public @Nullable MessageType<?> byName(String name) {
    return byName.get(Objects.requireNonNull(name, "name must not be null"));
  }

  /**
   * The entry with an id.
   *
   * @param id see {@link MessageType#id}
   * @return the entry, or null if no such type was registered or used here
   */
  public @Nullable MessageType<?> byId(int id) {
    return byId.get(id);
  }

  /**
   * All entries at this moment.
   *
   * @return an unmodifiable copy
   */
  public Collection<MessageType<?>> types() {
    return List.copyOf(byId.values());
  }

  private MessageType<?> find(Class<?> type) {
    Class<?> messageClass = enumClassOf(type);
    MessageType<?> known = findKnown(messageClass);
    return known != null ? known : generate(messageClass);
  }

  private @Nullable MessageType<?> findKnown(Class<?> messageClass) {
    synchronized (lock) {
      MessageType<?> known = byType.get(messageClass);
      if (known != null) {
        return known;
      }
      MessageType<?> above = isOwn(messageClass) ? null : registeredSupertype(messageClass);
      if (above != null) {
        sentAs.put(messageClass, above);
      }
      return above;
    }
  }

  /** A constant with a body has a class of its own below that of the enum. */
  private static Class<?> enumClassOf(Class<?> type) {
    Class<?> parent = type.getSuperclass();
    return parent != null && parent.isEnum() ? parent : type;
  }

  private static boolean isOwn(Class<?> type) {
    Message message = type.getAnnotation(Message.class);
    return message != null && OWN_NAMES.stream().anyMatch(message.name()::startsWith);
  }

  private @Nullable MessageType<?> registeredSupertype(Class<?> type) {
    for (Class<?> c = type.getSuperclass(); c != null; c = c.getSuperclass()) {
      if (byType.containsKey(c)) {
        return byType.get(c);
      }
    }
    return nearestInterface(type);
  }

  /** The one that has no other one below it, of those that fit. */
  private @Nullable MessageType<?> nearestInterface(Class<?> type) {
    List<Class<?>> fitting =
        byType.keySet().stream()
            .filter(candidate -> candidate.isInterface() && candidate.isAssignableFrom(type))
            .toList();
    List<Class<?>> nearest =
        fitting.stream()
            .filter(candidate -> fitting.stream().noneMatch(other -> isBelow(other, candidate)))
            .sorted(Comparator.comparing(Class::getName))
            .toList();
    if (nearest.size() > 1) {
      throw new IllegalArgumentException(
          "two registered codecs fit: type="
              + type.getName()
              + " codecs of "
              + nearest.get(0).getName()
              + " and "
              + nearest.get(1).getName());
    }
    return nearest.isEmpty() ? null : byType.get(nearest.getFirst());
  }

  private static boolean isBelow(Class<?> type, Class<?> other) {
    return type != other && other.isAssignableFrom(type);
  }

  /**
   * Outside of the lock: enums are initialised here, which runs code of the application, and that
   * may wait for another thread that looks for a type.
   */
  private <T> MessageType<?> generate(Class<T> type) {
    int id = givenIdOf(type);
    RecordCodecs.Generated<T> generated = codecs.generate(type);
    synchronized (lock) {
      MessageType<?> known = findKnown(type); // by another thread, or the application meanwhile
      return known != null
          ? known
          : add(
              type,
              id,
              generated.codec(),
              generated.schema(),
              written -> codecs.evolve(type, written));
    }
  }

  private <T> MessageType<T> add(
      Class<T> type,
      int givenId,
      Codec<T> codec,
      Schema schema,
      @Nullable Function<Schema, Supplier<Codec<T>>> evolution) {
    String name = TypeNames.nameOf(type);
    synchronized (lock) {
      refuseDuplicate("class", type.getName(), type, byType.get(type));
      refuseDuplicate("name", name, type, byName.get(name));
      refuseDuplicate("id", givenId, type, byId.get(givenId));
      sentAs.forEach((sent, as) -> refuseTooLate(type, sent, as.type()));
      if (evolution == null) {
        byType.values().forEach(known -> refuseTooLate(type, known));
      }
      if (givenId < 0 && nextId > MAX_ID) {
        throw new IllegalArgumentException("too many message types: no id left for " + name);
      }
      int id = givenId < 0 ? nextId++ : givenId;
      MessageType<T> entry = new MessageType<>(type, name, id, codec, schema, evolution);
      byType.put(type, entry);
      byName.put(name, entry);
      byId.put(id, entry);
      return entry;
    }
  }

  private static void refuseDuplicate(
      String what, Object value, Class<?> type, @Nullable MessageType<?> other) {
    if (other != null) {
      throw new IllegalArgumentException(
          "message "
              + what
              + " is already in use: "
              + what
              + "="
              + value
              + " type="
              + type.getName()
              + " used by "
              + other.type().getName()
              + (type.getName().equals(other.type().getName()) ? loaders(type, other.type()) : ""));
    }
  }

  /**
   * Where an application was loaded again, for instance, beside a node that has lived through it.
   */
  private static String loaders(Class<?> type, Class<?> other) {
    return type == other
        ? ""
        : " of another class loader: "
            + type.getClassLoader()
            + " and "
            + other.getClassLoader()
            + "; a catalog knows one class of a name, for good: take a new node and catalog";
  }

  /**
   * What a class is sent as never changes, as peers and caches know it: so that must not depend on
   * whether it was sent or registered first.
   */
  private static void refuseTooLate(Class<?> type, Class<?> sent, Class<?> as) {
    if (type == sent || (type.isAssignableFrom(sent) && precedes(type, as))) {
      throw tooLate(type, sent, as);
    }
  }

  /** The same of a class that has got a codec of its own because there was none above it. */
  private static void refuseTooLate(Class<?> type, MessageType<?> known) {
    Class<?> sent = known.type();
    if (known.isGenerated() && type.isAssignableFrom(sent) && !isOwn(sent)) {
      throw tooLate(type, sent, sent);
    }
  }

  private static IllegalArgumentException tooLate(Class<?> type, Class<?> sent, Class<?> as) {
    return new IllegalArgumentException(
        "already used as "
            + as.getName()
            + ": type="
            + type.getName()
            + " used="
            + sent.getName()
            + "; register a type before its first use");
  }

  /** Whether the codec of the first of two supertypes is preferred, or none of the two is. */
  private static boolean precedes(Class<?> type, Class<?> other) {
    return type.isInterface()
        ? other.isInterface() && !type.isAssignableFrom(other)
        : other.isInterface() || other.isAssignableFrom(type);
  }

  private static <T> Class<T> given(Class<T> type) {
    return Objects.requireNonNull(type, "type must not be null");
  }

  private static int givenIdOf(Class<?> type) {
    Message message = type.getAnnotation(Message.class);
    if (message == null || message.id() == -1) {
      return -1;
    }
    requireGivenId(message.id(), type);
    return message.id();
  }

  private static void requireGivenId(int id, Class<?> type) {
    if (id < 0 || id > MAX_GIVEN_ID) {
      throw new IllegalArgumentException(
          "message id must be 0 to " + MAX_GIVEN_ID + ": id=" + id + " type=" + type.getName());
    }
  }
}
