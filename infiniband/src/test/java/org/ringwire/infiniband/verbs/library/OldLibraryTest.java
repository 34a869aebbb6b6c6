package org.ringwire.infiniband.verbs.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.OldLibraryProgram;
import org.ringwire.testing.NodeWatcher;

/** What people are told where the library has not all the functions that are called. */
@EnabledOnOs(OS.LINUX)
@ExtendWith(NodeWatcher.class)
class OldLibraryTest {

  private static final String NEEDED = "libibverbs 1.1 or later is needed";

  @TempDir private Path folder;

  @BeforeEach
  void pretendADevice() throws Exception {
    Files.createDirectories(folder.resolve("sys/class/infiniband/mlx5_0"));
  }

  @Test
  void shouldNameTheFunctionsThatAreMissingAndTheVersionNeeded() throws Exception {
    List<String> all =
        Pattern.compile("ibv_\\w+")
            .matcher(told(List.of()).getFirst())
            .results()
            .map(MatchResult::group)
            .toList();
    assertThat(all)
        .contains("ibv_get_device_list", "ibv_create_ah", "ibv_destroy_ah", "ibv_get_cq_event")
        .doesNotHaveDuplicates();
    List<String> some = new ArrayList<>(all);
    some.removeAll(List.of("ibv_create_ah", "ibv_get_cq_event"));

    List<String> told = told(some);

    assertThat(told.getFirst())
        .isEqualTo(
            "transport: the library libibverbs.so.1 is too old, it has no ibv_create_ah,"
                + " ibv_get_cq_event: "
                + NEEDED
                + ", as any rdma-core has"
                + " (Debian and Ubuntu: apt install libibverbs1 ibverbs-providers)");
    assertThat(told.get(1)).isEqualTo(told.getFirst()); // each time
    assertThat(told.getLast())
        .startsWith("libibverbs: WRONG: cannot be used: ")
        .contains("no ibv_create_ah, ibv_get_cq_event", NEEDED);
  }

  /** Lines of a program that finds a library with these functions. */
  private List<String> told(List<String> functions) throws Exception {
    Path source = folder.resolve("verbs.c");
    String text =
        functions.stream()
            .map(name -> "void *" + name + "(void) { return 0; }")
            .collect(Collectors.joining("\n", "int there;\n", "\n"));
    Files.writeString(source, text);
    Headers.compileLibrary(source, folder.resolve("libibverbs.so.1"));
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classPath(),
            OldLibraryProgram.class.getName(),
            folder.toString());
    builder.environment().put("LD_LIBRARY_PATH", folder.toString());
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.lines().toList();
  }

  /** Modules and tests as well. */
  private static String classPath() {
    return String.join(
        File.pathSeparator,
        System.getProperty("jdk.module.path", ""),
        System.getProperty("java.class.path"),
        Path.of("target", "test-classes").toAbsolutePath().toString());
  }
}
