package org.ringwire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.PBEParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.TestCertificates;
import org.ringwire.testing.TestCertificates.Identity;

/** The files with keys and certificates, and the names in certificates. */
@ExtendWith(NodeWatcher.class)
class TlsTest {

  private static final TestCertificates AUTHORITY = new TestCertificates("files");
  private static final Identity IDENTITY = AUTHORITY.issue("one", TlsNames.of("test", 1));

  /** A key on a curve that Java knows by name only, in PKCS8. */
  private static final String SECP256K1 =
      """
      MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgiRYj0srdmplx3o7sHg5d
      d7IT5fsAL+6SUj2Jt8J6wpChRANCAASf5P0KqFQQJKrYBn0SX9KUigQMor3DZ7MT
      GXNL4WLrC+f3exSnTJeYzEJLkQbzbsuNXfgBB31EhKLQ39v11hSy
      """;

  @TempDir private Path folder;

  private Path trust() {
    Path file = folder.resolve("trust.pem");
    TestCertificates.writePem(file, AUTHORITY.certificate());
    return file;
  }

  private Path identity(String text) throws IOException {
    return Files.writeString(folder.resolve("own.pem"), text);
  }

  private static String certificate() {
    return TestCertificates.pem("CERTIFICATE", encoded());
  }

  private static byte[] encoded() {
    try {
      return IDENTITY.chain().getFirst().getEncoded();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private void assertUnusable(Path identity, @Nullable String password, String why) {
    Path trust = trust();
    char[] secret = password == null ? null : password.toCharArray();
    assertThatThrownBy(() -> Tls.load(identity, trust, secret))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot use TLS file " + identity + ": ")
        .hasMessageContaining(why);
  }

  @Test
  void shouldReadPem() throws IOException {
    Path own = folder.resolve("own.pem");
    TestCertificates.writePem(own, IDENTITY);
    Tls.Credentials credentials = Tls.load(own, trust(), null).credentials();
    assertThat(credentials.key()).isEqualTo(IDENTITY.key());
    assertThat(credentials.chain()).isEqualTo(IDENTITY.chain());
    assertThat(credentials.trusted()).containsExactly(AUTHORITY.certificate());
    assertThat(credentials.toString())
        .contains("CN=one", "ringwire://test/node/1")
        .doesNotContain("PrivateKey");
  }

  @Test
  void shouldReadPkcs12() {
    Path own = folder.resolve("own.p12");
    Path trust = folder.resolve("trust.p12");
    TestCertificates.writePkcs12(own, "password", IDENTITY);
    TestCertificates.writePkcs12(trust, "password", AUTHORITY.certificate());
    Tls.Credentials credentials = Tls.load(own, trust, "password".toCharArray()).credentials();
    assertThat(credentials.key()).isEqualTo(IDENTITY.key());
    assertThat(credentials.certificate()).isEqualTo(IDENTITY.chain().getFirst());
    assertThat(credentials.trusted()).containsExactly(AUTHORITY.certificate());
    assertUnusable(own, "another", "neither PEM nor PKCS12, or the password is wrong");
    assertUnusable(own, null, "(none was given)");
  }

  /** The key in PKCS8, encrypted. */
  private static byte[] encrypted(String algorithm, boolean pbes2) throws Exception {
    byte[] salt = new byte[16];
    new SecureRandom().nextBytes(salt);
    SecretKey key =
        SecretKeyFactory.getInstance(algorithm)
            .generateSecret(new PBEKeySpec("password".toCharArray()));
    Cipher cipher = Cipher.getInstance(algorithm);
    cipher.init(Cipher.ENCRYPT_MODE, key, new PBEParameterSpec(salt, 10_000));
    AlgorithmParameters parameters = cipher.getParameters();
    if (pbes2) {
      parameters = AlgorithmParameters.getInstance("PBES2");
      parameters.init(cipher.getParameters().getEncoded());
    }
    return new EncryptedPrivateKeyInfo(parameters, cipher.doFinal(IDENTITY.key().getEncoded()))
        .getEncoded();
  }

  @ParameterizedTest
  @CsvSource({"PBEWithHmacSHA256AndAES_256,true", "PBEWithSHA1AndDESede,false"})
  void shouldReadEncryptedPem(String algorithm, boolean pbes2) throws Exception {
    byte[] encrypted = encrypted(algorithm, pbes2);
    Path own = identity(TestCertificates.pem("ENCRYPTED PRIVATE KEY", encrypted) + certificate());
    Tls tls = Tls.load(own, trust(), "password".toCharArray());
    assertThat(tls.credentials().key()).isEqualTo(IDENTITY.key());
    assertUnusable(own, "another", "the password is wrong");
    assertUnusable(own, null, "its key is encrypted, and no password was given");
  }

  @Test
  void shouldNameTheArgumentThatIsNotThere() {
    Path file = Path.of("any.pem");
    assertThatThrownBy(() -> Tls.load(null, file, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("identity must not be null");
    assertThatThrownBy(() -> Tls.load(file, null, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("trust must not be null");
  }

  @Test
  void shouldSayWhatIsWrongWithAFile() throws IOException {
    String key = TestCertificates.pem("PRIVATE KEY", IDENTITY.key().getEncoded());
    assertUnusable(folder.resolve("none.pem"), null, "there is no such file");
    assertUnusable(identity("something else"), null, "it is neither PEM nor PKCS12");
    assertUnusable(identity(certificate()), null, "it has no private key");
    assertUnusable(identity(key), null, "it has no certificate");
    assertUnusable(
        identity(TestCertificates.pem("EC PRIVATE KEY", new byte[10]) + certificate()),
        null,
        "the old form EC PRIVATE KEY; convert it with openssl pkcs8 -topk8");
    assertUnusable(
        identity(TestCertificates.pem("PRIVATE KEY", new byte[10]) + certificate()),
        null,
        "its key is of none of the algorithms");
    Identity other = AUTHORITY.issue("other");
    assertUnusable(
        identity(TestCertificates.pem("PRIVATE KEY", other.key().getEncoded()) + certificate()),
        null,
        "its first certificate is not that of its key: subject=CN=one");
    Path empty = Files.writeString(folder.resolve("empty.pem"), key);
    Path own = identity(key + certificate());
    assertThatThrownBy(() -> Tls.load(own, empty, null))
        .hasMessage("cannot use TLS file " + empty + ": it has no trusted certificate");
  }

  @Test
  void shouldNotChooseAmongSeveralKeys() throws IOException {
    String key = TestCertificates.pem("PRIVATE KEY", IDENTITY.key().getEncoded());
    Identity other = AUTHORITY.issue("other", TlsNames.of("test", 2));
    String otherKey = TestCertificates.pem("PRIVATE KEY", other.key().getEncoded());
    assertUnusable(
        identity(otherKey + key + certificate()), null, "it has more than one private key");
    Path own = folder.resolve("several.p12");
    TestCertificates.writePkcs12(own, "password", IDENTITY, other);
    assertUnusable(own, "password", "it has more than one private key");
  }

  @Test
  void shouldSayWhichCurveThisJavaCannotSignOn() throws IOException {
    String key = TestCertificates.pem("PRIVATE KEY", Base64.getMimeDecoder().decode(SECP256K1));
    assertUnusable(
        identity(key + certificate()),
        null,
        "this Java cannot sign with its key: Curve not supported: secp256k1");
  }

  @Test
  void shouldSayWhatAFileInPkcs12Lacks() throws Exception {
    Path keyOnly = folder.resolve("key-only.p12"); // as openssl pkcs12 -export -nocerts makes it
    TestCertificates.writePkcs12(
        keyOnly, "password", encrypted("PBEWithHmacSHA256AndAES_256", true));
    assertUnusable(keyOnly, "password", "it has no certificate");

    Path secret = folder.resolve("secret.p12");
    SecretKey aes = new SecretKeySpec(new byte[16], "AES");
    TestCertificates.writePkcs12(secret, "password", aes);
    assertUnusable(secret, "password", "it has no private key");

    Path own = folder.resolve("own.p12");
    TestCertificates.writePkcs12(own, "password", IDENTITY);
    Path trust = folder.resolve("identity-as-trust.p12");
    Files.copy(own, trust);
    assertThatThrownBy(() -> Tls.load(own, trust, "password".toCharArray()))
        .hasMessageContaining("it has no trusted certificate")
        .hasMessageContaining("keytool -importcert");
  }

  @Test
  void shouldNotPassOverABlockThatIsDamaged() throws IOException {
    String ca = Files.readString(trust());
    String key = TestCertificates.pem("PRIVATE KEY", IDENTITY.key().getEncoded());
    Path own = identity(key + certificate());
    for (String damaged :
        List.of(
            ca + ca.substring(0, ca.length() / 2), // half-written
            ca.replace("END CERTIFICATE-----", "END CERTIFICATE----") + ca,
            ca.replace("\n", "\n#") + ca)) {
      Path trust = Files.writeString(folder.resolve("damaged.pem"), damaged);
      assertThatThrownBy(() -> Tls.load(own, trust, null))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cannot use TLS file " + trust + ": ")
          .hasMessageContaining("a block CERTIFICATE is damaged");
    }
    String encrypted =
        """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-256-CBC,00

        AAAA
        -----END EC PRIVATE KEY-----
        """;
    assertUnusable(
        identity(encrypted + certificate()),
        "password",
        "the old form EC PRIVATE KEY; convert it with openssl pkcs8 -topk8");
  }

  @Test
  void shouldNotUseAnExpiredCertificate() {
    Instant now = Instant.now();
    Path own = folder.resolve("own.pem");
    TestCertificates.writePem(
        own, AUTHORITY.issue("old", now.minusSeconds(7200), now.minusSeconds(3600)));
    assertUnusable(own, null, "not now");
  }

  @Test
  void shouldNameNodesOfClustersWithAnyName() {
    assertThat(TlsNames.of("test", 7)).isEqualTo("ringwire://test/node/7");
    assertThat(TlsNames.of("ä b+c*/x", 0)).isEqualTo("ringwire://%C3%A4%20b%2Bc%2A%2Fx/node/0");
    for (String cluster : new String[] {"test", "ä b+c*/x", "a_b.c-d", "x/node/1"}) {
      Identity some =
          AUTHORITY.issue(
              "some",
              TlsNames.of(cluster, 65_535),
              TlsNames.of(cluster, 0),
              TlsNames.of("other", 3),
              "ringwire://" + cluster.replaceAll("[^a-z_.-]", "") + "/node/65536",
              "ringwire://test/node/007",
              "http://test/node/8",
              "host.example.org");
      assertThat(TlsNames.nodeIds(some.chain().getFirst(), cluster)).containsExactly(0, 65_535);
    }
  }
}
