package org.ringwire;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/** Reads keys and certificates, and says in one sentence what is wrong with a file. */
final class TlsFiles {

  private static final Pattern BEGIN = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----");

  private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/=\\s]*");

  private static final List<String> KEY_ALGORITHMS = List.of("EC", "RSA", "EdDSA");

  private TlsFiles() {}

  /** What one file holds. */
  private record Content(@Nullable PrivateKey key, List<X509Certificate> certificates) {}

  /** Reads and checks both files. */
  static Tls.Credentials read(Path identity, Path trust, char @Nullable [] password) {
    Content own = content(identity, password, true);
    PrivateKey key = own.key();
    if (key == null) {
      throw unusable(identity, "it has no private key");
    }
    if (own.certificates().isEmpty()) {
      throw unusable(identity, "it has no certificate");
    }
    X509Certificate certificate = own.certificates().getFirst();
    try {
      certificate.checkValidity();
    } catch (CertificateException e) {
      throw unusable(
          identity,
          "its certificate is valid from "
              + certificate.getNotBefore().toInstant()
              + " to "
              + certificate.getNotAfter().toInstant()
              + ", not now");
    }
    requirePair(identity, key, certificate);
    List<X509Certificate> trusted = content(trust, password, false).certificates();
    if (trusted.isEmpty()) {
      throw unusable(trust, "it has no trusted certificate");
    }
    return new Tls.Credentials(key, own.certificates(), trusted);
  }

  private static Content content(Path file, char @Nullable [] password, boolean identity) {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw unusable(file, "there is no such file");
    } catch (IOException e) {
      throw unusable(file, e.getClass().getSimpleName() + ": " + e.getMessage());
    }
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    try {
      return text.contains("-----BEGIN ")
          ? pem(file, text, password, identity)
          : pkcs12(file, bytes, password, identity);
    } catch (GeneralSecurityException | IOException e) {
      throw unusable(file, String.valueOf(e.getMessage()));
    }
  }

  private static Content pkcs12(
      Path file, byte[] bytes, char @Nullable [] password, boolean identity)
      throws GeneralSecurityException {
    char[] secret = password == null ? new char[0] : password;
    KeyStore store = KeyStore.getInstance("PKCS12");
    try {
      store.load(new ByteArrayInputStream(bytes), secret);
    } catch (IOException | GeneralSecurityException e) {
      throw unusable(
          file,
          "it is neither PEM nor PKCS12, or the password is wrong"
              + (password == null ? " (none was given)" : ""));
    }
    PrivateKey key = null;
    List<X509Certificate> certificates = new ArrayList<>();
    for (String alias : Collections.list(store.aliases())) {
      if (!identity && store.isCertificateEntry(alias)) {
        certificates.add((X509Certificate) store.getCertificate(alias));
      } else if (identity
          && store.isKeyEntry(alias)
          && store.getKey(alias, secret) instanceof PrivateKey found) {
        key = only(file, key, found);
        Certificate[] chain = store.getCertificateChain(alias); // null without certificate
        for (Certificate certificate : chain == null ? new Certificate[0] : chain) {
          certificates.add((X509Certificate) certificate);
        }
      }
    }
    if (!identity && certificates.isEmpty()) {
      throw unusable(
          file,
          "it has no trusted certificate; in PKCS12 one is made by keytool -importcert,"
              + " not by openssl pkcs12");
    }
    return new Content(key, certificates);
  }

  private static Content pem(Path file, String text, char @Nullable [] password, boolean identity)
      throws GeneralSecurityException, IOException {
    PrivateKey key = null;
    List<X509Certificate> certificates = new ArrayList<>();
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    Matcher begin = BEGIN.matcher(text);
    while (begin.find()) {
      String kind = begin.group(1);
      String body = body(file, text, kind, begin.end());
      if (kind.equals("CERTIFICATE")) {
        byte[] bytes = decoded(file, kind, body);
        certificates.add(
            (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(bytes)));
      } else if (identity && kind.endsWith("PRIVATE KEY")) {
        key = only(file, key, privateKey(file, kind, body, password));
      }
    }
    return new Content(key, certificates);
  }

  /** The key of a file, unless it has another one: which of them was meant, nobody can know. */
  private static PrivateKey only(Path file, @Nullable PrivateKey before, PrivateKey found) {
    if (before != null) {
      throw unusable(file, "it has more than one private key; the node's is to be the only one");
    }
    return found;
  }

  /** What a block holds. One that has no end would hide others, or that the file is half there. */
  private static String body(Path file, String text, String kind, int start) {
    int end = text.indexOf("-----END " + kind + "-----", start);
    int next = text.indexOf("-----BEGIN ", start);
    if (end < 0 || (next >= 0 && next < end)) {
      throw damaged(file, kind);
    }
    return text.substring(start, end);
  }

  private static byte[] decoded(Path file, String kind, String body) {
    try {
      if (BASE64.matcher(body).matches()) {
        return Base64.getMimeDecoder().decode(body);
      }
    } catch (IllegalArgumentException e) {
      // as below
    }
    throw damaged(file, kind);
  }

  private static IllegalArgumentException damaged(Path file, String kind) {
    return unusable(file, "a block " + kind + " is damaged");
  }

  private static PrivateKey privateKey(
      Path file, String kind, String body, char @Nullable [] password)
      throws GeneralSecurityException, IOException {
    if (kind.equals("PRIVATE KEY")) {
      return privateKey(file, new PKCS8EncodedKeySpec(decoded(file, kind, body)));
    }
    if (!kind.equals("ENCRYPTED PRIVATE KEY")) {
      throw unusable(
          file, "its key has the old form " + kind + "; convert it with openssl pkcs8 -topk8");
    }
    if (password == null) {
      throw unusable(file, "its key is encrypted, and no password was given");
    }
    EncryptedPrivateKeyInfo encrypted = new EncryptedPrivateKeyInfo(decoded(file, kind, body));
    AlgorithmParameters parameters = encrypted.getAlgParameters();
    // For PBES2 the parameters know the whole name, the algorithm only a part of it.
    String algorithm =
        parameters != null && encrypted.getAlgName().startsWith("PBES2")
            ? parameters.toString()
            : encrypted.getAlgName();
    try {
      return privateKey(
          file,
          encrypted.getKeySpec(
              SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(password))));
    } catch (GeneralSecurityException e) {
      throw unusable(file, "its key cannot be decrypted: the password is wrong");
    }
  }

  private static PrivateKey privateKey(Path file, PKCS8EncodedKeySpec spec)
      throws GeneralSecurityException {
    for (String algorithm : KEY_ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException e) {
        // it is of another algorithm
      }
    }
    throw unusable(
        file,
        "its key is of none of the algorithms "
            + KEY_ALGORITHMS
            + ", or has parameters that this Java does not know");
  }

  private static void requirePair(Path file, PrivateKey key, X509Certificate certificate) {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> "EdDSA";
        };
    byte[] text = "ringwire".getBytes(StandardCharsets.US_ASCII);
    byte[] signed = signed(file, algorithm, key, text);
    boolean pair;
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initVerify(certificate.getPublicKey());
      signature.update(text);
      pair = signature.verify(signed);
    } catch (GeneralSecurityException e) {
      pair = false; // of another algorithm or curve
    }
    if (!pair) {
      throw unusable(
          file,
          "its first certificate is not that of its key: subject="
              + certificate.getSubjectX500Principal());
    }
  }

  /** There are curves that a Java reads keys of, and does not sign with. */
  private static byte[] signed(Path file, String algorithm, PrivateKey key, byte[] text) {
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(text);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw unusable(file, "this Java cannot sign with its key: " + e.getMessage());
    }
  }

  private static IllegalArgumentException unusable(Path file, String why) {
    return new IllegalArgumentException("cannot use TLS file " + file + ": " + why);
  }
}
