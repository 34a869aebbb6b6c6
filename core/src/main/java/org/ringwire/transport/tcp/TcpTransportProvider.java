package org.ringwire.transport.tcp;

import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;
import org.ringwire.transport.tls.TlsTransport;

/** Makes {@code tcp} transports, with TLS where it is configured. */
public final class TcpTransportProvider implements TransportProvider {

  /** For the service loader. */
  public TcpTransportProvider() {}

  @Override
  public String name() {
    return "tcp";
  }

  @Override
  public Transport open(TransportConfig config) {
    return TlsTransport.over(TcpTransport.open(config), config);
  }
}
