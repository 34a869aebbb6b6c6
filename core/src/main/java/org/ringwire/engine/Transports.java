package org.ringwire.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.ringwire.MessagingException;
import org.ringwire.transport.TransportProvider;

/** The transports that the application has brought; the engine knows none by itself. */
final class Transports {

  private Transports() {}

  /**
   * Looks first where the application's libraries are, then where this one is.
   *
   * @throws MessagingException naming those that there are, if there is none of this name
   */
  static TransportProvider named(String name) {
    List<String> names = new ArrayList<>();
    for (TransportProvider provider : ServiceLoader.load(TransportProvider.class)) {
      if (provider.name().equals(name)) {
        return provider;
      }
      names.add(provider.name());
    }
    for (TransportProvider provider :
        ServiceLoader.load(TransportProvider.class, Transports.class.getClassLoader())) {
      if (provider.name().equals(name)) {
        return provider;
      }
    }
    throw new MessagingException("no such transport: transport=" + name + " available=" + names);
  }
}
