package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.EncodingException;
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
