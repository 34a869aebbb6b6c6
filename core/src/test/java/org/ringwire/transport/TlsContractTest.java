package org.ringwire.transport;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.TestCertificates;

/** Every promise again over TLS; each node has a certificate of its own. */
class TlsContractTest extends TcpContractTest {

  private static final TestCertificates AUTHORITY = new TestCertificates("contract");

  @TempDir private Path folder;

  @Override
  protected TransportProvider provider() {
    return new TlsProvider(medium(), id -> AUTHORITY.tls(folder, "default", id), keyUpdateBytes());
  }

  protected TransportProvider medium() {
    return super.provider();
  }

  protected long keyUpdateBytes() {
    return 0;
  }

  @Override
  protected int many() {
    return 50_000;
  }
}
