package org.ringwire.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.ProjectFiles;
import org.ringwire.testing.Sources;

/**
 * The Java in the documents compiles, with what {@link #GIVEN} declares for all of them. Modules
 * that this one is built before are compiled along with it, from their sources.
 */
@ExtendWith(NodeWatcher.class)
class CodeSamplesTest {

  /** Needs libraries; its own module compiles what documents show of it. */
  private static final String ELSEWHERE = "ZooKeeperDirectory";

  private static final String IMPORTS =
      """
      import java.lang.System.Logger.Level;
      import java.lang.foreign.*;
      import java.math.*;
      import java.nio.file.*;
      import java.time.*;
      import java.util.*;
      import java.util.concurrent.*;
      import org.ringwire.*;
      import org.ringwire.codec.*;
      import org.ringwire.discovery.*;
      import org.ringwire.heap.*;
      import org.ringwire.infiniband.*;
      """;

  /** What a sample may use that it does not declare. */
  private static final String GIVEN =
      """
      abstract class Given {
        Node node;
        Tls tls;
        System.Logger log;
        HeapCodec codec;
        Order order;
        MemorySegment segment;
        MemorySegment buffer;
        MemoryDescriptor descriptor;

        record Order(long id) {}

        record TableIsThere(MemoryDescriptor descriptor) {}
      }
      """;

  @TempDir private Path folder;

  @Test
  void shouldCompile() {
    List<CodeSample> samples =
        ProjectFiles.documents().stream()
            .flatMap(document -> CodeSample.allOf(document).stream())
            .filter(sample -> !sample.text().contains(ELSEWHERE))
            .toList();
    List<JavaFileObject> units = new ArrayList<>();
    samples.forEach(sample -> units.add(sample.unit(IMPORTS)));
    units.add(CodeSample.unit("Given", IMPORTS + GIVEN));

    assertThat(errors(units)).isEmpty();
    assertThat(samples)
        .extracting(CodeSample::name)
        .anyMatch(name -> name.contains("README_md"))
        .anyMatch(name -> name.contains("encoding_md"))
        .anyMatch(name -> name.contains("heap_md"))
        .anyMatch(name -> name.contains("infiniband_md"))
        .anyMatch(name -> name.contains("operations_md"));
  }

  /** A test that finds nothing would find no mistakes either. */
  @Test
  void shouldFindWhatDoesNotCompile() {
    List<CodeSample> samples =
        CodeSample.allOf(
            Path.of("some.md"),
            """
            Text.

                Node other = Node.open(1);

                static int number() { return node.noSuchThing(); }

            - a list

              that goes on;

                ./ringwire node ; ./ringwire ping
            """);
    assertThat(samples).hasSize(1);
    List<JavaFileObject> units = new ArrayList<>();
    samples.forEach(sample -> units.add(sample.unit("import org.ringwire.*;")));
    units.add(
        CodeSample.unit("Given", "import org.ringwire.*; abstract class Given { Node node; }"));

    assertThat(errors(units, List.of()))
        .hasSize(3)
        .anyMatch(error -> error.contains("some_md_3") && error.contains("int cannot be converted"))
        .anyMatch(error -> error.contains("non-static variable node"))
        .anyMatch(error -> error.contains("noSuchThing"));
  }

  private List<String> errors(List<JavaFileObject> samples) {
    return errors(
        samples,
        Stream.of("heap", "infiniband")
            .map(module -> ProjectFiles.ROOT.resolve(module).resolve("src/main/java"))
            .flatMap(sources -> ProjectFiles.files(sources, ".java").stream())
            .filter(file -> !file.endsWith("module-info.java"))
            .toList());
  }

  private List<String> errors(List<JavaFileObject> samples, List<Path> sources) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    StandardJavaFileManager files = compiler.getStandardFileManager(found, Locale.ROOT, null);
    List<JavaFileObject> units = new ArrayList<>(samples);
    files.getJavaFileObjectsFromPaths(sources).forEach(units::add);
    List<String> options =
        List.of(
            "-proc:none",
            "-implicit:none",
            "-nowarn",
            "--should-stop=ifNoError=FLOW", // nobody needs the classes
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
            "-d",
            folder.toString(),
            "-cp",
            Sources.classPath());
    Object _ = compiler.getTask(null, files, found, options, null, units).call();
    return found.getDiagnostics().stream()
        .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
        .map(Object::toString)
        .toList();
  }
}
