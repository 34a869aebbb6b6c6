package org.ringwire.infiniband.msgrc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.Authentication;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.NodeListener;
import org.ringwire.infiniband.device.IbOptions;

/** Nodes over InfiniBand, in this process and in others; closes them. */
final class IbNodes {

  static final Duration PATIENCE = Duration.ofSeconds(100);

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final Queue<LossReport> losses = new ConcurrentLinkedQueue<>();
  private final List<AutoCloseable> resources = new ArrayList<>();
  private final List<String> properties = new ArrayList<>();

  IbNodes() {}

  /** A message of any size. */
  @SuppressWarnings("ArrayRecordComponent") // compared by its content
  record Blob(long number, byte[] bytes) {

    static Blob of(long number, int length) {
      byte[] bytes = new byte[length];
      for (int i = 0; i < length; i++) {
        bytes[i] = (byte) (number + i);
      }
      return new Blob(number, bytes);
    }

    boolean isWhole() {
      for (int i = 0; i < bytes.length; i++) {
        if (bytes[i] != (byte) (number + i)) {
          return false;
        }
      }
      return true;
    }
  }

  /** A setting of the transport, for the nodes that are opened after it. */
  void set(String name, int value) {
    System.setProperty(IbOptions.PREFIX + name, Integer.toString(value));
    properties.add(IbOptions.PREFIX + name);
  }

  NodeDirectory.Mutable directory() {
    return directory;
  }

  /** What nodes of this process were told of. */
  Queue<LossReport> losses() {
    return losses;
  }

  /** The usual settings; in any process. */
  static NodeConfig.Builder settings(int id) {
    return NodeConfig.builder(id)
        .transport("ib")
        .listen("127.0.0.1:0")
        .authentication(Authentication.none())
        .connectTimeout(PATIENCE)
        .sendTimeout(PATIENCE)
        .requestTimeout(PATIENCE);
  }

  /** Opens a node that the others know. */
  Node open(int id) {
    Node node =
        Node.open(
            settings(id)
                .peers(directory)
                .listener(
                    new NodeListener() {
                      @Override
                      public void lost(LossReport report) {
                        losses.add(report);
                      }
                    })
                .build());
    resources.add(node);
    directory.put(id, String.valueOf(node.address()));
    return node;
  }

  /**
   * Starts a program that prints its node's address first; it is killed after the test.
   *
   * @param launcher what precedes the command
   * @param options of the virtual machine
   */
  Program start(List<String> launcher, List<String> options, Class<?> main, String... arguments)
      throws IOException {
    List<String> words = new ArrayList<>(launcher);
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(
        List.of(
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+DisplayVMOutputToStderr", // standard output is the program's
            "--enable-native-access=ALL-UNNAMED"));
    words.addAll(options);
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    words.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Program program = new Program(process);
    resources.add(program::kill);
    return program;
  }

  /** The same for a node that others find. */
  Program start(int id, Class<?> main, String... arguments) throws IOException {
    Program program = start(List.of(), List.of(), main, arguments);
    directory.put(id, String.valueOf(program.line()));
    return program;
  }

  /** A process, and the lines that it prints. */
  static final class Program {

    private final Process process;
    private final BufferedReader output;

    private Program(Process process) {
      this.process = process;
      output =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** The next line, or null at the end. */
    @Nullable String line() throws IOException {
      return output.readLine();
    }

    /** Sends a signal, by its name. */
    void signal(String name) throws IOException, InterruptedException {
      Process kill = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start();
      assertThat(kill.waitFor()).isZero();
    }

    void kill() throws InterruptedException {
      process.destroyForcibly();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    int status() throws InterruptedException {
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      return process.exitValue();
    }
  }

  void close() throws Exception {
    for (AutoCloseable resource : resources.reversed()) {
      resource.close();
    }
    properties.forEach(System::clearProperty);
  }
}
