package org.ringwire.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.ProgramRun;

/** The table of {@code ./benchmarks/profiles}, of results that are always the same. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "it is a shell script")
class ProfilesTest {
  @TempDir private Path root;

  /** A copy of the script, which finds another launcher beside it. */
  @BeforeEach
  void copyScript() throws Exception {
    Files.createDirectory(root.resolve("benchmarks"));
    Files.copy(Path.of("profiles"), root.resolve("benchmarks/profiles"));
  }

  /** Makes a launcher that prints this if it is asked for JSON. */
  private void launcherThatPrints(String json) throws Exception {
    Path launcher = root.resolve("ringwire");
    Files.writeString(
        launcher,
        """
        #!/bin/sh
        case " $* " in
          *" --json "*) echo '%s' ;;
          *) echo "for people" ;;
        esac
        """
            .formatted(json));
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
  }

  private ProgramRun profiles() {
    return ProgramRun.of(root, List.of("/bin/sh", "benchmarks/profiles", "1", "out"));
  }

  private static String part(String process, String part, String nanos) {
    return "{\"process\":\"%s\",\"part\":\"%s\",\"nanosPerMessage\":%s}"
        .formatted(process, part, nanos);
  }

  @Test
  void shouldAddUpPartsByWhatTheyAreFor() throws Exception {
    launcherThatPrints(
        "{\"benchmark\":\"stream\",\"nanosPerMessage\":62.4,\"profile\":["
            + String.join(
                ",",
                part("sender", "kernel: write", "1000.0"),
                part("sender", "ring", "500.25"),
                part("sender", "kernel: sched_yield", "100"),
                part("sender", "tools.bench.pair", "50"),
                part("sender", "virtual machine", "40"),
                part("sender", "compilers", "3.0E1"),
                part("sender", "directory", "1.0E-2"),
                part("receiver", "codec", "20.5"),
                part("receiver", "idle", "30"),
                part("receiver", "JDK", "20"),
                part("receiver", "Node", "19.7"))
            + "],\"mode\":\"park\"}");

    ProgramRun run = profiles();

    assertThat(run.isGood()).as(run.output()).isTrue();
    assertThat(run.output().lines().filter(line -> line.startsWith("|")).limit(4))
        .containsExactly(
            "| benchmark | process | Ringwire | kernel | waiting | benchmark | JVM | other | all |",
            "|---|---|---|---|---|---|---|---|---|",
            "| `stream --transport tcp` | sender | 500 | 1000 | 100 | 50 | 70 | 0 | 1720 |",
            "|  | receiver | 40.2 | 0.0 | 30.0 | 0.0 | 20.0 | 0.0 | 90.2 |");
    assertThat(root.resolve("out/tcp-stream.json")).content().startsWith("{\"benchmark\"");
  }

  @Test
  void shouldFailWithoutAProfile() throws Exception {
    launcherThatPrints("{\"benchmark\":\"stream\",\"mode\":\"park\"}");

    ProgramRun run = profiles();

    assertThat(run.status()).isOne();
    assertThat(run.output()).contains("profiles: no profile in ");
  }
}
