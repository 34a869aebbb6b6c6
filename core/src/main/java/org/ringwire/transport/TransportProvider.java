package org.ringwire.transport;

/** What a transport registers as a service, so that a node can name it in its configuration. */
public interface TransportProvider {
  /**
   * The name under which a configuration asks for this transport.
   *
   * @return for example {@code tcp}
   */
  String name();
}
