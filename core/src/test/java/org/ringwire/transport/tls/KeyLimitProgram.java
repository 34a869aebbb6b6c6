package org.ringwire.transport.tls;

import java.nio.file.Path;
import java.security.Security;
import org.ringwire.transport.PatternSource;
import org.ringwire.transport.ProbeHandler;

/** Two transports whose engines ask for new keys with each record, as their user wants it. */
final class KeyLimitProgram {

  private static final int PIECES = 60_000;
  private static final int LENGTH = 1500;

  private KeyLimitProgram() {}

  public static void main(String[] args) throws Exception {
    Security.setProperty(
        "jdk.tls.keyLimits", "AES/GCM/NoPadding KeyUpdate 2^10, ChaCha20-Poly1305 KeyUpdate 2^10");
    try (TlsTransports transports = new TlsTransports(Path.of(System.getProperty("folder")));
        PatternSource source = new PatternSource(1, LENGTH)) {
      ProbeHandler server = new ProbeHandler();
      ProbeHandler client =
          new ProbeHandler() {
            @Override
            protected void resume() {
              source.resume(link());
            }

            @Override
            public void closed(Throwable cause) {
              System.out.println("closed: " + cause);
              super.closed(cause);
            }
          };
      String address = TlsTransports.listen(transports.open(1), server);
      transports.open(2).connect(address, client);
      for (int i = 0; i < PIECES; i++) {
        source.offer(client.link(), LENGTH);
      }
      server.awaitReceived((long) PIECES * LENGTH);
      System.out.println("received all, closed: " + client.isClosed());
    }
    System.exit(0);
  }
}
