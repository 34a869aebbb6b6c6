package org.ringwire.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.tools.Main;
import org.ringwire.tools.Schemas;
import org.ringwire.tools.console.ExitStatus;

/** A short run of the demo over InfiniBand: three processes, where there is a device. */
@Tag("rdma")
class IbDemoTest {

  /** The least that a message takes: its header, a vertex, a level or a share. */
  private static final long LEAST_LENGTH = 12;

  /** Of a packet of the soft device. */
  private static final long MTU = 4096;

  private static final Path PACKETS =
      Path.of("/sys/class/infiniband/rxe0/ports/1/hw_counters/sent_pkts");

  @TempDir private Path folder;

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES) // emulated, on a machine with other work
  void shouldRunInThreeProcessesOverQueuePairs() throws IOException, InterruptedException {
    long before = packets();
    Process demo =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "demo",
                "--transport",
                "ib",
                "--nodes",
                "3",
                "--modules",
                "java.xml",
                "--root",
                "com.sun.org.apache.xerces.internal.jaxp.SAXParserImpl",
                "--rounds",
                "3",
                "--json")
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile())
            .start();
    boolean ended = demo.waitFor(9, TimeUnit.MINUTES);
    demo.descendants().forEach(ProcessHandle::destroyForcibly);
    demo.destroyForcibly().waitFor();
    String errors = Files.readString(folder.resolve("err"));
    assertThat(ended).as(errors).isTrue();
    assertThat(demo.exitValue()).as(errors).isEqualTo(ExitStatus.GOOD);
    List<String> lines = Files.readAllLines(folder.resolve("out"));
    assertThat(lines).hasSize(1);
    assertThat(Schemas.problems("demo", lines.getFirst())).isEmpty();
    assertThat(lines.getFirst()).contains("\"nodes\":3").endsWith("\"verified\":true}");
    Matcher messages = Pattern.compile("\"messages\":(\\d+)").matcher(lines.getFirst());
    assertThat(messages.find()).isTrue();
    long count = Long.parseLong(messages.group(1));
    assertThat(count).isGreaterThan(10_000);
    assertThat((packets() - before) * MTU).isGreaterThan(count * LEAST_LENGTH);
    System.out.println(lines.getFirst());
  }

  private static long packets() throws IOException {
    return Long.parseLong(Files.readString(PACKETS).strip());
  }
}
