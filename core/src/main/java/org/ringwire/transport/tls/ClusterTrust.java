package org.ringwire.transport.tls;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.ringwire.TlsNames;
import org.ringwire.transport.PeerIdentity;

/**
 * Whom a node believes: whose certificate is valid now, leads to a trusted one, and is for a node
 * of the cluster. Which node it is for is compared later with what the peer says of itself, see
 * {@link org.ringwire.transport.Link#peer}. Host names and addresses do not count. Immutable.
 */
final class ClusterTrust extends X509ExtendedTrustManager {

  /** Characters that are told of what a certificate, or who has checked it, says. */
  private static final int MOST_SHOWN = 400;

  private final String cluster;
  private final List<X509Certificate> trusted;
  private final X509ExtendedTrustManager paths;
  private final LongAdder checks = new LongAdder();

  private ClusterTrust(
      String cluster, List<X509Certificate> trusted, X509ExtendedTrustManager paths) {
    this.cluster = cluster;
    this.trusted = trusted;
    this.paths = paths;
  }

  /** Trust in what leads to one of these certificates and is for a node of the cluster. */
  static ClusterTrust in(List<X509Certificate> trusted, String cluster)
      throws GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try {
      store.load(null, null);
    } catch (IOException e) {
      throw new GeneralSecurityException("an empty store needs no input", e);
    }
    for (int i = 0; i < trusted.size(); i++) {
      store.setCertificateEntry("trusted-" + i, trusted.get(i));
    }
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(store);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509ExtendedTrustManager paths) {
        return new ClusterTrust(cluster, trusted, paths);
      }
    }
    throw new GeneralSecurityException("this JDK cannot check certificates");
  }

  /** How many certificates were checked so far: a session that is resumed soon needs no check. */
  long checks() {
    return checks.sum();
  }

  /**
   * Who has proved to own a certificate that leads to a trusted one.
   *
   * @throws CertificateException if it is not valid now, or for no node of the cluster
   */
  PeerIdentity identify(X509Certificate certificate) throws CertificateException {
    requireValidity(certificate);
    Set<Integer> nodeIds = TlsNames.nodeIds(certificate, cluster);
    if (nodeIds.isEmpty()) {
      List<String> names = TlsNames.all(certificate);
      throw new CertificateException(
          "the peer's certificate is for no node of this cluster: expected="
              + TlsNames.of(cluster, 0).replaceFirst("0$", "ID")
              + " actual="
              + (names.isEmpty() ? "no such name" : shown(names))
              + " "
              + subject(certificate));
    }
    return new PeerIdentity(nodeIds, "certificate for " + TlsNames.all(certificate));
  }

  /**
   * The same of an engine's peer, after the handshake.
   *
   * @throws SSLException if its certificate is not valid now, or for no node of the cluster
   */
  PeerIdentity identifyPeer(SSLEngine engine) throws SSLException {
    return identifyPeer(engine, System.currentTimeMillis());
  }

  /**
   * The same at a time, as {@link System#currentTimeMillis}.
   *
   * <p>A session that is resumed brings certificates that were checked when it began. A client of
   * the JDK resumes none that is too old. A server resumes those of any age, with tickets that it
   * renews each time, so that a client which does not look at the time could go on for ever.
   */
  PeerIdentity identifyPeer(SSLEngine engine, long nowMs) throws SSLException {
    SSLSession session = engine.getSession();
    Certificate[] chain = session.getPeerCertificates();
    X509Certificate certificate = (X509Certificate) chain[0];
    long ageMs = nowMs - session.getCreationTime();
    boolean old = ageMs < 0 || ageMs > TlsContexts.SESSION_SECONDS * 1000L;
    try {
      if (old && !engine.getUseClientMode()) {
        checkClientTrusted(
            Arrays.copyOf(chain, chain.length, X509Certificate[].class),
            certificate.getPublicKey().getAlgorithm());
      }
      return identify(certificate);
    } catch (CertificateException e) {
      throw new SSLException(e.getMessage(), e);
    }
  }

  private static void requireValidity(X509Certificate certificate) throws CertificateException {
    try {
      certificate.checkValidity();
    } catch (CertificateExpiredException e) {
      throw invalid(
          "has expired: notAfter=" + certificate.getNotAfter().toInstant(),
          certificate,
          BasicReason.EXPIRED);
    } catch (CertificateNotYetValidException e) {
      throw invalid(
          "is not valid yet: notBefore=" + certificate.getNotBefore().toInstant(),
          certificate,
          BasicReason.NOT_YET_VALID);
    }
  }

  /** The cause decides which alert the peer gets. */
  private static CertificateException invalid(
      String what, X509Certificate certificate, BasicReason reason) {
    String text = "the peer's certificate " + what + " now=" + Instant.now() + " ";
    return new CertificateException(
        text + subject(certificate), new CertPathValidatorException(what, null, null, -1, reason));
  }

  private static String subject(X509Certificate certificate) {
    return "subject=" + shown(certificate.getSubjectX500Principal());
  }

  /** Anybody can make a certificate, and this may go to a log: in short, and on one line. */
  private static String shown(Object said) {
    String text = String.valueOf(said);
    String cut = text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...";
    return cut.replaceAll("\\p{Cc}", ".");
  }

  private interface PathCheck {
    void run() throws CertificateException;
  }

  private void check(X509Certificate[] chain, CertificateUse use, PathCheck pathCheck)
      throws CertificateException {
    checks.increment();
    requireValidity(chain[0]);
    try {
      pathCheck.run();
    } catch (CertificateException e) {
      throw refusal(chain[0], use, e);
    }
    PeerIdentity _ = identify(chain[0]);
  }

  private CertificateException refusal(
      X509Certificate certificate, CertificateUse use, CertificateException failure) {
    String objection = use.objection(certificate);
    String what =
        objection != null
            ? objection
            : "does not lead to one that this node trusts: expected="
                + trusted.stream().map(root -> root.getSubjectX500Principal().toString()).toList();
    String text =
        "the peer's certificate "
            + what
            + " issuer="
            + shown(certificate.getIssuerX500Principal())
            + " "
            + subject(certificate)
            + ": "
            + shown(String.valueOf(failure.getMessage()));
    return new CertificateException(text, failure.getCause());
  }

  @Override
  public void checkClientTrusted(
      X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
      throws CertificateException {
    check(chain, CertificateUse.CLIENT, () -> paths.checkClientTrusted(chain, authType, engine));
  }

  @Override
  public void checkServerTrusted(
      X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
      throws CertificateException {
    check(chain, CertificateUse.SERVER, () -> paths.checkServerTrusted(chain, authType, engine));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    check(chain, CertificateUse.CLIENT, () -> paths.checkClientTrusted(chain, authType, socket));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    check(chain, CertificateUse.SERVER, () -> paths.checkServerTrusted(chain, authType, socket));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    check(chain, CertificateUse.CLIENT, () -> paths.checkClientTrusted(chain, authType));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    check(chain, CertificateUse.SERVER, () -> paths.checkServerTrusted(chain, authType));
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return paths.getAcceptedIssuers();
  }
}
