package org.ringwire.engine.connection;

import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;

/** Of a transport whose links are never there; the test says when they end. */
final class NowhereProvider implements TransportProvider {

  private static final class Nowhere implements Transport {

    @Override
    public String listen(String address, LinkAcceptor acceptor) {
      return address;
    }

    @Override
    public void connect(String address, LinkHandler handler) {}

    @Override
    public void stopListening() {}

    @Override
    public void close() {}
  }

  @Override
  public String name() {
    return "nowhere";
  }

  @Override
  public Transport open(TransportConfig config) {
    return new Nowhere();
  }
}
