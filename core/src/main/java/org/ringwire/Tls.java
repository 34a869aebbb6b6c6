package org.ringwire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * TLS 1.3 with certificates on both sides, for every connection of a node: a private key with its
 * certificate, and the certificates that peers must have theirs from. A certificate is for the
 * nodes that its subject alternative names name ({@link TlsNames}); a node refuses to open with a
 * certificate that is not for it, and peers refuse a node that claims another id or cluster.
 *
 * <p>Each of the two files is PKCS12, or PEM: blocks {@code PRIVATE KEY} or {@code ENCRYPTED
 * PRIVATE KEY} (PKCS8) and {@code CERTIFICATE}, the node's own first, then those between it and the
 * root. Keys are EC on a curve that this Java signs with, RSA or Ed25519; a file with more than one
 * private key is refused. Whoever can write the trust file decides who is let in.
 *
 * <p>The files are followed: when a connection begins, a second or more after the last look, and
 * they have changed, they are read again; what cannot be used is logged, and the old credentials
 * stay in use. {@link #reload} does it at once. Connections that exist are not touched.
 *
 * <p>May be shared by several nodes and used by any thread.
 */
public final class Tls {

  /** Time between two looks at the files. */
  private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

  private static final System.Logger LOGGER = System.getLogger("org.ringwire");

  private final Path identity;
  private final Path trust;
  private final char @Nullable [] password;
  private volatile Credentials current;
  private volatile long lookedNs;
  private String stamp; // of the files that current was read from; guarded by this
  private @Nullable String complaint; // logged last; guarded by this

  /**
   * What the files hold.
   *
   * @param key the node's private key
   * @param chain its certificate first, then those that it was signed with; not empty
   * @param trusted certificates that peers' certificates must lead to; not empty
   */
  public record Credentials(
      PrivateKey key, List<X509Certificate> chain, List<X509Certificate> trusted) {

    /** Copies the lists. */
    public Credentials {
      chain = List.copyOf(chain);
      trusted = List.copyOf(trusted);
    }

    /** The certificate that peers see. */
    public X509Certificate certificate() {
      return chain.getFirst();
    }

    /** Whose they are, without the key. */
    @Override
    public String toString() {
      return certificate().getSubjectX500Principal() + " " + TlsNames.all(certificate());
    }
  }

  private Tls(Path identity, Path trust, char @Nullable [] password) {
    this.identity = Objects.requireNonNull(identity, "identity must not be null");
    this.trust = Objects.requireNonNull(trust, "trust must not be null");
    this.password = password == null ? null : password.clone();
    stamp = stampOf(identity) + stampOf(trust);
    current = TlsFiles.read(identity, trust, this.password);
    lookedNs = System.nanoTime();
  }

  /**
   * Reads the files.
   *
   * @param identity the node's private key and certificates
   * @param trust the certificates that peers must have theirs from
   * @param password of both files, or null if they have none; copied
   * @throws IllegalArgumentException if a file cannot be read, has another form, or if the key and
   *     the certificate do not belong together or have expired; the message names the file
   */
  public static Tls load(Path identity, Path trust, char @Nullable [] password) {
    return new Tls(identity, trust, password);
  }

  /**
   * What new connections use. Looks at the files once a second at most, and reads them if they have
   * changed; so it may wait for the disk.
   */
  public Credentials credentials() {
    if (System.nanoTime() - lookedNs >= LOOK_NS) {
      lookAgain();
    }
    return current;
  }

  private synchronized void lookAgain() {
    if (System.nanoTime() - lookedNs < LOOK_NS) {
      return; // another thread was faster
    }
    if (!stamp.equals(stampOf(identity) + stampOf(trust))) {
      try {
        reload();
      } catch (RuntimeException | Error e) { // whatever it is, the credentials in use are better
        String text = String.valueOf(e.getMessage());
        if (!text.equals(complaint)) { // once for each trouble: files are looked at again and again
          complaint = text;
          LOGGER.log(
              System.Logger.Level.WARNING, "the TLS credentials in use stay as they are: " + text);
        }
      }
    }
    lookedNs = System.nanoTime();
  }

  /**
   * Reads the files now, for the connections that follow. If that fails the old ones stay in use.
   *
   * @throws IllegalArgumentException as {@link #load} does
   */
  public synchronized void reload() {
    String read = stampOf(identity) + stampOf(trust); // before the files: a later change is seen
    current = TlsFiles.read(identity, trust, password);
    stamp = read;
    complaint = null;
  }

  private static String stampOf(Path file) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return attributes.lastModifiedTime() + "/" + attributes.size() + "/" + attributes.fileKey();
    } catch (IOException e) {
      return "none"; // reading it will say why
    }
  }

  /** Where the credentials come from, and whose they are. */
  @Override
  public String toString() {
    return "Tls[identity=" + identity + ", trust=" + trust + ", " + current + "]";
  }
}
