package org.ringwire.transport.shm;

import org.ringwire.transport.BufferSizes;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;

/** Makes {@code shm} transports. */
public final class ShmTransportProvider implements TransportProvider {

  /** For the service loader. */
  public ShmTransportProvider() {}

  @Override
  public String name() {
    return "shm";
  }

  @Override
  public Transport open(TransportConfig config) {
    if (config.tls() != null) {
      throw new IllegalArgumentException(
          "the transport shm stays within a machine and a user and has no TLS: use tcp, or no TLS");
    }
    return ShmTransport.open(config);
  }

  /**
   * A sender waits for room and credit less often when there is more of both, which costs nothing
   * but memory, since its peer reads the ring where it lies.
   */
  @Override
  public BufferSizes preferredSizes() {
    return new BufferSizes(2 << 20, 4 << 20);
  }
}
