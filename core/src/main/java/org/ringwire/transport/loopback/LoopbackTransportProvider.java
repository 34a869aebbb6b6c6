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
    return LoopbackTransport.open(config);
  }
}
