package org.ringwire.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/** A JVM under real limits of the kernel, which change while it runs. */
@ExtendWith(NodeWatcher.class)
class ControlGroupTest {

  private static final Path ROOT = Path.of("/sys/fs/cgroup");

  @Test
  void shouldSeeTheLimitOfItsGroupAndFollowIt() throws IOException {
    Path parent = hierarchy(List.of(".", "unified"), "cgroup.subtree_control");
    assumeTrue(parent != null, "no control groups of version 2 with the cpu controller here");
    try (Group group = Group.create(Objects.requireNonNull(parent))) {
      follow(group, quota -> group.write("cpu.max", quota < 0 ? "max" : quota + " 100000"));
    }
  }

  @Test
  void shouldSeeTheLimitOfItsGroupOfTheFirstVersion() throws IOException {
    Path parent = hierarchy(List.of("cpu", "cpu,cpuacct"), "cpu.shares");
    assumeTrue(parent != null, "no control groups of version 1 with the cpu controller here");
    try (Group group = Group.create(Objects.requireNonNull(parent))) {
      follow(group, quota -> group.write("cpu.cfs_quota_us", Long.toString(quota)));
    }
  }

  @Test
  void shouldSeeWhatTheJvmIsTold() throws IOException {
    try (Child child = Child.start(List.of(), "-XX:ActiveProcessorCount=64")) {
      Path own = Path.of("/proc/self/cgroup");
      double most = new Cores(() -> 64, own, ROOT).getAsDouble(); // there may be a limit here
      assertThat(child.ask()).isEqualTo(most + " " + (most >= 2));
    }
    try (Child child = Child.start(List.of(), "-XX:ActiveProcessorCount=1")) {
      assertThat(child.ask()).matches("(1|0[.][0-9]+)[.0-9]* false");
    }
  }

  private static void follow(Group group, Limit limit) throws IOException {
    limit.set(50_000);
    double cores = Cores.ofProcess().getAsDouble();
    try (Child child = Child.start(group.entering())) {
      child.shouldSay("0.5 false");
      limit.set(150_000);
      child.shouldSay(Math.min(1.5, cores) + " false");
      limit.set(-1);
      child.shouldSay(cores + " " + (cores >= 2));
      limit.set(100_000);
      child.shouldSay("1.0 false");
    }
  }

  /** Where groups with the cpu controller can be made, or null. */
  private static @Nullable Path hierarchy(List<String> names, String file) throws IOException {
    for (String name : names) {
      Path folder = ROOT.resolve(name).normalize();
      Path controllers = folder.resolve("cgroup.subtree_control");
      boolean unified = Files.isReadable(controllers);
      if (Files.isWritable(folder)
          && Files.isReadable(folder.resolve(file))
          && (!unified || Files.readString(controllers).matches("(?s).*\\bcpu\\b.*"))) {
        return folder;
      }
    }
    return null;
  }

  private interface Limit {
    void set(long quota) throws IOException;
  }

  private record Group(Path folder) implements AutoCloseable {

    static Group create(Path parent) {
      Path folder = parent.resolve("ringwire-test-" + ProcessHandle.current().pid());
      try {
        return new Group(Files.createDirectory(folder));
      } catch (IOException e) {
        assumeTrue(false, "no control group may be made here: " + e);
        throw new AssertionError(e);
      }
    }

    void write(String file, String text) throws IOException {
      Files.writeString(folder.resolve(file), text);
    }

    /** Puts the process that it becomes into the group. */
    List<String> entering() {
      return List.of(
          "sh", "-c", "echo $$ > '" + folder.resolve("cgroup.procs") + "' && exec \"$@\"", "sh");
    }

    @Override
    public void close() throws IOException {
      Files.delete(folder);
    }
  }

  private record Child(Process process, BufferedReader out, Writer in) implements AutoCloseable {

    static Child start(List<String> launcher, String... options) throws IOException {
      List<String> all = new ArrayList<>(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1"));
      all.addAll(List.of(options));
      List<String> words = new ArrayList<>(launcher);
      words.addAll(JavaProgram.command(CoresProgram.class, all.toArray(String[]::new)));
      Process process =
          new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      return new Child(
          process,
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)),
          process.outputWriter(StandardCharsets.UTF_8));
    }

    /** Asks until it says so: the JVM remembers its number of processors for 20 ms. */
    void shouldSay(String expected) throws IOException {
      long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      String said = ask();
      while (!expected.equals(said) && System.nanoTime() - deadlineNs < 0) {
        said = ask();
      }
      assertThat(said).isEqualTo(expected);
    }

    /** What it says now. */
    private String ask() throws IOException {
      in.write("\n");
      in.flush();
      return out.readLine();
    }

    @Override
    public void close() {
      process.destroyForcibly().onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }
  }
}
