package org.ringwire.transport;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.TestCertificates;

class TlsSpiTest extends TcpSpiTest {

  private static final TestCertificates AUTHORITY = new TestCertificates("spi");

  @TempDir private Path folder;

  @Override
  protected TransportProvider provider() {
    return new TlsProvider(medium(), id -> AUTHORITY.tls(folder, "default", id), keyUpdateBytes());
  }

  /** A thousand handshakes would take half a minute. */
  @Override
  protected int races() {
    return Boolean.getBoolean("ringwire.nightly") ? super.races() : 3;
  }

  protected TransportProvider medium() {
    return super.provider();
  }

  protected long keyUpdateBytes() {
    return 0;
  }
}
