package org.ringwire.transport.tls;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.ringwire.transport.ProbeHandler;

/** Opens two transports and a link between them; says how many classes the link has loaded. */
final class FirstHandshakeProgram {

  private FirstHandshakeProgram() {}

  private static long loaded() {
    return ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount();
  }

  public static void main(String[] args) throws Exception {
    try (TlsTransports transports = new TlsTransports(Path.of(System.getProperty("folder")))) {
      ProbeHandler server = new ProbeHandler();
      ProbeHandler client = new ProbeHandler();
      String address = TlsTransports.listen(transports.open(1), server);
      TlsTransport connecting = transports.open(2);
      long before = loaded();
      connecting.connect(address, client);
      server.link();
      client.link();
      System.out.println("loaded: " + (loaded() - before));
    }
    System.exit(0);
  }
}
