package org.ringwire.transport;

import java.time.Duration;
import java.util.function.IntFunction;
import org.ringwire.Tls;
import org.ringwire.transport.tls.TlsTransport;

/**
 * Another transport with TLS, whatever the settings say.
 *
 * @param medium the transport without
 * @param credentials by node id
 * @param keyUpdateBytes after which new keys are asked for; 0 is never
 */
record TlsProvider(TransportProvider medium, IntFunction<Tls> credentials, long keyUpdateBytes)
    implements TransportProvider {

  @Override
  public String name() {
    return "tls-" + medium.name();
  }

  @Override
  public Transport open(TransportConfig config) {
    TransportConfig secured =
        new TransportConfig(
            config.nodeId(),
            config.ioThreads(),
            config.idleStrategy(),
            config.ringCapacity(),
            Duration.ofSeconds(60), // of hundreds of handshakes at a time
            config.cluster(),
            credentials.apply(config.nodeId()));
    System.setProperty(TlsTransport.KEY_UPDATE_BYTES, String.valueOf(keyUpdateBytes));
    try {
      return TlsTransport.over(medium.open(config), secured);
    } finally {
      System.clearProperty(TlsTransport.KEY_UPDATE_BYTES);
    }
  }
}
