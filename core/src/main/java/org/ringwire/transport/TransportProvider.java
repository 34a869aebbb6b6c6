package org.ringwire.transport;

/** Makes transports of one kind; found by {@link java.util.ServiceLoader}. */
public interface TransportProvider {

  /** The name that a configuration uses, such as {@code tcp}. */
  String name();

  /** Opens a transport for one node; starts its threads. */
  Transport open(TransportConfig config);

  /** Sizes of nodes whose main transport this is, where their configuration gives none. */
  default BufferSizes preferredSizes() {
    return BufferSizes.STANDARD;
  }
}
