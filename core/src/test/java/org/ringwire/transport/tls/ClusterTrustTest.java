package org.ringwire.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.TlsNames;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.TestCertificates;
import org.ringwire.testing.TestCertificates.Identity;

/** Whom a node believes whose certificates were checked when its session began, and not since. */
@ExtendWith(NodeWatcher.class)
class ClusterTrustTest {

  private static final String CLUSTER = "default";
  private static final Duration YOUNG = Duration.ofMinutes(59);
  private static final Duration OLD = Duration.ofMinutes(61);

  @TempDir private Path folder;

  private final TestCertificates authority = new TestCertificates("first");
  private SSLEngine client;
  private SSLEngine server;
  private long begunMs;

  @BeforeEach
  void shakeHands() throws SSLException {
    server = new TlsContexts(authority.tls(folder, CLUSTER, 1), CLUSTER, 1).server().engine();
    client = new TlsContexts(authority.tls(folder, CLUSTER, 2), CLUSTER, 2).client("one").engine();
    FirstHandshake.run(client, server);
    begunMs = server.getSession().getCreationTime();
  }

  private static ClusterTrust trustIn(TestCertificates trusted) throws Exception {
    return ClusterTrust.in(List.of(trusted.certificate()), CLUSTER);
  }

  @Test
  void shouldCheckTheCertificatesOfAnOldSessionAgain() throws Exception {
    ClusterTrust trust = trustIn(authority);

    assertThat(trust.identifyPeer(server, begunMs + YOUNG.toMillis()).nodeIds()).containsExactly(2);
    assertThat(trust.checks()).isZero();
    assertThat(trust.identifyPeer(server, begunMs + OLD.toMillis()).nodeIds()).containsExactly(2);
    assertThat(trust.checks()).isEqualTo(1);
  }

  @Test
  void shouldNotBelieveAnOldSessionWhatIsNotTrustedByNow() throws Exception {
    ClusterTrust trust = trustIn(new TestCertificates("second"));

    assertThat(trust.identifyPeer(server, begunMs + YOUNG.toMillis()).nodeIds()).containsExactly(2);
    assertThatThrownBy(() -> trust.identifyPeer(server, begunMs + OLD.toMillis()))
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("does not lead to one that this node trusts");
  }

  /** The JDK does so for a client, which asks for no session that is too old. */
  @Test
  void shouldLeaveTheAgeOfItsOwnSessionsToTheClient() throws Exception {
    ClusterTrust trust = trustIn(authority);

    assertThat(trust.identifyPeer(client, begunMs + OLD.toMillis()).nodeIds()).containsExactly(1);
    assertThat(trust.checks()).isZero();
  }

  /** Anybody can make a certificate, and what is told of it may go to a log. */
  @Test
  void shouldTellOnOneLineAndInShortWhatAStrangerCallsItself() throws Exception {
    ClusterTrust trust = trustIn(authority);
    String forged = "x\n01:00 node 1 is well \u001b[2K" + "y".repeat(9000);
    Identity identity = new TestCertificates(forged).issue(forged, TlsNames.of(CLUSTER, 2));
    X509Certificate[] chain = identity.chain().toArray(X509Certificate[]::new);

    assertThatThrownBy(() -> trust.checkClientTrusted(chain, "EC"))
        .isInstanceOf(CertificateException.class)
        .hasMessageContaining("does not lead to one that this node trusts")
        .hasMessageContaining("node 1 is well")
        .satisfies(failure -> assertThat(failure.getMessage()).doesNotContainPattern("\\p{Cc}"))
        .satisfies(failure -> assertThat(failure.getMessage()).hasSizeLessThan(2000));
  }
}
