package org.ringwire.tools.options;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.ringwire.Tls;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.Problem;
import picocli.CommandLine.Option;

/** TLS with the certificates of a cluster. */
public final class TlsOptions {

  /** Which kind of error a file met: not for people. */
  private static final String KIND = ": \\w+Exception: ";

  @Option(
      names = "--tls-identity",
      paramLabel = "FILE",
      description =
          "private key and certificate of this node, PEM or PKCS12; its subject alternative name is"
              + " the URI ringwire://CLUSTER/node/ID; default: no TLS")
  private @Nullable Path identity;

  @Option(
      names = "--tls-trust",
      paramLabel = "FILE",
      description = "certificates that those of other nodes must lead to, PEM or PKCS12")
  private @Nullable Path trust;

  @Option(
      names = "--tls-password-file",
      paramLabel = "FILE",
      description = "file with the password of both files; white space at its end does not count")
  private @Nullable Path passwordFile;

  /** For picocli. */
  public TlsOptions() {}

  /**
   * The credentials that were given, or null if none were.
   *
   * @throws CommandException if a file is missing or says something else
   */
  public @Nullable Tls load() {
    Path own = identity;
    Path others = trust;
    if (own == null && others == null) {
      if (passwordFile != null) {
        throw new CommandException("--tls-password-file needs --tls-identity and --tls-trust");
      }
      return null;
    }
    if (own == null || others == null) {
      throw new CommandException(
          "TLS shows a certificate and checks that of the other node: give both --tls-identity and"
              + " --tls-trust");
    }
    try {
      return Tls.load(own, others, password());
    } catch (IllegalArgumentException e) {
      throw new CommandException(Problem.describe(e).replaceFirst(KIND, ": "), e);
    }
  }

  private char @Nullable [] password() {
    Path file = passwordFile;
    if (file == null) {
      return null;
    }
    try {
      return Files.readString(file, StandardCharsets.UTF_8).stripTrailing().toCharArray();
    } catch (IOException e) {
      throw new CommandException(
          "--tls-password-file cannot be read: " + Problem.describe(file, e), e);
    }
  }
}
