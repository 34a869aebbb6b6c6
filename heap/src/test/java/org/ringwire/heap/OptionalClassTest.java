package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ringwire.EncodingException;
import org.ringwire.codec.DecodingException;
import org.ringwire.testing.NodeWatcher;

/** Classes with fields of classes that are not there, as optional dependencies are not. */
@ExtendWith(NodeWatcher.class)
class OptionalClassTest {

  static class Missing {}

  static class Optional {
    @Nullable Missing missing;
  }

  static class Holder {
    @Nullable Optional optional;
    int number;
  }

  /** Can be made and asked for its hash code, but the JVM cannot list its methods. */
  public record Key(Object one, Object other) {
    /** What takes the class that is not there. */
    public void take(Missing missing) {}
  }

  /** Can be received, and none of its methods can be called where the class is not there. */
  static final class Asking implements Comparable<Asking>, Validated {
    final boolean isKey;

    Asking(boolean isKey) {
      this.isKey = isKey;
    }

    @Override
    public int hashCode() {
      return new Missing().hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int compareTo(Asking other) {
      return this == other ? new Missing().hashCode() : 1;
    }

    @Override
    public void validate() {
      if (!isKey) {
        Object _ = new Missing();
      }
    }
  }

  static List<Object> hooks() {
    Asking key = new Asking(true);
    List<Object> shared = new ArrayList<>(List.of(key));
    return List.of(
        new Asking(false),
        new HashSet<>(Set.of(key)),
        new TreeMap<>(Map.of(key, 1)),
        List.of(shared, shared, new HashMap<>(Map.of(shared, shared))));
  }

  /** Has all of these classes but one. */
  private static final class Without extends ClassLoader {
    Without() {
      super(OptionalClassTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(OptionalClassTest.class.getName() + "$")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : define(name);
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      if (name.equals(Missing.class.getName())) {
        throw new ClassNotFoundException(name);
      }
      String file = name.replace('.', '/') + ".class";
      try (InputStream in = Objects.requireNonNull(getResourceAsStream(file))) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  private final ClassLoader loader = new Without();
  private final HeapCodec codec =
      HeapCodec.builder().acceptPackage("org.ringwire.heap").classLoader(loader).build();

  private Object made(Class<?> type) throws ReflectiveOperationException {
    Constructor<?> constructor = loader.loadClass(type.getName()).getDeclaredConstructor();
    constructor.setAccessible(true);
    return constructor.newInstance();
  }

  @Test
  void shouldSendObjectsThatHoldNothingOfAClassThatLacksAnother() throws Exception {
    Object holder = made(Holder.class);

    assertThat(codec.decode(codec.encode(holder))).hasSameClassAs(holder);
  }

  @Test
  void shouldTakeRecordsAsKeysThatHaveAMethodOfAClassThatIsNotThere() throws Exception {
    Class<?> type = loader.loadClass(Key.class.getName());
    Object shared = new int[0];
    Object key = type.getConstructor(Object.class, Object.class).newInstance(shared, shared);

    assertThat((Map<?, ?>) codec.decode(codec.encode(new HashMap<>(Map.of(key, 1))))).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("hooks")
  void shouldRefuseObjectsWhoseMethodsLackAClassWhereTheyAreReceived(Object graph) {
    byte[] image = HeapCodec.builder().build().encode(graph);

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> codec.decode(image))
          .isInstanceOf(DecodingException.class)
          .hasMessageContainingAll("NoClassDefFoundError", "Missing");
    }
    assertThat(codec.decode(codec.encode("goes on"))).isEqualTo("goes on");
  }

  @Test
  void shouldRefuseObjectsOfAClassThatLacksAnother() throws Exception {
    Object optional = made(Optional.class);

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> codec.encode(optional))
          .isInstanceOf(EncodingException.class)
          .hasMessageContainingAll(Optional.class.getName(), "NoClassDefFoundError", "Missing");
    }
  }
}
