package org.ringwire.infiniband.msgud;

import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;

/** Makes transports that lose, double and reorder some of the datagrams that arrive. */
public final class LossyUdProvider implements TransportProvider {

  /** For the service loader. */
  public LossyUdProvider() {}

  @Override
  public String name() {
    return "ib-msgud-lossy";
  }

  @Override
  public Transport open(TransportConfig config) {
    return UdProvider.open(config, (inner, release) -> new LossySink(inner, release, 0.03));
  }
}
