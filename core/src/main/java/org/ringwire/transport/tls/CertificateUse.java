package org.ringwire.transport.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The side of a handshake that shows a certificate, which may say that it is not for it. The JDK
 * checks that, too, but in words that do not tell it from a certificate of a stranger.
 */
enum CertificateUse {
  CLIENT("clients", "clientAuth", "1.3.6.1.5.5.7.3.2"),
  SERVER("servers", "serverAuth", "1.3.6.1.5.5.7.3.1");

  private static final String ANY = "2.5.29.37.0";

  private final String side;
  private final String purpose;
  private final String identifier;

  CertificateUse(String side, String purpose, String identifier) {
    this.side = side;
    this.purpose = purpose;
    this.identifier = identifier;
  }

  /**
   * Why a certificate is not for this side, for people.
   *
   * @return null if its extensions have nothing against it
   */
  @Nullable String objection(X509Certificate certificate) {
    boolean[] usage = certificate.getKeyUsage();
    if (usage != null && !usage[0]) {
      return "is not for TLS 1.3: its keyUsage has no digitalSignature";
    }
    return isFor(certificate)
        ? null
        : "is not for "
            + side
            + " of TLS: its extendedKeyUsage has no "
            + purpose
            + " (every node is client and server: give it clientAuth and serverAuth, or no such"
            + " extension)";
  }

  private boolean isFor(X509Certificate certificate) {
    try {
      List<String> purposes = certificate.getExtendedKeyUsage();
      return purposes == null || purposes.contains(identifier) || purposes.contains(ANY);
    } catch (CertificateParsingException e) {
      return true; // the JDK has its own words for it
    }
  }
}
