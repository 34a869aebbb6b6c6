package org.ringwire.heap;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs programs of the tests in JVMs of their own, with other flags. */
final class OtherJvm {
  /** As {@link #options} knows them. */
  static final List<String> COLLECTORS =
      List.of("Serial", "Parallel", "G1", "Shenandoah", "GenerationalShenandoah", "Z");

  private static final boolean IS_NIGHTLY = Boolean.getBoolean("ringwire.nightly");
  private static final long PATIENCE_SECONDS = IS_NIGHTLY ? 3600 : 300;

  private OtherJvm() {}

  /** How one has ended. */
  record Outcome(int status, String output) {}

  /** One that runs; closing ends it. */
  static final class Started implements AutoCloseable {
    private final Process process;
    private final CompletableFuture<String> output;

    private Started(Process process) {
      this.process = process;
      this.output =
          CompletableFuture.supplyAsync(() -> {
            try {
              return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
              return e.toString();
            }
          });
    }

    /** Its exit status, once it has ended. */
    int status() throws InterruptedException {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("does not end");
      }
      return process.exitValue();
    }

    /** What it has printed, once it has ended. */
    String output() throws Exception {
      return output.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  static Started start(List<String> options, Class<?> program, String... words) throws IOException {
    return start(options, List.of("-cp", classPath(), program.getName()), words);
  }

  private static Started start(List<String> options, List<String> program, String... words)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.addAll(options);
    command.addAll(program);
    command.addAll(List.of(words));
    return new Started(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  static Outcome run(List<String> options, Class<?> program, String... words) throws Exception {
    try (Started started = start(options, program, words)) {
      String output = started.output();
      return new Outcome(started.status(), output);
    }
  }

  /** The same, of an executable jar. */
  static Outcome runJar(List<String> options, Path jar, String... words) throws Exception {
    try (Started started = start(options, List.of("-jar", jar.toString()), words)) {
      String output = started.output();
      return new Outcome(started.status(), output);
    }
  }

  /** What this JVM has, by class path or module path, and the tests, which patch a module. */
  private static String classPath() {
    List<String> parts = new ArrayList<>();
    for (String property : List.of("jdk.module.path", "java.class.path")) {
      parts.add(System.getProperty(property, ""));
    }
    parts.add(placeOf(HeapCodec.class).toString());
    parts.add(testClasses().toString());
    return String.join(java.io.File.pathSeparator, parts);
  }

  /** The folder or jar that a class is from. */
  static Path placeOf(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  /** The folder of the tests, which patch a module and know no place of their own. */
  static Path testClasses() {
    return placeOf(HeapCodec.class).resolveSibling("test-classes");
  }

  /**
   * The flags of a kind of heap.
   *
   * @param compressed whether references are; with ZGC they never are
   * @param compact whether headers are
   */
  static List<String> options(String collector, boolean compressed, boolean compact) {
    List<String> options = new ArrayList<>();
    options.add("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
    boolean isGenerational = collector.equals("GenerationalShenandoah");
    options.add("-XX:+Use" + (isGenerational ? "Shenandoah" : collector) + "GC");
    if (isGenerational) {
      options.add("-XX:ShenandoahGCMode=generational");
    }
    if (!collector.equals("Z")) {
      options.add("-XX:" + (compressed ? '+' : '-') + "UseCompressedOops");
    }
    options.add("-XX:" + (compact ? '+' : '-') + "UseCompactObjectHeaders");
    return options;
  }

  /** The same, and the collector looks at the whole heap whenever it collects. */
  static List<String> verifying(String collector, boolean compressed, boolean compact) {
    List<String> options = new ArrayList<>(options(collector, compressed, compact));
    options.add("-XX:+UnlockDiagnosticVMOptions");
    options.addAll(
        switch (collector) {
          case "Z" -> List.of("-XX:+ZVerifyRoots", "-XX:+ZVerifyObjects", "-XX:+ZVerifyMarking");
          case "Shenandoah", "GenerationalShenandoah" -> List.of("-XX:+ShenandoahVerify");
          default -> List.of("-XX:+VerifyBeforeGC", "-XX:+VerifyAfterGC");
        });
    return options;
  }
}
