package org.ringwire.testing;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import javax.crypto.SecretKey;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.ringwire.Tls;
import org.ringwire.TlsNames;

/**
 * An authority that issues certificates for tests: just as much of X.509 (RFC 5280) as they need,
 * with keys on P-256 that are new in each process.
 */
public final class TestCertificates {

  private static final AtomicLong SERIALS = new AtomicLong(1);
  private static final byte[] ECDSA_WITH_SHA256 =
      der(0x30, der(0x06, bytes(0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02)));
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private final String name;
  private final KeyPair keys;
  private final X509Certificate certificate;

  /** A key and its certificate, followed by those that it was signed with. */
  public record Identity(PrivateKey key, List<X509Certificate> chain) {}

  /** A new authority, which signs its own certificate. */
  public TestCertificates(String name) {
    this.name = name;
    keys = keyPair();
    certificate = sign(name, keys.getPublic(), past(), future(), basicConstraints());
  }

  private static Instant past() {
    return Instant.now().minus(Duration.ofDays(1));
  }

  private static Instant future() {
    return Instant.now().plus(Duration.ofDays(1));
  }

  /** Its certificate, to be trusted. */
  public X509Certificate certificate() {
    return certificate;
  }

  /** A certificate that is valid now. */
  public Identity issue(String subject, String... names) {
    return issue(subject, past(), future(), names);
  }

  /** A certificate. */
  public Identity issue(String subject, Instant from, Instant to, String... names) {
    KeyPair own = keyPair();
    return new Identity(
        own.getPrivate(),
        List.of(sign(subject, own.getPublic(), from, to, alternativeNames(List.of(names)))));
  }

  /** A certificate that is valid now, and limited by another extension. */
  public Identity issueLimited(String subject, byte[] limit, String... names) {
    KeyPair own = keyPair();
    byte[] alternativeNames = alternativeNames(List.of(names));
    return new Identity(
        own.getPrivate(),
        List.of(sign(subject, own.getPublic(), past(), future(), alternativeNames, limit)));
  }

  /** The credentials of a process that may be any of some nodes, in files of a folder. */
  public Tls tls(Path folder, String cluster, int... nodeIds) {
    String[] names =
        IntStream.of(nodeIds).mapToObj(id -> TlsNames.of(cluster, id)).toArray(String[]::new);
    return tls(folder, issue("node " + Arrays.toString(nodeIds), names), certificate);
  }

  /** Credentials in files of a folder, in PEM. */
  public static Tls tls(Path folder, Identity identity, X509Certificate... trusted) {
    long number = SERIALS.getAndIncrement();
    Path own = folder.resolve("identity-" + number + ".pem");
    Path trust = folder.resolve("trust-" + number + ".pem");
    writePem(own, identity);
    writePem(trust, trusted);
    return Tls.load(own, trust, null);
  }

  /**
   * What a peer of another kind uses.
   *
   * @param identity shown to others, or null for none
   * @param trusted roots
   */
  public static SSLContext context(@Nullable Identity identity, X509Certificate... trusted) {
    try {
      KeyStore own = KeyStore.getInstance("PKCS12");
      own.load(null, null);
      if (identity != null) {
        Certificate[] chain = identity.chain().toArray(Certificate[]::new);
        own.setKeyEntry("own", identity.key(), new char[0], chain);
      }
      KeyStore roots = KeyStore.getInstance("PKCS12");
      roots.load(null, null);
      for (X509Certificate root : trusted) {
        roots.setCertificateEntry(root.getSerialNumber().toString(), root);
      }
      KeyManagerFactory keys = KeyManagerFactory.getInstance("SunX509"); // takes expired ones too
      keys.init(own, new char[0]);
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(roots);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  // Files.

  /** Writes a key and its certificates. */
  public static void writePem(Path file, Identity identity) {
    write(
        file,
        pem("PRIVATE KEY", identity.key().getEncoded())
            + certificates(identity.chain().toArray(X509Certificate[]::new)));
  }

  /** Writes certificates. */
  public static void writePem(Path file, X509Certificate... certificates) {
    write(file, certificates(certificates));
  }

  private static String certificates(X509Certificate... certificates) {
    StringBuilder text = new StringBuilder();
    try {
      for (X509Certificate each : certificates) {
        text.append(pem("CERTIFICATE", each.getEncoded()));
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    return text.toString();
  }

  /** A block of PEM. */
  public static String pem(String kind, byte[] content) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n";
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a PKCS12 file with a key, or several. */
  public static void writePkcs12(Path file, String password, Identity... identities) {
    store(
        file,
        password,
        store -> {
          for (Identity identity : identities) {
            store.setKeyEntry(
                "node-" + store.size(),
                identity.key(),
                password.toCharArray(),
                identity.chain().toArray(Certificate[]::new));
          }
        });
  }

  /** Writes a PKCS12 file with a key, encrypted in PKCS8, that has no certificate. */
  public static void writePkcs12(Path file, String password, byte[] encrypted) {
    store(file, password, store -> store.setKeyEntry("key", encrypted, null));
  }

  /** Writes a PKCS12 file with a symmetric key. */
  public static void writePkcs12(Path file, String password, SecretKey key) {
    store(
        file,
        password,
        store -> store.setKeyEntry("key", key, password.toCharArray(), new Certificate[0]));
  }

  /** Writes a PKCS12 file with a trusted certificate. */
  public static void writePkcs12(Path file, String password, X509Certificate trusted) {
    store(file, password, store -> store.setCertificateEntry("ca", trusted));
  }

  private interface Filling {
    void fill(KeyStore store) throws GeneralSecurityException;
  }

  private static void store(Path file, String password, Filling filling) {
    try (OutputStream out = Files.newOutputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      filling.fill(store);
      store.store(out, password.toCharArray());
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  // X.509.

  private static KeyPair keyPair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private X509Certificate sign(
      String subject, PublicKey key, Instant from, Instant to, byte[]... extensions) {
    byte[] facts =
        der(
            0x30,
            der(0xA0, der(0x02, bytes(2))),
            der(0x02, BigInteger.valueOf(SERIALS.getAndIncrement()).toByteArray()),
            ECDSA_WITH_SHA256,
            distinguishedName(name),
            der(0x30, time(from), time(to)),
            distinguishedName(subject),
            key.getEncoded(),
            der(0xA3, der(0x30, extensions)));
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(keys.getPrivate());
      signature.update(facts);
      byte[] bits = signature.sign();
      byte[] certified =
          der(0x30, facts, ECDSA_WITH_SHA256, der(0x03, concatenate(bytes(0), bits)));
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(certified));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] time(Instant instant) {
    return der(0x18, TIME.format(instant).getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] distinguishedName(String commonName) {
    byte[] text = der(0x0C, commonName.getBytes(StandardCharsets.UTF_8));
    return der(0x30, der(0x31, der(0x30, der(0x06, bytes(0x55, 0x04, 0x03)), text)));
  }

  private static byte[] basicConstraints() {
    byte[] value = der(0x30, der(0x01, bytes(0xFF)));
    return der(0x30, der(0x06, bytes(0x55, 0x1D, 0x13)), der(0x01, bytes(0xFF)), der(0x04, value));
  }

  /** Names with a scheme become URIs, others host names. */
  private static byte[] alternativeNames(List<String> names) {
    byte[] all = {};
    for (String each : names) {
      int type = each.contains("://") ? 0x86 : 0x82;
      all = concatenate(all, der(type, each.getBytes(StandardCharsets.US_ASCII)));
    }
    return der(0x30, der(0x06, bytes(0x55, 0x1D, 0x11)), der(0x04, der(0x30, all)));
  }

  /** The purpose with that last number below 1.3.6.1.5.5.7.3: 1 is servers, 2 clients of TLS. */
  public static byte[] forPurpose(int purpose) {
    return extendedKeyUsage(bytes(0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, purpose));
  }

  /** Any purpose, said in as many words. */
  public static byte[] forAnyPurpose() {
    return extendedKeyUsage(bytes(0x55, 0x1D, 0x25, 0x00));
  }

  private static byte[] extendedKeyUsage(byte[] purpose) {
    byte[] value = der(0x30, der(0x06, purpose));
    return der(0x30, der(0x06, bytes(0x55, 0x1D, 0x25)), der(0x04, value));
  }

  /** Keys that encipher other keys, and sign nothing. */
  public static byte[] forKeyEncipherment() {
    byte[] value = der(0x03, bytes(5, 0x20));
    return der(0x30, der(0x06, bytes(0x55, 0x1D, 0x0F)), der(0x04, value));
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  private static byte[] der(int tag, byte[]... parts) {
    byte[] content = concatenate(parts);
    int length = content.length;
    byte[] head =
        length < 0x80
            ? bytes(tag, length)
            : length < 0x100
                ? bytes(tag, 0x81, length)
                : bytes(tag, 0x82, length >> 8, length & 0xFF);
    return concatenate(head, content);
  }

  private static byte[] concatenate(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
