package org.ringwire.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Programs of the tests in processes of their own, with this JDK and the class path of the tests.
 */
public final class JavaProgram {

  private JavaProgram() {}

  /**
   * The command of a program, without its arguments.
   *
   * @param options of the virtual machine
   */
  public static List<String> command(Class<?> main, String... options) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of(options));
    words.addAll(List.of("-cp", Sources.classPath(), main.getName()));
    return words;
  }

  /** As {@link #run}, of a program that takes all of its heap, over a transport. */
  public static String runWithLittleHeap(Class<?> main, String transport)
      throws IOException, InterruptedException {
    return run(
        main,
        "-Dtransport=" + transport,
        "-Xmx48m",
        "-XX:+UseSerialGC",
        "--enable-native-access=ALL-UNNAMED");
  }

  /** Runs a program to its end, which must be good; returns both of its outputs. */
  public static String run(Class<?> main, String... options)
      throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command(main, options)).redirectErrorStream(true).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(output).isZero();
      return output;
    } finally {
      process.destroyForcibly();
    }
  }
}
