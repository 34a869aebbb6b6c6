package org.ringwire.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.Tls;
import org.ringwire.testing.TestCertificates;

/** Nodes of programs that tests run over {@code -Dtransport}, where {@code tls} is TCP with it. */
final class ProgramNodes {

  static final String TRANSPORT = System.getProperty("transport", "tcp");

  private static final String CLUSTER = "program";

  private ProgramNodes() {}

  /** One that listens where its transport can. */
  static Node open(int id, NodeDirectory directory, UnaryOperator<NodeConfig.Builder> settings) {
    NodeConfig.Builder builder = NodeConfig.builder(id).peers(directory);
    switch (TRANSPORT) {
      case "tcp" -> builder.transport("tcp").listen("127.0.0.1:0");
      case "tls" -> builder.transport("tcp").listen("127.0.0.1:0").cluster(CLUSTER).tls(tls(id));
      case "shm" -> builder.transport("shm").listen("*");
      default -> builder.transport(TRANSPORT).listen("node " + id);
    }
    return Node.open(settings.apply(builder).build());
  }

  private static Tls tls(int id) {
    try {
      Path folder = Files.createTempDirectory("ringwire-tls");
      Tls tls = Authority.CERTIFICATES.tls(folder, CLUSTER, id);
      try (Stream<Path> files = Files.list(folder)) {
        folder.toFile().deleteOnExit(); // after what is in it, which is said later
        files.forEach(file -> file.toFile().deleteOnExit());
      }
      return tls;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same, which the directory knows from then on. */
  static Node openKnown(
      int id, NodeDirectory.Mutable directory, UnaryOperator<NodeConfig.Builder> settings) {
    Node node = open(id, directory, settings);
    directory.put(id, String.valueOf(node.address()));
    return node;
  }

  /** Made for programs that need it. */
  private static final class Authority {
    static final TestCertificates CERTIFICATES = new TestCertificates("authority");
  }
}
