package org.ringwire.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code ./ringwire} and {@code ./mvnw} do before there is a JVM. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a shell script")
class LauncherTest {

  /** All that the scripts need to look for a JDK. */
  private static final List<String> PROGRAMS =
      List.of("dirname", "grep", "readlink", "tr", "sed", "uname");

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @TempDir private Path folder;

  private record Outcome(int status, String out, String err) {}

  /** Only these programs are found, whatever JDKs this machine has. */
  @BeforeEach
  void offerPrograms() throws IOException {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    for (String program : PROGRAMS) {
      Path real = Path.of("/usr/bin", program);
      Path script = bin.resolve(program);
      Files.writeString(
          script,
          "#!/bin/sh\nexec "
              + (Files.exists(real) ? real : Path.of("/bin", program))
              + " \"$@\"\n");
      assertThat(script.toFile().setExecutable(true)).isTrue();
    }
  }

  private Outcome run(Map<String, String> environment, String... command) throws Exception {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(ROOT.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", folder.resolve("bin").toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return new Outcome(process.exitValue(), read(out), read(err));
    } finally {
      process.destroyForcibly();
    }
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }

  /** As much of a JDK as is looked at. */
  private Path jdk(String name, String version) throws IOException {
    Path home = folder.resolve("jdks").resolve(name);
    Path javac = Files.createDirectories(home.resolve("bin")).resolve("javac");
    Files.writeString(javac, "#!/bin/sh\n");
    assertThat(javac.toFile().setExecutable(true)).isTrue();
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  private Outcome find(Map<String, String> environment) throws Exception {
    return run(environment, "/bin/sh", "-c", ". ./.mvn/find-jdk.sh; printf %s \"$JAVA_HOME\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ringwire", "mvnw"})
  void shouldSayWhereItLookedForAJdkAndHowToGetOne(String script) throws Exception {
    Path old = jdk("jdk-17", "17.0.15");
    Map<String, String> environment =
        Map.of("JAVA_HOME", old.toString(), "RINGWIRE_JDK_PATH", folder + "/jdks:/no/such/folder");
    Outcome outcome = run(environment, "/bin/sh", ROOT.resolve(script).toString(), "--help");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .startsWith("Ringwire needs a JDK 25, and none was found.\n")
        .contains("JAVA_HOME         " + old, folder + "/jdks/*", "/no/such/folder/*")
        .contains("sdk install java 25-tem", "or set JAVA_HOME");
  }

  @Test
  void shouldStartByLinksToIt() throws Exception {
    Path jdk = jdk("jdk-25", "25");
    Path checkout = checkout(jdk);
    Path first = Files.createDirectories(folder.resolve("a b")).resolve("ringwire");
    Files.createSymbolicLink(first, Path.of("../checkout/ringwire"));
    Path second = Files.createSymbolicLink(folder.resolve("linked"), first);
    Path deeper = Files.createDirectories(folder.resolve("dot files/home/bin"));
    Files.createSymbolicLink(deeper.resolve("ringwire"), Path.of("../../../checkout/ringwire"));
    Path third = Files.createSymbolicLink(folder.resolve("bin of mine"), deeper);
    Map<String, String> environment =
        Map.of("JAVA_HOME", jdk.toString(), "PATH", folder + "/bin:/usr/bin:/bin");

    for (Path link : List.of(second, third.resolve("ringwire"))) {
      Outcome outcome = run(environment, "/bin/sh", link.toString(), "--help");

      assertThat(outcome.status()).as(outcome.err()).isZero();
      assertThat(outcome.out()).contains(checkout.toRealPath() + "/target/launcher", "--help");
    }
  }

  /** As services and containers may start without one: Maven's own files are found all the same. */
  @Test
  void shouldStartMavenWithoutTheVariableHome() throws Exception {
    Path checkout = Files.createDirectories(folder.resolve("checkout"));
    Files.createDirectories(checkout.resolve(".mvn/wrapper"));
    for (String script : List.of("mvnw", ".mvn/find-jdk.sh")) {
      Files.copy(ROOT.resolve(script), checkout.resolve(script));
    }
    Files.writeString(checkout.resolve(".mvn/wrapper/mvnw"), "printf %s \"${HOME}/.m2\"\n");
    Map<String, String> environment =
        Map.of("JAVA_HOME", jdk("jdk-25", "25").toString(), "PATH", "/usr/bin:/bin");

    Outcome outcome = run(environment, "/bin/sh", checkout.resolve("mvnw").toString());

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).isEqualTo(System.getProperty("user.home") + "/.m2");
  }

  /** The shell makes the folder: this JVM may have no name for it either. */
  @ParameterizedTest
  @CsvSource({"mvnw,here", "mvnw,home", "ringwire,here"})
  void shouldNameFoldersToJavaWhoseNamesAreNotAscii(String script, String where) throws Exception {
    String make =
        """
        strange=$1/$(printf 'pr\\303\\274fung')
        if [ "$3" = here ]; then checkout=$strange; else checkout=$1/checkout HOME=$strange; fi
        export HOME
        mkdir -p "$checkout/.mvn/wrapper"
        cp "$2" "$checkout"
        cp .mvn/find-jdk.sh "$checkout/.mvn"
        if [ "$2" = mvnw ]; then maven=.mvn/wrapper/mvnw; else maven=mvnw; fi
        printf '#!/bin/sh\\necho "$LC_ALL"; exit 1\\n' >"$checkout/$maven"
        chmod +x "$checkout/$maven"
        /bin/sh "$checkout/$2" 2>&1
        rm -rf "$strange"
        """;
    Map<String, String> environment = new HashMap<>();
    environment.put("JAVA_HOME", jdk("jdk-25", "25").toString());
    environment.put("PATH", "/usr/bin:/bin");
    environment.put("HOME", folder.toString());
    environment.put("LC_ALL", "C");

    Outcome outcome =
        run(environment, "/bin/sh", "-c", make, "sh", folder.toString(), script, where);

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).contains("C.UTF-8");
  }

  @Test
  void shouldSayWhereItCannotBuild() throws Exception {
    Path checkout = Files.createDirectories(folder.resolve("checkout"));
    Files.createDirectory(checkout.resolve(".mvn"));
    for (String script : List.of("ringwire", ".mvn/find-jdk.sh")) {
      Files.copy(ROOT.resolve(script), checkout.resolve(script));
    }
    Files.writeString(checkout.resolve("target"), "no folder, which not even root can write to");
    Map<String, String> environment =
        Map.of("JAVA_HOME", jdk("jdk-25", "25").toString(), "PATH", folder + "/bin:/usr/bin:/bin");

    Outcome outcome =
        run(environment, "/bin/sh", checkout.resolve("ringwire").toString(), "--help");

    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err().lines())
        .containsExactly(
            "ringwire: has to be built first, and "
                + checkout.resolve("target/launcher")
                + " cannot be written to");
    assertThat(outcome.status()).isEqualTo(2);
  }

  /** A checkout whose Maven builds a jar of a version, and whose JVM only says what it was told. */
  private Path checkout(Path jdk) throws IOException {
    Path checkout = Files.createDirectories(folder.resolve("checkout"));
    Files.createDirectory(checkout.resolve(".mvn"));
    for (String script : List.of("ringwire", ".mvn/find-jdk.sh")) {
      Files.copy(ROOT.resolve(script), checkout.resolve(script));
    }
    Files.writeString(checkout.resolve("pom.xml"), "1");
    executable(
        checkout.resolve("mvnw"),
        "cd tools && mkdir -p target/launcher/lib && cp ../pom.xml target/launcher/lib/other.jar"
            + " && cp ../pom.xml target/launcher/ringwire-tools-$(cat ../pom.xml).jar");
    executable(jdk.resolve("bin/java"), "echo \"$*\"");
    Files.createDirectory(checkout.resolve("tools"));
    return checkout;
  }

  private static void executable(Path script, String text) throws IOException {
    Files.writeString(script, "#!/bin/sh\n" + text + "\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
  }

  private static Path folderOfBuild(Outcome outcome) {
    assertThat(outcome.status()).as(outcome.err()).isZero();
    String classPath = outcome.out().replaceFirst("(?s).*-cp ([^ ]*) .*", "$1");
    return Path.of(classPath.split(":", -1)[0]).getParent();
  }

  @Test
  void shouldLeaveTheBuildOfCommandsThatRunAloneWhenTheVersionChanges() throws Exception {
    Path jdk = jdk("jdk-25", "25");
    Path checkout = checkout(jdk);
    String[] command = {"/bin/sh", checkout.resolve("ringwire").toString(), "--help"};
    Map<String, String> environment =
        Map.of("JAVA_HOME", jdk.toString(), "PATH", folder + "/bin:/usr/bin:/bin");

    Path first = folderOfBuild(run(environment, command));
    assertThat(folderOfBuild(run(environment, command))).isEqualTo(first);
    Files.writeString(checkout.resolve("pom.xml"), "2");
    FileTime later = FileTime.from(Instant.now().plusSeconds(60));
    Files.setLastModifiedTime(checkout.resolve("pom.xml"), later);
    Path second = folderOfBuild(run(environment, command));

    assertThat(second.resolve("ringwire-tools.jar")).hasContent("2");
    assertThat(first.resolve("ringwire-tools.jar")).hasContent("1");
    assertThat(checkout.resolve("target/launcher/tools/lib/other.jar")).hasContent("2");
    Map<String, String> kept = new HashMap<>(environment);
    kept.put("RINGWIRE_BUILD", first.toString());
    assertThat(folderOfBuild(run(kept, command))).isEqualTo(first);
    assertThat(folderOfBuild(run(environment, command))).isNotEqualTo(second);
    if (run(environment, "/bin/sh", "-c", "ps -axww -o args=").status() == 0) { // else it stays
      assertThat(first).as("nobody uses it").doesNotExist();
    }
  }

  /**
   * Maven goes on where the command that has started it is ended, and has the folders till then.
   */
  @Test
  void shouldNotBuildBesideTheBuildOfACommandThatWasEnded() throws Exception {
    Path flock = Path.of("/usr/bin/flock");
    assumeThat(flock).exists();
    executable(
        folder.resolve("bin/flock"),
        "%1$s -n \"$@\" || { touch '%2$s/waits'; exec %1$s \"$@\"; }".formatted(flock, folder));
    Path jdk = jdk("jdk-25", "25");
    Path checkout = checkout(jdk);
    String build = read(checkout.resolve("mvnw")).lines().skip(1).findFirst().orElseThrow();
    executable(
        checkout.resolve("mvnw"),
        "mkdir busy || exit 1; touch begun; "
            + "while [ -e pom.xml ] && ! [ -e go ]; do sleep 0.1; done; " // till the test is over
            + "rmdir busy; "
            + build);
    ProcessBuilder command =
        new ProcessBuilder("/bin/sh", checkout.resolve("ringwire").toString(), "--help")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("out").toFile());
    command.environment().put("JAVA_HOME", jdk.toString());
    command.environment().put("PATH", folder + "/bin:/usr/bin:/bin");

    Process ended = command.start();
    Process next = null;
    try {
      await("the build", () -> Files.exists(checkout.resolve("begun")));
      ended.destroy(); // by SIGTERM, which is for the shell alone
      assertThat(ended.waitFor(60, TimeUnit.SECONDS)).isTrue();
      Process waiting = command.start();
      next = waiting;
      await("its turn", () -> Files.exists(folder.resolve("waits")) || !waiting.isAlive());
      Files.createFile(checkout.resolve("go"));
      assertThat(next.waitFor(60, TimeUnit.SECONDS)).isTrue();

      assertThat(next.exitValue()).as(read(folder.resolve("out"))).isZero();
    } finally {
      Files.write(checkout.resolve("go"), new byte[0]);
      ended.destroyForcibly();
      if (next != null) {
        next.destroyForcibly();
      }
    }
  }

  /** With each build, as those that run keep theirs. */
  @Test
  void shouldNameTheArchiveOfItsClassesWhereThereIsOne() throws Exception {
    Path jdk = jdk("jdk-25", "25");
    Path checkout = checkout(jdk);
    String[] command = {"/bin/sh", checkout.resolve("ringwire").toString(), "--help"};
    Map<String, String> environment =
        Map.of("JAVA_HOME", jdk.toString(), "PATH", folder + "/bin:/usr/bin:/bin");

    Outcome without = run(environment, command);
    assertThat(without.out()).doesNotContain("SharedArchiveFile", "ringwire.archive");
    assertThat(without.err().lines()).hasSize(1); // that it builds
    assertThat(folderOfBuild(without).resolve("classes.jsa.new")).doesNotExist();

    executable(
        jdk.resolve("bin/java"),
        "for word; do case $word in"
            + " -XX:ArchiveClassesAtExit=*) echo classes >\"${word#*=}\" ;; esac; done; echo \"$*\"");
    FileTime later = FileTime.from(Instant.now().plusSeconds(60));
    Files.setLastModifiedTime(checkout.resolve("pom.xml"), later);
    Outcome with = run(environment, command);
    Path archive = folderOfBuild(with).resolve("classes.jsa");
    assertThat(archive).hasContent("classes");
    assertThat(with.out())
        .contains("-XX:SharedArchiveFile=" + archive + " ", "-Dringwire.archive=" + archive + " ");
  }

  /** As where the disk of the checkout has no room, or its folder another name. */
  @Test
  void shouldKeepItsBuildBehindLinks() throws Exception {
    Path jdk = jdk("jdk-25", "25");
    Path checkout = checkout(jdk);
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Files.createSymbolicLink(checkout.resolve("target"), elsewhere);
    Path link = Files.createSymbolicLink(folder.resolve("link"), checkout);
    String[] command = {"/bin/sh", link.resolve("ringwire").toString(), "--help"};
    Map<String, String> environment =
        Map.of("JAVA_HOME", jdk.toString(), "PATH", folder + "/bin:/usr/bin:/bin");

    Path first = folderOfBuild(run(environment, command));
    assertThat(first.resolve("ringwire-tools.jar")).hasContent("1");
    assertThat(folderOfBuild(run(environment, command))).isEqualTo(first);
    Map<String, String> named = new HashMap<>(environment);
    named.put("RINGWIRE_BUILD", link.resolve("target/launcher/tools/lib").toString());
    assertThat(folderOfBuild(run(named, command))).as("by its own name").isEqualTo(first);
  }

  @Test
  void shouldRefuseAFolderThatIsNoBuild() throws Exception {
    Path jdk = jdk("jdk-25", "25");
    Path checkout = checkout(jdk);
    Outcome outcome =
        run(
            Map.of("JAVA_HOME", jdk.toString(), "RINGWIRE_BUILD", folder.toString()),
            "/bin/sh",
            checkout.resolve("ringwire").toString(),
            "--help");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err())
        .isEqualTo("ringwire: RINGWIRE_BUILD is not the folder of a build: " + folder + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ringwire", "benchmarks/targets"})
  void shouldNotLookForItsFolderInThePathOfTheShell(String script) throws Exception {
    Map<String, String> environment =
        Map.of("CDPATH", ROOT.toString(), "JAVA_HOME", "/none", "RINGWIRE_JDK_PATH", "/none");
    Outcome outcome = run(environment, "/bin/sh", script, "--help");

    assertThat(outcome.err()).startsWith("Ringwire needs a JDK 25, and none was found.\n");
  }

  @Test
  void shouldFindTheJdk25AmongOthersWithoutAnyVariable() throws Exception {
    jdk("jdk-17", "17.0.15");
    Path right = jdk("jdk-25", "25.0.3");
    jdk("jdk-250", "250");

    assertThat(find(Map.of("RINGWIRE_JDK_PATH", folder + "/jdks")).out())
        .isEqualTo(right.toString());
  }

  @Test
  void shouldTakeJavaHomeOnlyIfItIsAJdk25() throws Exception {
    Path old = jdk("jdk-17", "17.0.15");
    Path other = jdk("jdk-25", "25");
    Path asked = jdk("jdk-25-b", "25.0.1");
    String path = folder + "/jdks";

    assertThat(find(Map.of("RINGWIRE_JDK_PATH", path, "JAVA_HOME", asked.toString())).out())
        .isEqualTo(asked.toString());
    assertThat(find(Map.of("RINGWIRE_JDK_PATH", path, "JAVA_HOME", old.toString())).out())
        .isEqualTo(other.toString());
  }
}
