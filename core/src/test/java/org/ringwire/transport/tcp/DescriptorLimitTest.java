package org.ringwire.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.Sources;

@ExtendWith(NodeWatcher.class)
@EnabledOnOs(OS.LINUX)
class DescriptorLimitTest {

  @TempDir private Path folder;

  @Test
  void shouldGoOnWhenProcessHasNoFileDescriptorLeft() throws Exception {
    Path errors = folder.resolve("errors");
    Process process = start(errors);
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
      List<String> accepted = new ArrayList<>();
      String line = out.readLine();
      while (!line.equals("delivered")) { // the spare descriptor serves one peer before
        accepted.add(line);
        line = out.readLine();
      }
      assertThat(accepted).hasSizeLessThan(3);
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
          .contains("Too many open files");
    } finally {
      process.destroyForcibly();
      for (Socket peer : peers) {
        peer.close();
      }
    }
  }

  private static Process start(Path errors) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String command =
        "ulimit -n 128; exec "
            + java
            + " -Xmx64m -XX:+UseSerialGC -cp "
            + Sources.classPath()
            + " "
            + DescriptorLimitProgram.class.getName();
    return new ProcessBuilder("sh", "-c", command).redirectError(errors.toFile()).start();
  }
}
