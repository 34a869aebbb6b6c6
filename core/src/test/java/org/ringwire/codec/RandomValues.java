package org.ringwire.codec;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Random instances of records, by reflection and independent of the code under test. */
final class RandomValues {
  private static final String[] TEXTS = {
    "",
    "a",
    "seven77",
    "eight888",
    "nine99999",
    "käse",
    "\u0000",
    "\u07ff\u0800\uffff",
    "\ud83d\ude00 smile",
    "x".repeat(95),
    "x".repeat(96),
    "y".repeat(300),
    "ü".repeat(64),
    "\uFFFD"
  };

  private final Random random;

  RandomValues(Random random) {
    this.random = random;
  }

  /** An instance that is not null; components may be. */
  <T> T record(Class<T> type) {
    return type.cast(record(type, Map.of(), 0));
  }

  private Object record(Class<?> type, Map<TypeVariable<?>, Type> bound, int depth) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      values[i] = value(components[i].getGenericType(), bound, depth + 1);
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private @Nullable Object value(Type type, Map<TypeVariable<?>, Type> bound, int depth) {
    return switch (type) {
      case TypeVariable<?> v -> value(bound.get(v), bound, depth);
      case GenericArrayType a -> array(a.getGenericComponentType(), bound, depth);
      case ParameterizedType p -> generic(p, bound, depth);
      case Class<?> c when c.isPrimitive() -> scalar(c);
      case Class<?> _ when random.nextInt(8) == 0 || depth > 5 -> null;
      case Class<?> c when c.isArray() -> array(c.componentType(), bound, depth);
      case Class<?> c when c.isRecord() -> record(c, bound, depth);
      case Class<?> c when c.isEnum() ->
          c.getEnumConstants()[random.nextInt(c.getEnumConstants().length)];
      case Class<?> c when c.isSealed() -> {
        Class<?>[] subtypes = c.getPermittedSubclasses();
        yield value(subtypes[random.nextInt(subtypes.length)], bound, depth);
      }
      case Class<?> c -> scalar(c);
      default -> throw new IllegalStateException(type.toString());
    };
  }

  private Object scalar(Class<?> type) {
    long bits = random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(200) - 100;
    if (type == boolean.class || type == Boolean.class) {
      return random.nextBoolean();
    } else if (type == byte.class || type == Byte.class) {
      return (byte) bits;
    } else if (type == short.class || type == Short.class) {
      return (short) bits;
    } else if (type == char.class || type == Character.class) {
      return (char) bits;
    } else if (type == int.class || type == Integer.class) {
      return (int) bits;
    } else if (type == long.class || type == Long.class) {
      return bits;
    } else if (type == float.class || type == Float.class) {
      return (float) random.nextGaussian();
    } else if (type == double.class || type == Double.class) {
      return random.nextGaussian();
    } else if (type == String.class) {
      return TEXTS[random.nextInt(TEXTS.length)];
    } else if (type == UUID.class) {
      return new UUID(bits, ~bits);
    } else if (type == Instant.class) {
      return Instant.ofEpochSecond(bits % 1_000_000_000_000L, random.nextInt(1_000_000_000));
    } else if (type == Duration.class) {
      return Duration.ofSeconds(bits, random.nextInt(1_000_000_000));
    }
    throw new IllegalStateException(type.toString());
  }

  private int size() {
    return random.nextInt(20) == 0 ? random.nextInt(140) : random.nextInt(4);
  }

  private Object array(Type element, Map<TypeVariable<?>, Type> bound, int depth) {
    int size = size();
    Object array = Array.newInstance((Class<?>) element, size);
    for (int i = 0; i < size; i++) {
      Array.set(array, i, value(element, bound, depth + 1));
    }
    return array;
  }

  private @Nullable Object generic(
      ParameterizedType type, Map<TypeVariable<?>, Type> bound, int depth) {
    Class<?> raw = (Class<?>) type.getRawType();
    Type[] arguments = type.getActualTypeArguments();
    if (random.nextInt(8) == 0 || depth > 5) {
      return null;
    }
    if (raw == List.class || raw == Set.class) {
      List<@Nullable Object> list = new ArrayList<>();
      for (int size = size(); size > 0; size--) {
        list.add(value(arguments[0], bound, depth + 1));
      }
      return raw == List.class ? list : new LinkedHashSet<>(list);
    }
    if (raw == Optional.class) {
      return Optional.ofNullable(value(arguments[0], bound, depth + 1));
    }
    if (raw == Map.class) {
      Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
      for (int size = size(); size > 0; size--) {
        map.put(value(arguments[0], bound, depth + 1), value(arguments[1], bound, depth + 1));
      }
      return map;
    }
    Class<?> chosen = raw;
    if (raw.isSealed()) {
      chosen = raw.getPermittedSubclasses()[random.nextInt(raw.getPermittedSubclasses().length)];
    }
    Map<TypeVariable<?>, Type> inside = new HashMap<>();
    for (int i = 0; i < arguments.length; i++) {
      inside.put(chosen.getTypeParameters()[i], arguments[i]);
    }
    return record(chosen, inside, depth);
  }

  /** The classes that the tests make instances of. */
  static List<Class<? extends Record>> types() {
    return Arrays.asList(
        GeneratedCodecTest.Primitives.class,
        GeneratedCodecTest.Boxed.class,
        GeneratedCodecTest.Arrays1.class,
        GeneratedCodecTest.Values.class,
        GeneratedCodecTest.Line.class,
        GeneratedCodecTest.Named.class,
        GeneratedCodecTest.References.class,
        GeneratedCodecTest.Collections1.class,
        GeneratedCodecTest.Optionals.class,
        GeneratedCodecTest.Tree.class,
        GeneratedCodecTest.Forest.class,
        GeneratedCodecTest.Ping.class,
        GeneratedCodecTest.Group.class,
        GeneratedCodecTest.Drawing.class,
        GeneratedCodecTest.Empties.class,
        GeneratedCodecTest.Compacts.class,
        GeneratedCodecTest.Pairs.class,
        GeneratedCodecTest.Results.class,
        GeneratedCodecTest.Strict.class,
        GeneratedCodecTest.Wide.class,
        GeneratedCodecTest.Merged.class);
  }
}
