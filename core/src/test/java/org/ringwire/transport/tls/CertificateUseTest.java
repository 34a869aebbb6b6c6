package org.ringwire.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.transport.tls.CertificateUse.CLIENT;
import static org.ringwire.transport.tls.CertificateUse.SERVER;

import java.security.cert.X509Certificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.TestCertificates;

@ExtendWith(NodeWatcher.class)
class CertificateUseTest {
  private static final TestCertificates AUTHORITY = new TestCertificates("authority");

  private static X509Certificate limited(byte[] limit) {
    return AUTHORITY.issueLimited("x", limit, "x").chain().getFirst();
  }

  @Test
  void shouldHaveNothingAgainstCertificatesWithoutLimits() {
    X509Certificate certificate = AUTHORITY.issue("x", "x").chain().getFirst();
    assertThat(CLIENT.objection(certificate)).isNull();
    assertThat(SERVER.objection(certificate)).isNull();
    X509Certificate any = limited(TestCertificates.forAnyPurpose());
    assertThat(CLIENT.objection(any)).isNull();
    assertThat(SERVER.objection(any)).isNull();
  }

  @Test
  void shouldNameThePurposeThatIsMissing() {
    X509Certificate server = limited(TestCertificates.forPurpose(1));
    assertThat(SERVER.objection(server)).isNull();
    assertThat(CLIENT.objection(server)).contains("extendedKeyUsage has no clientAuth");
    X509Certificate client = limited(TestCertificates.forPurpose(2));
    assertThat(CLIENT.objection(client)).isNull();
    assertThat(SERVER.objection(client)).contains("extendedKeyUsage has no serverAuth");
  }

  @Test
  void shouldNameKeysThatMayNotSign() {
    X509Certificate certificate = limited(TestCertificates.forKeyEncipherment());
    assertThat(CLIENT.objection(certificate)).contains("keyUsage has no digitalSignature");
    assertThat(SERVER.objection(certificate)).contains("keyUsage has no digitalSignature");
  }
}
