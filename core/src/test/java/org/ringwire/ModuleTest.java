package org.ringwire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.management.ManagementFactory;
import java.lang.module.ModuleReader;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** What users of the module, and all other tests, rely on. */
@ExtendWith(NodeWatcher.class)
class ModuleTest {
  private final Module module = Node.class.getModule();

  @Test
  void testsRunWithUnsafeAndUndeclaredNativeAccessDenied() {
    assertThat(ManagementFactory.getRuntimeMXBean().getInputArguments())
        .contains("--illegal-native-access=deny", "--sun-misc-unsafe-memory-access=deny");
  }

  @Test
  void theLibraryExportsItsApiOnly() {
    assertThat(module.getName()).isEqualTo("org.ringwire");
    assertThat(module.getDescriptor().exports())
        .filteredOn(export -> !export.isQualified())
        .extracting(export -> export.source())
        .containsExactlyInAnyOrder(
            "org.ringwire",
            "org.ringwire.codec",
            "org.ringwire.discovery",
            "org.ringwire.management",
            "org.ringwire.transport");
    assertThat(module.getDescriptor().exports())
        .filteredOn(export -> export.isQualified())
        .allMatch(export -> export.targets().equals(Set.of("org.ringwire.infiniband")));
  }

  @Test
  void noExportedSignatureNamesATypeThatUsersCannotSee() throws IOException {
    List<Class<?>> exported = exportedTypes();

    assertThat(exported).contains(Node.class);
    assertThat(exported.stream().flatMap(ModuleTest::typesInSignatures)).allMatch(this::isVisible);
  }

  /** By the JDK's factory they would, if the first one was made when there was no heap. */
  @Test
  void textsDoNotFailEverAfter() throws IOException {
    String factory = "java/lang/invoke/StringConcatFactory";
    List<String> failing = new ArrayList<>();
    int count = 0;
    try (ModuleReader reader = reader()) {
      for (String file : classFiles(reader).toList()) {
        ClassModel model = ClassFile.of().parse(bytes(reader, file));
        for (PoolEntry entry : model.constantPool()) {
          if (entry instanceof ClassEntry used && used.asInternalName().equals(factory)) {
            failing.add(file);
          }
        }
        count++;
      }
    }
    assertThat(count).isPositive();
    assertThat(failing).isEmpty();
  }

  private ModuleReader reader() throws IOException {
    return module
        .getLayer()
        .configuration()
        .findModule(module.getName())
        .orElseThrow()
        .reference()
        .open();
  }

  private static Stream<String> classFiles(ModuleReader reader) throws IOException {
    return reader.list().filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"));
  }

  private static byte[] bytes(ModuleReader reader, String file) throws IOException {
    try (InputStream in = reader.open(file).orElseThrow()) {
      return in.readAllBytes();
    }
  }

  private List<Class<?>> exportedTypes() throws IOException {
    try (ModuleReader reader = reader()) {
      return classFiles(reader)
          .map(file -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
          .<Class<?>>map(name -> Class.forName(module, name))
          .filter(type -> isReachable(type) && isVisible(type))
          .toList();
    }
  }

  /** Public in an exported package, or not of this module at all. */
  private boolean isVisible(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.componentType();
    }
    return element.getModule() != module
        || (module.isExported(element.getPackageName()) && isReachable(element));
  }

  private static boolean isReachable(Class<?> type) {
    return isApi(type.accessFlags())
        && (type.getEnclosingClass() == null || isReachable(type.getEnclosingClass()));
  }

  private static Stream<Class<?>> typesInSignatures(Class<?> type) {
    Predicate<Member> api = member -> isApi(member.accessFlags());
    Stream<Executable> executables =
        Stream.concat(
            Stream.of(type.getDeclaredConstructors()), Stream.of(type.getDeclaredMethods()));
    return Stream.of(
            executables.filter(api).flatMap(ModuleTest::typesOf),
            Stream.of(type.getDeclaredFields()).filter(api).map(Field::getType))
        .flatMap(types -> types);
  }

  private static Stream<Class<?>> typesOf(Executable executable) {
    Stream<Class<?>> in =
        Stream.concat(
            Stream.of(executable.getParameterTypes()), Stream.of(executable.getExceptionTypes()));
    return executable instanceof Method method
        ? Stream.concat(in, Stream.of(method.getReturnType()))
        : in;
  }

  private static boolean isApi(Set<AccessFlag> flags) {
    return flags.contains(AccessFlag.PUBLIC) || flags.contains(AccessFlag.PROTECTED);
  }
}
