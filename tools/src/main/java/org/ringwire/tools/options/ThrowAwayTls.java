package org.ringwire.tools.options;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ringwire.Tls;
import org.ringwire.TlsNames;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.process.Leftovers;
import org.ringwire.tools.process.LockedFolder;

/**
 * A key and a certificate for the nodes of one run, made by the JDK's keytool, in a folder that
 * only this user can read and that is deleted at the end, also when a signal ends the run; if the
 * run is killed, by its children or the next run. The certificate signs itself.
 */
public final class ThrowAwayTls implements AutoCloseable {

  private static final String IDENTITY = "identity.p12";
  private static final String TRUST = "trust.pem";
  private static final String PASSWORD = "throw-away";
  private static final long TIMEOUT_S = 60;

  private final LockedFolder folder;

  private ThrowAwayTls(LockedFolder folder) {
    this.folder = folder;
  }

  /**
   * Makes a certificate for the nodes 0 to {@code lastId}.
   *
   * @throws CommandException if keytool cannot be run
   */
  public static ThrowAwayTls create(String cluster, int lastId) {
    String names =
        IntStream.rangeClosed(0, lastId)
            .mapToObj(id -> "uri:" + TlsNames.of(cluster, id))
            .collect(Collectors.joining(","));
    try {
      ThrowAwayTls made = new ThrowAwayTls(LockedFolder.create("ringwire-tls-"));
      try {
        made.keytool(
            "-genkeypair",
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-validity",
            "2",
            "-dname",
            "CN=throw-away",
            "-ext",
            "san=" + names,
            "-storetype",
            "PKCS12");
        made.keytool("-exportcert", "-rfc", "-file", made.trust().toString());
      } catch (CommandException e) {
        made.close();
        throw e;
      }
      return made;
    } catch (IOException e) {
      throw new CommandException("cannot make a folder for certificates: " + e.getMessage(), e);
    }
  }

  private void keytool(String... words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(words));
    command.addAll(List.of("-alias", "node", "-keystore", identity().toString()));
    command.addAll(List.of("-storepass", PASSWORD));
    try {
      Process process = Leftovers.start(new ProcessBuilder(command).redirectErrorStream(true));
      try {
        process.getOutputStream().close();
        if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
          throw new CommandException("keytool has not ended within " + TIMEOUT_S + " s");
        }
        // a few lines, which the pipe has kept
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.exitValue() != 0) {
          throw new CommandException("keytool failed: " + output.strip());
        }
      } finally {
        process.destroyForcibly();
        Leftovers.forget(process);
      }
    } catch (IOException e) {
      throw new CommandException("keytool cannot be started: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException("interrupted while keytool ran", e);
    }
  }

  /** The file with the key, in PKCS12. */
  public Path identity() {
    return folder.path().resolve(IDENTITY);
  }

  /** The file with the certificate, in PEM. */
  public Path trust() {
    return folder.path().resolve(TRUST);
  }

  /** Where the files are, for {@link #load} in another process. */
  public String folder() {
    return folder.path().toString();
  }

  /** The credentials in a folder that {@link #create} has made. */
  public static Tls load(String folder) {
    return Tls.load(Path.of(folder, IDENTITY), Path.of(folder, TRUST), PASSWORD.toCharArray());
  }

  @Override
  public void close() {
    if (!folder.delete()) {
      throw new CommandException("cannot delete " + folder.path() + ", which has a private key");
    }
  }
}
