package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.EncodingException;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.Samples.Colour;
import org.ringwire.testing.NodeWatcher;

/** What no receiver would read is refused where it is sent. */
@ExtendWith(NodeWatcher.class)
class WideClassTest {
  private static final int FIELD_BYTES = 50;

  /** A class with fields whose names have that many characters all together. */
  private static Class<?> classOf(String name, int bytes) throws IllegalAccessException {
    byte[] file =
        ClassFile.of()
            .build(
                ClassDesc.of("org.ringwire.heap." + name),
                builder -> {
                  for (int i = 0; i < bytes / FIELD_BYTES; i++) {
                    String number = "%05d".formatted(i);
                    builder.withField(
                        "x".repeat(FIELD_BYTES - number.length()) + number,
                        ConstantDescs.CD_int,
                        ClassFile.ACC_PUBLIC);
                  }
                });
    return MethodHandles.lookup().defineClass(file);
  }

  /** With no object in it. */
  private static Object arrayOf(Class<?> type) {
    return java.lang.reflect.Array.newInstance(type, 2);
  }

  @Test
  void shouldRefuseToSendAClassWithMoreFieldsThanAReceiverReads() throws Exception {
    HeapCodec codec = HeapCodec.builder().acceptPackage("org.ringwire.heap").build();
    Class<?> narrow = classOf("Narrow", 40_000);
    Class<?> wide = classOf("TooWide", 80_000);
    Object small = made(narrow);
    Object large = made(wide);

    assertThat(codec.decode(codec.encode(small))).hasSameClassAs(small);
    assertThatThrownBy(() -> codec.encode(large))
        .isInstanceOf(EncodingException.class)
        .hasMessageContainingAll("TooWide", "fields are too long", "limit of bytes=65536");
    assertThat(codec.decode(codec.encode(arrayOf(wide)))).isEqualTo(arrayOf(wide));
  }

  /** Its class has no constructor. */
  private static Object made(Class<?> type) throws Exception {
    return jdk.internal.misc.Unsafe.getUnsafe().allocateInstance(type);
  }

  @Test
  void shouldRefuseToSendAClassWithALongerNameThanAReceiverReads() throws Exception {
    HeapCodec codec = HeapCodec.builder().acceptPackage("org.ringwire.heap").build();
    Class<?> fits = classOf("f".repeat(1000), 0);
    Class<?> tooLong = classOf("t".repeat(1010), 0);

    assertThat(codec.decode(codec.encode(fits))).isEqualTo(fits);
    for (Object o : List.of(tooLong, made(tooLong), arrayOf(tooLong))) {
      assertThatThrownBy(() -> codec.encode(o))
          .isInstanceOf(EncodingException.class)
          .hasMessageContaining("name is too long");
    }
  }

  @Test
  void shouldCountTheDepthOfSetsOfConstantsOnBothSides() {
    Object[] graph = {EnumSet.of(Colour.RED)};
    HeapCodec.Builder builder = HeapCodec.builder().accept(Colour.class);
    HeapCodec narrow = builder.maxDepth(1).build();
    HeapCodec wide = builder.maxDepth(2).build();
    byte[] image = wide.encode(graph);

    assertThatThrownBy(() -> narrow.encode(graph))
        .isInstanceOf(EncodingException.class)
        .hasMessageContaining("limit of depth=1");
    assertThatThrownBy(() -> narrow.decode(image)).isInstanceOf(DecodingException.class);
    assertThat(wide.decode(image)).isEqualTo(graph);
  }
}
