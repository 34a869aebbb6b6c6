package org.ringwire.transport.tls;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.ringwire.Tls;
import org.ringwire.Tls.Credentials;
import org.ringwire.TlsNames;

/**
 * Makes the engines of links, with the credentials of the moment. Sessions belong to credentials:
 * after a change nothing of the old ones is resumed. Any thread.
 */
final class TlsContexts {

  private static final System.Logger LOGGER = System.getLogger("org.ringwire");

  /**
   * How long a session is resumed by a client, and by a server without another look at what it
   * trusts ({@link ClusterTrust#identifyPeer}): that was checked so long ago at most.
   */
  static final int SESSION_SECONDS = 3600;

  /** The JDK would prefer keys of 256 bits, which cost a message of 16 KiB a seventh more. */
  private static final String PREFERRED_SUITE = "TLS_AES_128_GCM_SHA256";

  /**
   * Who agrees on it (RFC 7301) knows links back ({@link TlsOpening}), and as a server gives a
   * ticket right after the handshake.
   */
  static final String PROTOCOL = "ringwire/1";

  /** The only one; properties such as jdk.tls.client.protocols are of other connections. */
  static final String VERSION = "TLSv1.3";

  /** What an operator may have said about cipher suites; it is left as it is then. */
  private static final List<String> SUITE_PROPERTIES =
      List.of("jdk.tls.client.cipherSuites", "jdk.tls.server.cipherSuites");

  private final Tls tls;
  private final String cluster;
  private final int nodeId;
  private volatile Made made;
  private volatile Credentials seen;

  /** Of which certificates was said which links they are not for. */
  private final Set<String> warnings = ConcurrentHashMap.newKeySet();

  /** A context, and what was used to make it. */
  private record Made(SSLContext context, ClusterTrust trust, X509Certificate certificate) {}

  /** An engine that was not used so far, and the trust that its peer needs. */
  record Engine(SSLEngine engine, ClusterTrust trust) {}

  /**
   * Prepares the first context.
   *
   * @throws IllegalArgumentException if the certificate is not for this node
   */
  TlsContexts(Tls tls, String cluster, int nodeId) {
    this.tls = tls;
    this.cluster = cluster;
    this.nodeId = nodeId;
    seen = tls.credentials();
    made = make(seen);
    FirstHandshake.rehearse(() -> make(seen).context()); // whose sessions are not those of links
  }

  private Made make(Credentials credentials) {
    Set<Integer> ids = TlsNames.nodeIds(credentials.certificate(), cluster);
    if (!ids.contains(nodeId)) {
      throw new IllegalArgumentException(
          "the TLS certificate is not for this node: expected="
              + TlsNames.of(cluster, nodeId)
              + " actual="
              + TlsNames.all(credentials.certificate())
              + " subject="
              + credentials.certificate().getSubjectX500Principal());
    }
    try {
      ClusterTrust trust = ClusterTrust.in(credentials.trusted(), cluster);
      SSLContext context = SSLContext.getInstance(VERSION); // "TLS" is what properties make of it
      context.init(
          new KeyManager[] {new SingleIdentity(credentials)}, new TrustManager[] {trust}, null);
      context.getClientSessionContext().setSessionTimeout(SESSION_SECONDS);
      context.getServerSessionContext().setSessionTimeout(SESSION_SECONDS);
      context.createSSLEngine().closeOutbound(); // what says farewell is there when memory is not
      return new Made(context, trust, credentials.certificate());
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("TLS cannot be set up: " + e.getMessage(), e);
    }
  }

  /** Certificates checked with the credentials of the moment. */
  long checks() {
    return made.trust().checks();
  }

  /** Whether servers give tickets, which an operator may have switched off for the whole JVM. */
  static boolean givesTickets() {
    return Integer.getInteger("jdk.tls.server.newSessionTicketCount", 1) != 0;
  }

  private Made current() {
    Credentials now = tls.credentials();
    if (!now.equals(seen)) {
      renew(now);
    }
    return made;
  }

  private synchronized void renew(Credentials now) {
    if (now.equals(seen)) {
      return;
    }
    try {
      made = make(now);
      seen = now; // not where there was no heap for it: the next link tries again
      LOGGER.log(System.Logger.Level.INFO, "node " + nodeId + ": new TLS credentials: " + now);
    } catch (RuntimeException e) { // whatever it is, the credentials in use are better
      seen = now;
      LOGGER.log(
          System.Logger.Level.WARNING,
          "node " + nodeId + ": the TLS credentials in use stay as they are: " + e.getMessage());
    }
  }

  /**
   * An engine for a link that this side opens.
   *
   * @param address of the peer; sessions are resumed by it
   */
  Engine client(String address) {
    Made current = current();
    warn(current.certificate(), CertificateUse.CLIENT, "that this node opens");
    SSLEngine engine = current.context().createSSLEngine(address, 1);
    engine.setUseClientMode(true);
    return new Engine(configured(engine), current.trust());
  }

  /** An engine for a link that a peer opens. */
  Engine server() {
    Made current = current();
    warn(current.certificate(), CertificateUse.SERVER, "to this node");
    SSLEngine engine = current.context().createSSLEngine();
    engine.setUseClientMode(false);
    return new Engine(configured(engine), current.trust());
  }

  /** Only when it matters: who opens no link needs no certificate for clients. */
  private void warn(X509Certificate certificate, CertificateUse use, String links) {
    String objection = use.objection(certificate);
    if (objection != null && warnings.add(links + certificate.getSerialNumber())) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "node " + nodeId + ": peers refuse links " + links + ": its certificate " + objection);
    }
  }

  /** Sets what all engines of links have in common. */
  static SSLEngine configured(SSLEngine engine) {
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(new String[] {VERSION});
    parameters.setNeedClientAuth(true);
    parameters.setApplicationProtocols(new String[] {PROTOCOL});
    parameters.setServerNames(List.of()); // peers are known by node id, not by host
    if (SUITE_PROPERTIES.stream().allMatch(name -> System.getProperty(name) == null)) {
      parameters.setCipherSuites(ordered(parameters.getCipherSuites()));
    }
    engine.setSSLParameters(parameters);
    return engine;
  }

  /** The same suites, the fast one first if it is among them. */
  static String[] ordered(String[] enabled) {
    return Stream.of(enabled)
        .sorted(Comparator.comparing(suite -> !suite.equals(PREFERRED_SUITE)))
        .toArray(String[]::new);
  }
}
