package org.ringwire.engine.services;

import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.transport.LocalTransport;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;
import org.ringwire.transport.providers.TransportProviders;

/** The transports of a node. */
public final class Transports {

  private Transports() {}

  /**
   * The provider of a name.
   *
   * @throws MessagingException naming those that there are, if there is none of this name
   */
  public static TransportProvider named(String name) {
    return named("transport", name);
  }

  /**
   * The provider of the name that a setting gives.
   *
   * @throws MessagingException naming the setting and those that there are, if there is none
   */
  public static TransportProvider named(String setting, String name) {
    TransportProvider provider = TransportProviders.find(name);
    if (provider == null) {
      throw new MessagingException(
          "no such transport: "
              + setting
              + "="
              + name
              + " "
              + TransportProviders.known()
              + "; others are found if their jar is there, or, where jars were merged, the lines of"
              + " all of them are in META-INF/services/"
              + TransportProvider.class.getName());
    }
    return provider;
  }

  /**
   * Opens the transport of a node, and the one that it prefers on its own machine, if it asks for
   * one. Where that cannot be had, all peers are reached by the first.
   *
   * @param local of the one that is preferred, or null
   * @throws MessagingException if that is none for a single machine, or the system has no means for
   *     the first
   */
  static Transport open(
      TransportProvider main, @Nullable TransportProvider local, TransportConfig config) {
    Transport opened;
    try {
      opened = main.open(config);
    } catch (UncheckedIOException e) { // no selector, no folder to share
      throw new MessagingException(
          "cannot open the transport: transport=" + main.name() + ": " + e.getMessage(), e);
    }
    if (local == null) {
      return opened;
    }
    try {
      return withLocal(opened, main, local, config);
    } catch (RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  private static Transport withLocal(
      Transport opened, TransportProvider main, TransportProvider local, TransportConfig config) {
    Transport preferred;
    try {
      preferred = local.open(config);
    } catch (RuntimeException e) { // no folder to share, or no such files on this system
      LocalFirst.unavailable(local.name(), e);
      return opened;
    }
    try {
      return both(opened, main, preferred, local);
    } catch (RuntimeException | Error e) {
      preferred.close();
      throw e;
    }
  }

  private static Transport both(
      Transport opened, TransportProvider main, Transport preferred, TransportProvider local) {
    if (preferred instanceof LocalTransport within) {
      return new LocalFirst(opened, main.name(), within, local.name());
    }
    throw new MessagingException(
        "not a transport for the peers of one machine: localTransport=" + local.name());
  }
}
