package org.ringwire.infiniband.msgud;

import org.ringwire.infiniband.verbs.AddressHandle;

/**
 * Where the datagrams of a link go.
 *
 * @param handle of the peer's port; shared, see {@link AddressHandles}
 * @param queuePair of the peer
 * @param queueKey that it receives by
 * @param token for the check of each datagram
 */
record Destination(AddressHandle handle, int queuePair, int queueKey, long token) {

  @Override
  public String toString() {
    return "queue pair " + queuePair; // the others are secrets, or addresses
  }
}
