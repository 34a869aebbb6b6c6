package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.Node;
import org.ringwire.heap.OtherJvm.Outcome;
import org.ringwire.testing.NodeWatcher;

/**
 * Everything in one jar that {@code java -jar} starts, without a flag, made by a tool that was not
 * told to merge the files of services: of these the jar has that of another library only.
 */
@ExtendWith(NodeWatcher.class)
class MergedJarTest {
  private static final String SERVICES =
      "META-INF/services/org.ringwire.transport.TransportProvider";
  private static final Map<String, String> ENTRIES =
      Map.of("Add-Exports", "java.base/jdk.internal.misc", "Enable-Native-Access", "ALL-UNNAMED");

  @TempDir Path folder;

  @Test
  void shouldRunWithEntriesOfTheManifestInPlaceOfFlags() throws Exception {
    Outcome outcome = run(merged(ENTRIES), "tcp", "shm", "loopback");

    assertThat(outcome.output()).isEqualToIgnoringNewLines("tcp\nshm\nloopback\n");
    assertThat(outcome.status()).isZero();
  }

  @Test
  void shouldNameTheEntryOfTheManifestThatIsMissing() throws Exception {
    Outcome outcome = run(merged(Map.of()), "loopback");

    assertThat(outcome.output())
        .contains("--add-exports java.base/jdk.internal.misc=ALL-UNNAMED")
        .contains("Add-Exports: java.base/jdk.internal.misc");
    assertThat(outcome.status()).isNotZero();
  }

  @Test
  void shouldSayWhereTheNamesOfTransportsGetLost() throws Exception {
    Outcome outcome = run(merged(ENTRIES), "carrier-pigeon");

    assertThat(outcome.output())
        .contains("transport=carrier-pigeon available=[tcp, shm, loopback]")
        .contains(SERVICES);
    assertThat(outcome.status()).isNotZero();
  }

  private static Outcome run(Path jar, String... transports) throws Exception {
    List<String> options = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    return OtherJvm.runJar(options, jar, transports);
  }

  /** The classes of the core, of this module and of its tests, and the file of another library. */
  private Path merged(Map<String, String> entries) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, MergedProgram.class.getName());
    entries.forEach(attributes::putValue);
    Path jar = folder.resolve("merged.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      out.putNextEntry(new JarEntry(SERVICES));
      out.write("# of another library\n".getBytes(StandardCharsets.UTF_8));
      Set<String> there = new HashSet<>();
      for (Path part : parts()) {
        if (Files.isDirectory(part)) {
          copy(part, out, there);
        } else {
          try (FileSystem zip = FileSystems.newFileSystem(part)) {
            copy(zip.getPath("/"), out, there);
          }
        }
      }
    }
    return jar;
  }

  private static List<Path> parts() {
    return List.of(
        OtherJvm.placeOf(Node.class), OtherJvm.placeOf(HeapCodec.class), OtherJvm.testClasses());
  }

  private static void copy(Path from, JarOutputStream to, Set<String> there) throws IOException {
    try (Stream<Path> files = Files.walk(from.resolve("org"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = from.relativize(file).toString();
        if (there.add(name)) {
          to.putNextEntry(new JarEntry(name));
          Files.copy(file, to);
        }
      }
    }
  }
}
