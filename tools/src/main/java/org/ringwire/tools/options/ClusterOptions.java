package org.ringwire.tools.options;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.ringwire.Authentication;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.Tls;
import org.ringwire.TlsNames;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.Problem;
import org.ringwire.tools.console.Text;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of everything that meets the nodes of a cluster. */
public final class ClusterOptions {

  /** Ids that commands give themselves from some first one on, so that two rarely meet. */
  private static final int OWN_IDS = 5_000;

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      description = "name that all nodes of a cluster share; default: ${DEFAULT-VALUE}",
      defaultValue = "default")
  private String cluster = "default";

  @Mixin private TransportOption transport = new TransportOption();

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description =
          "file with the secret that all nodes of the cluster share, 16 bytes or more; white space"
              + " at its end does not count; default: no secret")
  private @Nullable Path secretFile;

  @Mixin private TlsOptions tls = new TlsOptions();

  /** For picocli. */
  public ClusterOptions() {}

  /** Its name; an empty one is mostly a variable of a shell that was not set. */
  private String name() {
    if (cluster.isBlank()) {
      throw new CommandException("--cluster takes a name, not " + Text.shown(cluster));
    }
    return cluster;
  }

  /** The credentials that were given, or null; see {@link TlsOptions#load}. */
  public @Nullable Tls tls() {
    return tls.load();
  }

  /**
   * Complains about an id that no node can have.
   *
   * @param option that says it
   */
  public static void checkId(String option, int id) {
    Range.check(option, id, 0, Node.MAX_ID);
  }

  /**
   * The id of a command that is a peer for a while.
   *
   * @param asked that was asked for with {@code --as}, or null: then that of its certificate
   * @param first of the ids among which one is taken where there is no certificate
   */
  public int ownId(@Nullable Integer asked, int first, @Nullable Tls credentials) {
    if (asked != null) {
      checkId("--as", asked);
      return asked;
    }
    if (credentials == null) {
      return first + (int) (ProcessHandle.current().pid() % OWN_IDS);
    }
    String name = name();
    return TlsNames.nodeIds(credentials.credentials().certificate(), name).stream()
        .findFirst()
        .orElseThrow(() ->
            new CommandException(
                "the certificate is for no node of cluster "
                    + name
                    + ", but: "
                    + TlsNames.all(credentials.credentials().certificate())));
  }

  /**
   * Complains about an address whose host is missing, which looks like one.
   *
   * @param option that says it
   */
  public void checkAddress(String option, String address) {
    if (address.matches(":\\d+") && !transport.name().equals("shm")) {
      throw new CommandException(
          option + " has no host before the port, as 127.0.0.1" + address + " has: " + address);
    }
  }

  /**
   * Settings of a node of this cluster.
   *
   * @param lookup access to the messages of the command
   * @param credentials of {@link #tls()}
   */
  public NodeConfig.Builder settings(
      int id, MethodHandles.Lookup lookup, @Nullable Tls credentials) {
    if (transport.name().equals("loopback")) {
      throw new CommandException(
          "--transport loopback connects nodes of one process, and here is one node only: choose"
              + " tcp, ib or shm");
    }
    NodeConfig.Builder settings =
        NodeConfig.builder(id).cluster(name()).transport(transport.checked()).lookup(lookup);
    if (credentials != null) {
      settings.tls(credentials);
    }
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
      throw new CommandException("--secret-file cannot be read: " + Problem.describe(file, e), e);
    } catch (IllegalArgumentException e) {
      throw new CommandException("--secret-file: " + file + ": " + e.getMessage(), e);
    }
  }
}
