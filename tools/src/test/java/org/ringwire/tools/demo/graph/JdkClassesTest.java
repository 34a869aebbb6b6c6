package org.ringwire.tools.demo.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ringwire.tools.console.CommandException;

class JdkClassesTest {

  private static final JdkClasses CLASSES = JdkClasses.list();

  @Test
  void shouldNumberAllClassesInTheOrderOfTheirNames() {
    List<String> names = CLASSES.names().toList();
    assertThat(names).hasSizeGreaterThan(20_000).hasSize(CLASSES.count()).doesNotHaveDuplicates();
    assertThat(names.stream().map(name -> name.replace('.', '/'))).isSorted();
    assertThat(names).contains("java.lang.Object", "java.util.Map$Entry", "javax.swing.JFrame");
    assertThat(names).noneMatch(name -> name.endsWith("module-info"));
    assertThat(CLASSES.name(CLASSES.number("java/util/Map$Entry")))
        .isEqualTo("java.util.Map$Entry");
    assertThat(CLASSES.number("org/ringwire/Node")).isEqualTo(ClassReferences.UNKNOWN);
  }

  @Test
  void shouldReadClassFiles() throws IOException {
    try (JdkClasses.Image image = CLASSES.open()) {
      for (String name : List.of("java/lang/Object", "java/sql/Driver", "java/lang/String")) {
        ByteBuffer classFile = ByteBuffer.wrap(image.read(CLASSES.number(name)));
        assertThat(classFile.getInt()).as(name).isEqualTo(0xCAFEBABE);
      }
    }
  }

  @Test
  void shouldTellOtherClassesApart() {
    JdkClasses nothing = JdkClasses.list(ModuleFinder.of(Path.of("no-such-folder")));
    assertThat(nothing.count()).isZero();
    assertThat(CLASSES.fingerprint())
        .isEqualTo(JdkClasses.list().fingerprint())
        .isNotEqualTo(nothing.fingerprint());
  }

  @Test
  void shouldListTheClassesOfSomeModules() {
    JdkClasses some = JdkClasses.ofModules(List.of("java.sql", "java.xml"));
    assertThat(some.names()).contains("java.sql.Driver", "org.w3c.dom.Node");
    assertThat(some.number("java/lang/Object")).isEqualTo(ClassReferences.UNKNOWN);
    assertThat(JdkClasses.ofModules(List.of()).fingerprint()).isEqualTo(CLASSES.fingerprint());
  }

  @Test
  void shouldFindTheRoot() {
    int entry = CLASSES.number("java/util/Map$Entry");
    assertThat(RootClass.find(CLASSES, "java.util.Map$Entry", List.of())).isEqualTo(entry);
    assertThat(RootClass.find(CLASSES, "java/util/Map$Entry", List.of())).isEqualTo(entry);
  }

  @Test
  void shouldNameTheClosestClass() {
    assertThat(RootClass.closest(CLASSES, "java.lang.Objekt")).isEqualTo("java.lang.Object");
    assertThat(RootClass.closest(CLASSES, "Object")).isEqualTo("java.lang.Object");
    assertThat(RootClass.closest(CLASSES, "java.util.hashmap")).isEqualTo("java.util.HashMap");
    assertThat(RootClass.closest(CLASSES, "java.util.Map.Entry")).isEqualTo("java.util.Map$Entry");
    assertThatExceptionOfType(CommandException.class)
        .isThrownBy(() -> RootClass.find(CLASSES, "java.lang.Strin", List.of()))
        .withMessageContaining("java.lang.String");
  }
}
