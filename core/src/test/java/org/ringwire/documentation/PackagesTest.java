package org.ringwire.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.ProjectFiles;

/** Packages depend on each other as docs/architecture.md says. */
@ExtendWith(NodeWatcher.class)
class PackagesTest {

  private static final Path MAIN = Path.of("src/main/java/org/ringwire");
  private static final Path IMAGE =
      ProjectFiles.ROOT.resolve("heap/src/main/java/org/ringwire/heap/image");
  private static final Path TOOLS =
      ProjectFiles.ROOT.resolve("tools/src/main/java/org/ringwire/tools");
  private static final Pattern IMPORT =
      Pattern.compile("(?m)^import (?:static )?org\\.ringwire((?:\\.[a-z]\\w*)*)\\.[A-Z]");

  @Test
  void shouldLetNobodyButTheDoorKnowTheEngine() {
    Set<String> doors = new TreeSet<>();
    for (Path file : ProjectFiles.files(MAIN, ".java")) {
      if (!file.startsWith(MAIN.resolve("engine"))
          && imports(file).stream().anyMatch(name -> name.matches("\\.engine(\\..*)?"))) {
        doors.add(MAIN.relativize(file).toString());
      }
    }
    assertThat(doors).containsExactly("Node.java");
  }

  @Test
  void shouldKeepTransportsApartFromWhatTheyCarry() {
    for (String transport : new String[] {"tcp", "tls", "shm", "loopback", "selector", "support"}) {
      assertThat(importsBelow("transport/" + transport))
          .as(transport)
          .isNotEmpty()
          .allMatch(name -> name.isEmpty() || name.matches("\\.(transport(\\..*)?|ring|idle)"))
          .doesNotContain(".transport.providers"); // which knows them
    }
  }

  @Test
  void shouldKeepWhatIsBelowApartFromConnections() {
    for (String lower : new String[] {"idle", "ring", "wire", "metrics", "flight"}) {
      assertThat(importsBelow(lower))
          .as(lower)
          .allMatch(name -> name.isEmpty() || name.matches("\\.(idle|ring|wire)"));
    }
  }

  /** Frames are a format; rings and what assembles frames use it. */
  @Test
  void shouldLetTheFormatKnowNothingOfMemory() {
    assertThat(importsIn("wire")).isSubsetOf(".wire");
    assertThat(importsIn("wire/assembly")).isSubsetOf(".ring", ".wire", ".wire.assembly");
    assertThat(importsIn("ring")).isSubsetOf(".idle", ".ring", ".wire");
  }

  @Test
  void shouldShowUsersNothingBehindTheApi() {
    assertThat(importsBelow("discovery")).containsExactly("");
    assertThat(importsBelow("management")).containsExactly("", ".codec");
  }

  @Test
  void shouldLetPartsOfGeneratorsKnowOnlyThoseBelow() {
    assertThat(importsBelow("codec/runtime")).containsExactly("", ".codec");
    assertThat(importsBelow("codec/generate/layout")).containsExactly(".codec", ".codec.runtime");
    assertThat(importsBelow("codec/generate/emit"))
        .containsExactly("", ".codec", ".codec.generate.layout", ".codec.runtime");
  }

  @Test
  void shouldLetPartsOfTheEngineKnowOnlyThoseBelow() {
    for (String part : new String[] {"detached", "encoding", "room"}) {
      assertThat(importsBelow("engine/outbound/" + part))
          .as(part)
          .isNotEmpty()
          .noneMatch(
              name -> name.startsWith(".engine") && !name.equals(".engine.outbound." + part));
    }
    assertThat(importsBelow("engine/inbound/workers"))
        .isNotEmpty()
        .noneMatch(name -> name.startsWith(".engine") && !name.equals(".engine.outbound"));
    assertThat(importsBelow("engine/connection/attempt"))
        .isNotEmpty()
        .noneMatch(name -> name.startsWith(".engine") && !name.equals(".engine.services"));
    for (String part : new String[] {"handshake", "link"}) {
      assertThat(importsBelow("engine/connection/" + part))
          .as(part)
          .isNotEmpty()
          .allMatch(
              name -> !name.matches("\\.engine(\\.(connection|dispatch|request|inbound).*)?"));
    }
  }

  @Test
  void shouldLetPartsOfImagesKnowOnlyThoseBelow() {
    assertThat(partsKnownTo("memory")).isEmpty();
    assertThat(partsKnownTo("shape")).containsExactly("memory");
    for (String kind : new String[] {"template", "value", "container"}) {
      assertThat(partsKnownTo(kind)).as(kind).containsExactly("memory", "shape");
    }
    assertThat(partsKnownTo("classes"))
        .containsExactly("container", "memory", "shape", "template", "value");
  }

  @Test
  void shouldLetTheEndsOfHeapChannelsKnowNothingOfEachOther() {
    for (String end : new String[] {"inbound", "outbound"}) {
      Set<String> known = new TreeSet<>();
      Path folder = IMAGE.resolveSibling("channel").resolve(end);
      ProjectFiles.files(folder, ".java").forEach(file -> known.addAll(imports(file)));
      assertThat(known)
          .as(end)
          .contains(".heap.channel")
          .noneMatch(name -> name.startsWith(".heap.channel."));
    }
  }

  @Test
  void shouldLetTheBindingOfVerbsKnowNothingOfWhatIsMadeWithIt() {
    Path library =
        ProjectFiles.ROOT.resolve("infiniband/src/main/java/org/ringwire/infiniband/verbs/library");
    Set<String> known = new TreeSet<>();
    ProjectFiles.files(library, ".java").forEach(file -> known.addAll(imports(file)));
    assertThat(known).containsExactly("");
  }

  /** Commands know what they share; nothing of that knows commands, and nobody where they begin. */
  @Test
  void shouldLetNoCommandKnowWhereCommandsBegin() {
    Set<String> known = new TreeSet<>();
    for (Path file : ProjectFiles.files(TOOLS, ".java")) {
      if (!TOOLS.equals(file.getParent()) && imports(file).contains(".tools")) {
        known.add(file.toString());
      }
    }
    assertThat(known).isEmpty();
    for (Path file : ProjectFiles.files(TOOLS.resolve("console"), ".java")) {
      assertThat(imports(file)).as(file.toString()).noneMatch(name -> name.startsWith(".tools."));
    }
  }

  /** The packages below that of images that one of them names; a name without one is "image". */
  private static Set<String> partsKnownTo(String part) {
    Set<String> found = new TreeSet<>();
    for (Path file : ProjectFiles.files(IMAGE.resolve(part), ".java")) {
      for (String name : imports(file)) {
        if (name.startsWith(".heap.")) {
          found.add(name.substring(name.lastIndexOf('.') + 1));
        }
      }
    }
    found.remove(part);
    return found;
  }

  private static Set<String> importsBelow(String folder) {
    Set<String> found = new TreeSet<>();
    ProjectFiles.files(MAIN.resolve(folder), ".java").forEach(file -> found.addAll(imports(file)));
    return found;
  }

  /** As above, of one package. */
  private static Set<String> importsIn(String folder) {
    Set<String> found = new TreeSet<>();
    for (Path file : ProjectFiles.files(MAIN.resolve(folder), ".java")) {
      if (MAIN.resolve(folder).equals(file.getParent())) {
        found.addAll(imports(file));
      }
    }
    assertThat(found).isNotEmpty();
    return found;
  }

  /** The packages that a file names, without what all have in common. */
  private static Set<String> imports(Path file) {
    Set<String> found = new TreeSet<>();
    IMPORT.matcher(ProjectFiles.text(file)).results().forEach(line -> found.add(line.group(1)));
    return found;
  }
}
