package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.AccessFlags;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.InnerClassInfo;
import java.lang.classfile.attribute.InnerClassesAttribute;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/**
 * The two sides have the same fields, but a class is final only at the sender: there it has no
 * subclasses, so objects that hold one cannot nest any deeper and are never put off.
 */
@ExtendWith(NodeWatcher.class)
class OtherFinalClassTest {

  static final class Inner {
    int number = 5;
  }

  static final class Outer {
    Inner inner = new Inner();
  }

  static class Link {
    @Nullable Object value;
    @Nullable Link next;
  }

  /** The classes of the receiver. */
  private static final class Receiver extends ClassLoader {
    Receiver() {
      super(OtherFinalClassTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(OtherFinalClassTest.class.getName() + "$")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : define(name);
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      String file = name.replace('.', '/') + ".class";
      try (InputStream in = Objects.requireNonNull(getResourceAsStream(file))) {
        byte[] bytes = in.readAllBytes();
        ClassFile format = ClassFile.of();
        byte[] open =
            name.equals(Inner.class.getName())
                ? format.transformClass(format.parse(bytes), Receiver::addOpen)
                : bytes;
        return defineClass(name, open, 0, open.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }

    /** All but that a class is final. */
    private static void addOpen(ClassBuilder builder, ClassElement element) {
      switch (element) {
        case AccessFlags flags -> builder.withFlags(flags.flagsMask() & ~ClassFile.ACC_FINAL);
        case InnerClassesAttribute inner -> builder.with(open(inner));
        default -> builder.with(element);
      }
    }

    private static InnerClassesAttribute open(InnerClassesAttribute attribute) {
      List<InnerClassInfo> infos =
          attribute.classes().stream()
              .map(info ->
                  InnerClassInfo.of(
                      info.innerClass(),
                      info.outerClass(),
                      info.innerName(),
                      info.flagsMask() & ~ClassFile.ACC_FINAL))
              .toList();
      return InnerClassesAttribute.of(infos);
    }
  }

  @Test
  void shouldReadDeepGraphsThoughAClassIsFinalAtTheSenderOnly() {
    Link first = new Link();
    Link last = first;
    for (int i = 0; i < 200; i++) {
      last.value = new Outer();
      last.next = new Link();
      last = last.next;
    }
    byte[] image = HeapCodec.builder().build().encode(first);
    ClassLoader other = new Receiver();
    HeapCodec receiving =
        HeapCodec.builder().acceptPackage("org.ringwire.heap").classLoader(other).build();

    Object copy = Objects.requireNonNull(receiving.decode(image));

    assertThat(copy.getClass().getClassLoader()).isSameAs(other);
  }
}
