package org.ringwire.tools.node;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.ringwire.Authentication;
import org.ringwire.NodeConfig;
import org.ringwire.tools.CommandException;
import org.ringwire.tools.ErrorLine;
import org.ringwire.tools.Transports;
import picocli.CommandLine.Option;

/** The options of everything that meets the nodes of a cluster. */
final class ClusterOptions {

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      description = "name that all nodes of a cluster share; default: ${DEFAULT-VALUE}",
      defaultValue = "default")
  private String cluster = "default";

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      description = "default: ${DEFAULT-VALUE}",
      defaultValue = "tcp")
  private String transport = "tcp";

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description =
          "file with the secret that all nodes of the cluster share, 16 bytes or more; white space"
              + " at its end does not count; default: no secret")
  private @Nullable Path secretFile;

  /** Settings of a node of this cluster, for messages of this package. */
  NodeConfig.Builder settings(int id) {
    Transports.check(transport);
    NodeConfig.Builder settings =
        NodeConfig.builder(id).cluster(cluster).transport(transport).lookup(MethodHandles.lookup());
    Path file = secretFile;
    return file == null ? settings : settings.authentication(secret(file));
  }

  private static Authentication secret(Path file) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      int end = bytes.length;
      while (end > 0 && Character.isWhitespace(bytes[end - 1])) {
        end--;
      }
      return Authentication.sharedSecret(Arrays.copyOf(bytes, end));
    } catch (IOException e) {
      throw new CommandException("cannot read the secret: " + ErrorLine.describe(e), e);
    } catch (IllegalArgumentException e) {
      throw new CommandException(file + ": " + e.getMessage(), e);
    }
  }
}
