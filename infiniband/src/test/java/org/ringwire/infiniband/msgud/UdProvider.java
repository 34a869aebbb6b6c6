package org.ringwire.infiniband.msgud;

import java.util.Arrays;
import org.ringwire.infiniband.device.Settings;
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
    String[] all = Arrays.copyOf(settings, settings.length + 2);
    all[settings.length] = "engine";
    all[settings.length + 1] = "msgud";
    return UdTransport.open(config, Settings.of(all), around);
  }
}
