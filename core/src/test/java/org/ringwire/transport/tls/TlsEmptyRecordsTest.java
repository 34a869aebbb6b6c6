package org.ringwire.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.transport.tls.TlsTransports.TCP;
import static org.ringwire.transport.tls.TlsTransports.listen;
import static org.ringwire.transport.tls.TlsTransports.socket;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.TestCertificates;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.Tap;
import org.ringwire.transport.TappedTransport;

/**
 * Peers that have a good certificate and send records without end that carry no data. Each may
 * leave something on the heap, in the JDK's engine: an answer that is not taken, a ticket.
 */
@ExtendWith(NodeWatcher.class)
class TlsEmptyRecordsTest {

  private static final int RECORDS = 20_000;

  @TempDir private Path folder;

  private final ProbeHandler server = new ProbeHandler();
  private final AtomicBoolean full = new AtomicBoolean();
  private TlsTransports transports;
  private String address;

  @BeforeEach
  void open() throws IOException {
    transports = new TlsTransports(folder);
    Tap medium =
        new Tap() {
          @Override
          public boolean write(OutboundSource source) throws IOException {
            return !full.get() && super.write(source);
          }
        };
    address = listen(transports.open(1, TappedTransport.provider(TCP, () -> medium)), server);
  }

  @AfterEach
  void close() {
    transports.close();
  }

  @Test
  void shouldEndTheLinkOfAPeerThatAsksForNewKeysAndTakesNoAnswer() throws IOException {
    SSLContext context =
        TestCertificates.context(transports.identity(2), transports.authority().certificate());
    try (Socket socket = socket(address);
        SSLSocket secured =
            (SSLSocket) context.getSocketFactory().createSocket(socket, "localhost", 1, true)) {
      secured.startHandshake();
      server.link();
      full.set(true);
      askForKeys(secured);
      assertThat(server.cause())
          .isInstanceOf(SSLException.class)
          .hasMessageContaining("records that carry nothing");
    }
  }

  /** As often as the user of the JDK wants it, which is for each record here. */
  @Test
  void shouldKeepTheLinkOfAPeerThatAnswersHoweverOftenItIsAskedForNewKeys() throws Exception {
    String output =
        JavaProgram.run(KeyLimitProgram.class, "-Xmx256m", "-Dfolder=" + folder.toAbsolutePath());
    assertThat(output).contains("received all, closed: false");
  }

  private static void askForKeys(SSLSocket secured) {
    try {
      for (int i = 0; i < RECORDS; i++) {
        secured.startHandshake(); // after the handshake this means: new keys
      }
      secured.close();
    } catch (IOException e) {
      // the link has ended
    }
  }

  /** Such as tickets, which the engine of the JDK does not make in any number. */
  @Test
  void shouldBoundWhatThePeerSaysThatHasNoAnswer() throws Exception {
    EmptyRecords empties = new EmptyRecords(SSLContext.getDefault().createSSLEngine());
    for (int i = 0; i < 10; i++) {
      empties.came(64 << 10, false); // as many tickets, and as long, as a JDK may give
    }
    for (int i = 0; i < RECORDS; i++) {
      empties.came(27, true);
      empties.says(); // the answer
      empties.says();
      empties.came(27, false); // the answer to what this side has asked for
    }
    for (int i = 0; i < RECORDS; i++) {
      empties.came(27, true); // with an answer, that allows for nothing else
      empties.says();
    }
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < RECORDS; i++) {
                empties.came(64, false);
              }
            })
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("records that carry nothing");
  }
}
