package org.ringwire.benchmarks.heap;

import static java.lang.classfile.ClassFile.ACC_FINAL;
import static java.lang.classfile.ClassFile.ACC_PUBLIC;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Classes that did not exist when this was built: with as many fields of the same lengths as those
 * of {@link Graph}, but of other types and names, in another order. Nothing can be made for them.
 */
final class GeneratedClass {
  private static final String POINTS = "generated-points-";
  private static final String PAIRS = "generated-pairs-";
  private static final int WORD_LENGTH = 5;
  private static final List<Class<?>> NUMBERS = List.of(int.class, float.class);
  private static final List<Class<?>> WORDS = List.of(char[].class, short[].class);
  private static final Map<String, Class<?>> CLASSES = new ConcurrentHashMap<>();

  private GeneratedClass() {}

  /** The name of the shape that has the class with a number. */
  static String shape(boolean isPair, int number) {
    return (isPair ? PAIRS : POINTS) + number;
  }

  static boolean isGenerated(String shape) {
    return shape.startsWith(POINTS) || shape.startsWith(PAIRS);
  }

  /** What a serializer has to know of a shape beside what all know. */
  static List<Class<?>> typesOf(String shape) {
    if (!isGenerated(shape)) {
      return List.of();
    }
    Class<?> type = typeOf(shape);
    return List.of(type, type.arrayType(), short[].class);
  }

  /** The types of the fields, in their order. */
  static String fieldsOf(String shape) {
    return Arrays.stream(typeOf(shape).getDeclaredFields())
        .map(field -> field.getType().getSimpleName())
        .collect(Collectors.joining(", "));
  }

  private static Class<?> typeOf(String shape) {
    return CLASSES.computeIfAbsent(shape, GeneratedClass::generate);
  }

  private static Class<?> generate(String shape) {
    Random random = new Random(shape.hashCode());
    List<Class<?>> fields = new ArrayList<>();
    fields.add(NUMBERS.get(random.nextInt(NUMBERS.size())));
    List<Class<?>> others = shape.startsWith(PAIRS) ? WORDS : NUMBERS;
    fields.add(random.nextInt(2), others.get(random.nextInt(others.size())));
    String name = GeneratedClass.class.getPackageName() + ".G" + shape.replace('-', '_');
    byte[] bytes =
        ClassFile.of()
            .build(
                ClassDesc.of(name),
                builder -> {
                  builder.withFlags(ACC_PUBLIC | ACC_FINAL);
                  for (Class<?> field : fields) {
                    String fieldName = "f" + random.nextInt(1 << 16) + field.hashCode();
                    builder.withField(
                        fieldName, ClassDesc.ofDescriptor(field.descriptorString()), 0);
                  }
                  builder.withMethodBody(
                      ConstantDescs.INIT_NAME,
                      ConstantDescs.MTD_void,
                      ACC_PUBLIC,
                      code ->
                          code.aload(0)
                              .invokespecial(
                                  ConstantDescs.CD_Object,
                                  ConstantDescs.INIT_NAME,
                                  ConstantDescs.MTD_void)
                              .return_());
                });
    try {
      return MethodHandles.lookup().defineClass(bytes);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("cannot define a class", e);
    }
  }

  /** An array of new objects; of the same shape and length always the same. */
  static Object graph(String shape, int elements) {
    Class<?> type = typeOf(shape);
    Object array = Array.newInstance(type, elements);
    try {
      for (int i = 0; i < elements; i++) {
        Object object = type.getConstructor().newInstance();
        for (Field field : type.getDeclaredFields()) {
          field.set(object, valueOf(field.getType(), i));
        }
        Array.set(array, i, object);
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot make objects", e);
    }
    return array;
  }

  private static Object valueOf(Class<?> type, int number) {
    if (type == int.class) {
      return number;
    }
    if (type == float.class) {
      return number / 3f;
    }
    Object word = Array.newInstance(type.getComponentType(), WORD_LENGTH);
    for (int i = 0; i < WORD_LENGTH; i++) {
      if (word instanceof char[] chars) {
        chars[i] = (char) ('a' + (number + i) % 26);
      } else {
        Array.setShort(word, i, (short) (number + i));
      }
    }
    return word;
  }

  /** Whether two objects have the same content. */
  static boolean isSame(Object original, Object copy) {
    if (original.getClass() != copy.getClass()) {
      return false;
    }
    try {
      for (Field field : original.getClass().getDeclaredFields()) {
        if (!Objects.deepEquals(field.get(original), field.get(copy))) {
          return false;
        }
      }
      return true;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("cannot compare objects", e);
    }
  }
}
