package org.ringwire.transport;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.TestCertificates;
import org.ringwire.transport.tcp.TcpTransportProvider;

/** Leading a link with TLS. */
class TlsLeadSpiTest extends LeadSpiTest {

  private static final TestCertificates AUTHORITY = new TestCertificates("lead");

  @TempDir private Path folder;

  @Override
  TransportProvider provider() {
    return new TlsProvider(
        new TcpTransportProvider(), id -> AUTHORITY.tls(folder, "default", id), 0);
  }

  @Override
  String address() {
    return "127.0.0.1:0";
  }

  @Override
  int requests() {
    return 500;
  }

  @Override
  int closes() {
    return 8;
  }
}
