package org.ringwire.heap.image.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.ProjectFiles;

@ExtendWith(NodeWatcher.class)
class TemplatesTest {

  /** As a tool sees it that leaves out of a jar what no class names. */
  @Test
  void shouldNameAsClassesWhatIsLoadedByItsName() throws IOException {
    assertThat(named()).containsExactlyInAnyOrderElementsOf(templates());
  }

  private static List<String> named() throws IOException {
    try (InputStream file = Templates.class.getResourceAsStream("Templates.class")) {
      List<String> names = new ArrayList<>();
      ClassFile.of()
          .parse(file.readAllBytes())
          .findAttribute(Attributes.runtimeInvisibleAnnotations())
          .orElseThrow()
          .annotations()
          .getFirst()
          .elements()
          .forEach(element -> collect(element.value(), names));
      return names;
    }
  }

  private static void collect(AnnotationValue value, List<String> names) {
    switch (value) {
      case AnnotationValue.OfArray array -> array.values().forEach(one -> collect(one, names));
      case AnnotationValue.OfClass type -> names.add(type.classSymbol().displayName());
      default -> throw new AssertionError(value);
    }
  }

  private static List<String> templates() {
    return ProjectFiles.files(
            ProjectFiles.ROOT.resolve("heap/src/main/java/org/ringwire/heap/image/template"),
            "Template.java")
        .stream()
        .map(file -> file.getFileName().toString().replace(".java", ""))
        .toList();
  }
}
