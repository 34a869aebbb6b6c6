package org.ringwire.infiniband.msgud;

import org.ringwire.infiniband.verbs.AddressHandle;

/**
 * Where the datagrams of a link go.
 *
 * @param port of the peer
 * @param queuePair of the peer
 * @param queueKey that it receives by
 * @param token for the check of each datagram
 */
record Destination(AddressHandles.Use port, int queuePair, int queueKey, long token) {

  /** The handle of the peer's port. */
  AddressHandle handle() {
    return port.handle();
  }

  @Override
  public String toString() {
    return "queue pair " + queuePair; // the others are secrets, or addresses
  }
}
