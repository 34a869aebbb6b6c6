package org.ringwire.transport.tcp;

import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;

/** Makes {@code tcp} transports. */
public final class TcpTransportProvider implements TransportProvider {

  /** For the service loader. */
  public TcpTransportProvider() {}

  @Override
  public String name() {
    return "tcp";
  }

  @Override
  public Transport open(TransportConfig config) {
    return TcpTransport.open(config);
  }
}
