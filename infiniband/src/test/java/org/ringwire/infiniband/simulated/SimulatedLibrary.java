package org.ringwire.infiniband.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ringwire.infiniband.verbs.library.Headers;

/**
 * A {@code libibverbs} in memory, whose devices do what adapters do and Soft-RoCE does not; and
 * programs that find it where others find the system's.
 */
public final class SimulatedLibrary {

  private static final Path SOURCE = Path.of("src", "test", "c", "libibverbs.c").toAbsolutePath();

  private final Path folder;
  private final String classPath;

  private SimulatedLibrary(Path folder, String classPath) {
    this.folder = folder;
    this.classPath = classPath;
  }

  /** Compiles it; the test is skipped where there is no compiler, or there are no headers. */
  public static SimulatedLibrary compile(Path folder) throws IOException, InterruptedException {
    Headers.compileVerbsLibrary(SOURCE, folder.resolve("libibverbs.so.1"));
    return new SimulatedLibrary(folder, classPath());
  }

  /** The same library, for programs that find these classes, too. */
  public SimulatedLibrary with(Path classes) {
    return new SimulatedLibrary(
        folder, classPath + File.pathSeparator + classes.toAbsolutePath().normalize());
  }

  /** As the other one, of a program with heap to spare. */
  public String run(Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    return run(List.of("-Xmx256m"), program, arguments);
  }

  /**
   * Runs a program to its end, which must be good.
   *
   * @param options of the virtual machine
   * @return both of its outputs: what a program prints is how it tells its test, which asserts it
   */
  public String run(List<String> options, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classPath));
    words.addAll(options);
    words.add(program.getName());
    words.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().put("LD_LIBRARY_PATH", folder.toString());
    Process process = builder.start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(output).isZero();
      return output;
    } finally {
      process.destroyForcibly();
    }
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
