package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.MessagingException;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.Sources;

/**
 * Random types in two random versions: what the second reads of the messages of the first is what
 * reflection makes of their components by the rules of {@code docs/encoding.md}, without bytes in
 * between. The seed of a run is in the message of a failure; {@code -Dringwire.seed=N} repeats it.
 */
@ExtendWith(NodeWatcher.class)
class EvolutionPropertyTest {
  private static final boolean NIGHTLY = Boolean.getBoolean("ringwire.nightly");
  private static final int PAIRS = NIGHTLY ? 400 : 5;

  /** A few pairs may by chance show nothing that is refused; so many do not. */
  private static final int MOST_PAIRS = 50 * PAIRS;

  private static final int DAMAGED_SCHEMAS = NIGHTLY ? 20_000 : 400;
  private static final int MESSAGES = NIGHTLY ? 300 : 100;
  private static final long SEED = Long.getLong("ringwire.seed", new Random().nextLong());

  private final Random random = new Random(SEED);
  private final RandomValues values = new RandomValues(random);
  private int read;
  private int refused;

  @Test
  void shouldReadWhatTheRulesSay() {
    for (int i = 0; i < PAIRS || (i < MOST_PAIRS && (read == 0 || refused == 0)); i++) {
      RandomVersions versions = new RandomVersions(random);
      String first = versions.source();
      versions.evolve();
      String second = versions.source();
      ClassLoader writer = compile(first);
      ClassLoader reader = compile(second);
      for (int number = 0; number < 4; number++) {
        String name = "v.Types$R" + number;
        String what = "seed=" + SEED + "\n" + first + "\n" + second + "\n" + name;
        check(load(writer, name), load(reader, name), what);
      }
    }
    assertThat(read).as("messages read, seed=%d", SEED).isPositive();
    assertThat(refused).as("messages refused, seed=%d", SEED).isPositive();
  }

  @Test
  void shouldReadOrRefuseWhateverASchemaSays() {
    RandomVersions versions = new RandomVersions(random);
    ClassLoader loader = compile(versions.source());
    int made = 0;
    for (int i = 0; i < DAMAGED_SCHEMAS; i++) {
      Class<Record> type = load(loader, "v.Types$R" + i % 4);
      MessageType<Record> here = new MessageCatalog().typeOf(type);
      String text = damaged(here.schema().toString());
      try {
        Codec<Record> codec = here.codecFor(Schema.of(text));
        made++;
        checkDamaged(codec, randomBytes(), "seed=" + SEED + " " + text);
      } catch (IllegalArgumentException | DecodingException e) {
        assertThat(e.getMessage()).as("seed=%d %s", SEED, text).isNotBlank();
      }
    }
    assertThat(made).as("seed=%d", SEED).isBetween(1, DAMAGED_SCHEMAS - 1);
  }

  private byte[] randomBytes() {
    byte[] bytes = new byte[random.nextInt(200)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextBoolean() ? random.nextInt(4) : random.nextInt());
    }
    return bytes;
  }

  /** Moves, repeats, drops and mixes lines and types. */
  private String damaged(String schema) {
    List<String> lines = new ArrayList<>(schema.lines().toList());
    for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
      int at = 1 + random.nextInt(lines.size() - 1);
      String line = lines.get(at);
      String other = lines.get(1 + random.nextInt(lines.size() - 1));
      int space = line.lastIndexOf(' ');
      switch (random.nextInt(6)) {
        case 0 -> lines.add(at, other);
        case 1 -> lines.set(at, other);
        case 2 -> lines.add(1 + random.nextInt(lines.size() - 1), line);
        case 3 -> lines.set(at, line.substring(0, space + 1) + any("int", "R9", "Map<int>", "[]"));
        case 4 -> lines.set(at, line.substring(0, space + 1) + typeIn(other));
        default -> lines.set(at, line + any("[]", ">", " x", "<v.Types$R0>"));
      }
    }
    return String.join("\n", lines) + "\n";
  }

  private String any(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** The last word of a line, wrapped or not. */
  private String typeIn(String line) {
    String type = line.substring(line.lastIndexOf(' ') + 1);
    return any(type, type, "List<" + type + ">", "Optional<" + type + ">", type + "[]");
  }

  private static ClassLoader compile(String types) {
    String head = "package v; import java.time.*; import java.util.*; import org.ringwire.codec.*;";
    return Sources.compile("v.Types", head + " public interface Types {\n" + types + "}");
  }

  @SuppressWarnings("unchecked")
  private static Class<Record> load(ClassLoader loader, String name) {
    try {
      return (Class<Record>) Class.forName(name, true, loader);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private void check(Class<Record> writer, Class<Record> reader, String what) {
    MessageType<Record> written = new MessageCatalog().typeOf(writer);
    Codec<Record> codec = new MessageCatalog().typeOf(reader).codecFor(written.schema());
    for (int i = 0; i < MESSAGES; i++) {
      Record message = values.record(writer);
      byte[] bytes = Codecs.encode(written.codec(), message);
      Record expected;
      try {
        expected = (Record) convert(message, reader);
      } catch (Unknown e) {
        refused++;
        assertThatThrownBy(() -> Codecs.decode(codec, bytes))
            .as("%s %s", what, message)
            .isInstanceOf(MessagingException.class)
            .isNotInstanceOf(DecodingException.class)
            .hasMessageContaining("not known here");
        continue;
      }
      read++;
      assertThat(Texts.of(Codecs.decode(codec, bytes)))
          .as("%s %s", what, message)
          .isEqualTo(Texts.of(expected));
      checkDamaged(codec, bytes, what);
    }
  }

  /** Whatever the bytes are, they are read or refused, and never read beyond. */
  private void checkDamaged(Codec<Record> codec, byte[] bytes, String what) {
    byte[] damaged = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
    for (int i = random.nextInt(3); i > 0 && damaged.length > 0; i--) {
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
    }
    Reader reader = new Reader();
    reader.wrap(MemorySegment.ofArray(damaged), 0, damaged.length);
    try {
      codec.decode(reader);
    } catch (MessagingException e) {
      assertThat(e.getMessage()).isNotBlank();
    } catch (RuntimeException e) {
      throw new AssertionError(what + " " + Arrays.toString(damaged), e);
    }
  }

  /** A constant or subtype that the other version does not have. */
  private static final class Unknown extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static @Nullable Object convert(@Nullable Object value, Type to) {
    return switch (to) {
      case Class<?> c when value == null -> zero(c);
      case Object _ when value == null -> null;
      case Class<?> c when c.isRecord() -> record((Record) value, c);
      case Class<?> c when c.isEnum() -> constant(((Enum<?>) value).name(), c);
      case Class<?> c when c.isArray() -> {
        Object array = Array.newInstance(c.componentType(), Array.getLength(value));
        for (int i = 0; i < Array.getLength(value); i++) {
          Array.set(array, i, convert(Array.get(value, i), c.componentType()));
        }
        yield array;
      }
      case Class<?> c when c.isInterface() -> subtype(value, c);
      case Class<?> c -> scalar(value, c);
      case ParameterizedType p -> container(value, p.getActualTypeArguments());
      default -> throw new IllegalStateException(to.toString());
    };
  }

  private static Object record(Record value, Class<?> to) {
    Map<String, RecordComponent> known = new LinkedHashMap<>();
    for (RecordComponent component : value.getClass().getRecordComponents()) {
      known.put(component.getName(), component);
    }
    List<Class<?>> types = new ArrayList<>();
    List<@Nullable Object> arguments = new ArrayList<>();
    for (RecordComponent component : to.getRecordComponents()) {
      RecordComponent from = known.get(component.getName());
      types.add(component.getType());
      if (from != null) {
        arguments.add(convert(Texts.read(value, from), component.getGenericType()));
      } else if (component.getType() == Optional.class) {
        arguments.add(Optional.empty());
      } else {
        arguments.add(zero(component.getType()));
      }
    }
    try {
      Constructor<?> constructor = to.getDeclaredConstructor(types.toArray(new Class<?>[0]));
      constructor.setAccessible(true);
      return constructor.newInstance(arguments.toArray());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(to.getName(), e);
    }
  }

  private static @Nullable Object zero(Class<?> type) {
    return type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null;
  }

  private static Object constant(String name, Class<?> to) {
    for (Object constant : to.getEnumConstants()) {
      if (((Enum<?>) constant).name().equals(name)) {
        return constant;
      }
    }
    throw new Unknown();
  }

  private static @Nullable Object subtype(Object value, Class<?> to) {
    for (Class<?> subtype : to.getPermittedSubclasses()) {
      if (subtype.getName().equals(value.getClass().getName())) {
        return convert(value, subtype);
      }
    }
    throw new Unknown();
  }

  private static Object scalar(Object value, Class<?> to) {
    Object number = value instanceof Character c && to != char.class ? (Object) (int) c : value;
    if (!(number instanceof Number n) || to == Character.class) {
      return value;
    }
    return switch (to.getSimpleName()) {
      case "short", "Short" -> n.shortValue();
      case "int", "Integer" -> n.intValue();
      case "long", "Long" -> n.longValue();
      case "float", "Float" -> n.floatValue();
      case "double", "Double" -> n.doubleValue();
      default -> value;
    };
  }

  private static Object container(Object value, Type[] to) {
    return switch (value) {
      case List<?> list -> {
        List<@Nullable Object> copy = new ArrayList<>();
        list.forEach(element -> copy.add(convert(element, to[0])));
        yield copy;
      }
      case Set<?> set -> {
        Set<@Nullable Object> copy = new LinkedHashSet<>();
        set.forEach(element -> copy.add(convert(element, to[0])));
        yield copy;
      }
      case Map<?, ?> map -> {
        Map<@Nullable Object, @Nullable Object> copy = new LinkedHashMap<>();
        map.forEach((key, content) -> copy.put(convert(key, to[0]), convert(content, to[1])));
        yield copy;
      }
      case Optional<?> optional -> optional.map(content -> convert(content, to[0]));
      default -> throw new IllegalStateException(value.toString());
    };
  }
}
