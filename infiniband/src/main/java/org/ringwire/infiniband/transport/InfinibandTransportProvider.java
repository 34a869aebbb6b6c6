package org.ringwire.infiniband.transport;

import org.ringwire.MessagingException;
import org.ringwire.infiniband.device.IbOptions;
import org.ringwire.infiniband.msgrc.IbTransport;
import org.ringwire.infiniband.msgud.UdTransport;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;

/**
 * Makes {@code ib} transports. Where there is no library, or one that is too old, or no device,
 * {@link #open} fails with a message that says which; nothing else does.
 */
public final class InfinibandTransportProvider implements TransportProvider {

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
   * @throws MessagingException if the library or the device is missing, the library is too old, or
   *     too little memory may be registered
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
      case MSGRC -> {
        FirstClasses.prepareForRc();
        yield IbTransport.open(config, options);
      }
      case MSGUD -> {
        FirstClasses.prepareForUd();
        yield UdTransport.open(config, options, (inner, _) -> inner);
      }
    };
  }
}
