package org.ringwire.infiniband.msgud;

import org.ringwire.infiniband.device.IbOptions;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;

/** Makes transports with the engine {@code msgud}, whatever the system properties say. */
public final class UdProvider implements TransportProvider {

  /** For the service loader. */
  public UdProvider() {}

  @Override
  public String name() {
    return "ib-msgud";
  }

  @Override
  public Transport open(TransportConfig config) {
    return open(config, (inner, _) -> inner);
  }

  static UdTransport open(TransportConfig config, DatagramSink.Around around, String... settings) {
    IbOptions options =
        IbOptions.of(name -> {
          for (int i = 0; i < settings.length; i += 2) {
            if (name.equals(IbOptions.PREFIX + settings[i])) {
              return settings[i + 1];
            }
          }
          return name.equals(IbOptions.PREFIX + "engine") ? "msgud" : null;
        });
    return UdTransport.open(config, options, around);
  }
}
