package org.ringwire.infiniband.link;

import org.ringwire.IdleStrategy;
import org.ringwire.MessagingException;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;
import org.ringwire.transport.providers.TransportProviders;

/** What links are set up over: the transport {@code tcp}, with what the node is configured to. */
public final class SetUpMedium {

  private static final String NAME = "tcp";

  private SetUpMedium() {}

  /**
   * Opens it. One thread is enough, which parks: nothing but the exchange goes over it.
   *
   * @throws MessagingException if there is no such transport
   */
  public static Transport open(TransportConfig config) {
    return provider()
        .open(
            new TransportConfig(
                config.nodeId(),
                1,
                IdleStrategy.parking(),
                config.ringCapacity(),
                config.connectTimeout(),
                config.cluster(),
                config.tls(),
                config.threadStarted()));
  }

  private static TransportProvider provider() {
    TransportProvider provider = TransportProviders.find(NAME);
    if (provider == null) {
      throw new MessagingException(
          "links of the transport ib are set up over tcp, which is missing");
    }
    return provider;
  }
}
