package org.ringwire.transport.loopback;

import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;

/** Makes {@code loopback} transports. */
public final class LoopbackTransportProvider implements TransportProvider {

  /** For the service loader. */
  public LoopbackTransportProvider() {}

  @Override
  public String name() {
    return "loopback";
  }

  @Override
  public Transport open(TransportConfig config) {
    if (config.tls() != null) {
      throw new IllegalArgumentException(
          "the transport loopback stays within a process and has no TLS: use tcp, or no TLS");
    }
    return LoopbackTransport.open(config);
  }
}
