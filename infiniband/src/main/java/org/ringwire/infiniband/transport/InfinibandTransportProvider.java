package org.ringwire.infiniband.transport;

import java.util.ServiceLoader;
import org.ringwire.MessagingException;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;

/**
 * Makes {@code ib} transports. Where there is no library, or no device, {@link #open} fails with a
 * message that says which; nothing else does.
 */
public final class InfinibandTransportProvider implements TransportProvider {

  /** What links are set up over. */
  private static final String SET_UP = "tcp";

  /** For the service loader. */
  public InfinibandTransportProvider() {}

  @Override
  public String name() {
    return "ib";
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if a setting is out of its range, or TLS is asked for and that
   *     data is not encrypted is not allowed
   * @throws MessagingException if the library or the device is missing, or too little memory may be
   *     registered
   */
  @Override
  public Transport open(TransportConfig config) {
    IbOptions options = IbOptions.of(System::getProperty);
    if (config.tls() != null && !options.unencrypted()) {
      throw new IllegalArgumentException(
          "the transport ib does not encrypt data, TLS protects the set-up of links only: allow"
              + " that by -D"
              + IbOptions.PREFIX
              + "unencrypted=true, or use tcp");
    }
    return switch (options.engine()) {
      case MSGRC -> IbTransport.open(config, options, setUp());
      case MSGUD -> UdTransport.open(config, options, setUp(), (inner, _) -> inner);
    };
  }

  /** What links are set up over. */
  static TransportProvider setUp() {
    for (TransportProvider provider : ServiceLoader.load(TransportProvider.class)) {
      if (provider.name().equals(SET_UP)) {
        return provider;
      }
    }
    ClassLoader own = InfinibandTransportProvider.class.getClassLoader();
    for (TransportProvider provider : ServiceLoader.load(TransportProvider.class, own)) {
      if (provider.name().equals(SET_UP)) {
        return provider;
      }
    }
    throw new MessagingException("links of the transport ib are set up over tcp, which is missing");
  }
}
