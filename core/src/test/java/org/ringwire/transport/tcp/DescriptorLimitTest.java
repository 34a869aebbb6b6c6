package org.ringwire.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.Sources;
import org.ringwire.transport.selector.DescriptorLimit;

@ExtendWith(NodeWatcher.class)
@EnabledOnOs(OS.LINUX)
class DescriptorLimitTest {

  @TempDir private Path folder;

  @Test
  void shouldGoOnWhenProcessHasNoFileDescriptorLeft() throws Exception {
    Path errors = folder.resolve("errors");
    Process process = start(errors, DescriptorLimitProgram.class, jars());
    List<Socket> peers = new ArrayList<>();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        PrintWriter in = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true)) {
      assertThat(out.readLine()).isEqualTo("accepted 0");
      TcpAddress address = TcpAddress.parse(out.readLine().substring("address ".length()));
      for (int i = 0; i < 3; i++) {
        peers.add(new Socket(address.host(), address.port()));
      }
      long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (!Files.readString(errors).contains("cannot accept connections for now")) {
        assertThat(process.isAlive()).isTrue();
        assertThat(System.nanoTime()).isLessThan(endNs);
        Thread.onSpinWait();
      }
      in.println("traffic");
      List<String> accepted =
          new ArrayList<>(); // the spare descriptor serves one peer, at any time
      assertThat(answer(out, "delivered", accepted)).isEmpty();
      in.println("load");
      String load = answer(out, "load ", accepted);
      assertThat(accepted).hasSizeLessThan(3);
      assertThat(Long.parseLong(load))
          .as("percent of a core that the I/O thread uses while it cannot accept")
          .isLessThan(25);
      in.println("free");
      while (accepted.size() < 3) {
        accepted.add(out.readLine());
      }
      assertThat(accepted).containsExactly("accepted 1", "accepted 2", "accepted 3");
      in.println("end");
      assertThat(process.waitFor()).isZero();
      assertThat(Files.readAllLines(errors))
          .filteredOn(text -> text.contains("cannot accept"))
          .singleElement()
          .asString()
          .contains("address=" + address)
          .contains("Too many open files")
          .contains("ulimit -n=128;");
    } finally {
      process.destroyForcibly();
      for (Socket peer : peers) {
        peer.close();
      }
    }
  }

  @Test
  void shouldNameLimitToSenderAndGoOnWithOtherPeers() throws Exception {
    shouldNameLimitToSenderAndGoOnWithOtherPeers(jars());
  }

  /** There each class that is needed for the first time takes a descriptor. */
  @Test
  void shouldDoTheSameWhereItsClassesLieInFolders() throws Exception {
    shouldNameLimitToSenderAndGoOnWithOtherPeers(Sources.classPath());
  }

  private void shouldNameLimitToSenderAndGoOnWithOtherPeers(String classPath) throws Exception {
    Path errors = folder.resolve("errors");
    Process process = start(errors, DescriptorLimitNodes.class, classPath);
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(out.readLine()).isEqualTo("connected");
      assertThat(out.readLine())
          .startsWith("cannot reach node: nodeId=3: ")
          .contains("cannot connect: address=127.0.0.1:")
          .contains("Too many open files (this process is at its limit of file descriptors")
          .contains("ulimit -n=128;");
      assertThat(out.readLine())
          .startsWith("cannot reach node: nodeId=4: ")
          .contains("localhost")
          .contains("ulimit -n=128;");
      assertThat(out.readLine())
          .startsWith("cannot open the transport: transport=tcp: cannot open a selector: ")
          .contains("ulimit -n=128;");
      assertThat(out.readLine()).isEqualTo("answered by 2");
      assertThat(out.readLine()).isEqualTo("answered by 3");
      assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void shouldReadLimitWhereLinuxTellsIt() {
    assertThat(
            DescriptorLimit.parse(
                List.of(
                    "Limit                     Soft Limit           Hard Limit           Units",
                    "Max open files            1024                 524288               files")))
        .isEqualTo("=1024");
    assertThat(DescriptorLimit.parse(List.of())).isEmpty();
    assertThat(DescriptorLimit.explain(new IOException("Too many open files in system")))
        .contains("fs.file-max");
    assertThat(DescriptorLimit.explain(new IOException("Connection refused")))
        .isEqualTo("Connection refused");
  }

  /** What follows the word in its line; the lines before it are of peers that were accepted. */
  private static String answer(BufferedReader out, String word, List<String> accepted)
      throws IOException {
    String line = out.readLine();
    while (!line.startsWith(word)) {
      assertThat(line).startsWith("accepted ");
      accepted.add(line);
      line = out.readLine();
    }
    return line.substring(word.length());
  }

  private static Process start(Path errors, Class<?> program, String classPath) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String command =
        "ulimit -n 128; exec "
            + java
            + " -Xmx64m -XX:+UseSerialGC -cp "
            + classPath
            + " "
            + program.getName();
    return new ProcessBuilder("sh", "-c", command).redirectError(errors.toFile()).start();
  }

  /** The class path in jars, as most users have it. */
  private String jars() {
    ToolProvider jar = ToolProvider.findFirst("jar").orElseThrow();
    List<String> jars = new ArrayList<>();
    for (String entry : Sources.classPath().split(File.pathSeparator, -1)) {
      String file = entry;
      if (Files.isDirectory(Path.of(entry))) {
        file = folder.resolve(jars.size() + ".jar").toString();
        assertThat(jar.run(System.out, System.err, "-cf0", file, "-C", entry, ".")).isZero();
      }
      jars.add(file);
    }
    return String.join(File.pathSeparator, jars);
  }
}
