package org.ringwire.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.transport.tls.TlsTransports.listen;
import static org.ringwire.transport.tls.TlsTransports.socket;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.TestCertificates;
import org.ringwire.transport.ProbeHandler;

/** What is said of links that TLS has failed. */
@ExtendWith(NodeWatcher.class)
class TlsFailureTest {

  @TempDir private Path folder;

  /** Its farewell has no keys yet, when this side has, so the engine takes it for an attack. */
  @Test
  void shouldSayThatThePeerGaveTheHandshakeUp() throws IOException {
    ProbeHandler server = new ProbeHandler();
    try (TlsTransports transports = new TlsTransports(folder)) {
      String address = listen(transports.open(1), server);
      SSLEngine client =
          TestCertificates.context(transports.identity(2), transports.authority().certificate())
              .createSSLEngine();
      client.setUseClientMode(true);
      try (Socket socket = socket(address)) {
        ByteBuffer records = ByteBuffer.allocate(1 << 16);
        client.wrap(ByteBuffer.allocate(0), records); // its hello
        client.closeOutbound();
        client.wrap(ByteBuffer.allocate(0), records);
        socket.getOutputStream().write(records.array(), 0, records.position());

        assertThat(server.cause())
            .isInstanceOf(SSLException.class)
            .hasMessageContaining("the peer gave the handshake up");
      }
    }
  }
}
