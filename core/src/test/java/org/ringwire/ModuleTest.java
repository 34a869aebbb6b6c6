package org.ringwire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.module.ModuleReader;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
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

  private List<Class<?>> exportedTypes() throws IOException {
    try (ModuleReader reader =
        module
            .getLayer()
            .configuration()
            .findModule(module.getName())
            .orElseThrow()
            .reference()
            .open()) {
      return reader
          .list()
          .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
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
