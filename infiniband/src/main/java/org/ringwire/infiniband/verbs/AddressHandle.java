package org.ringwire.infiniband.verbs;

import org.ringwire.infiniband.verbs.library.Verbs;

/** The address of a peer for datagrams; closed after the last request that uses it is complete. */
public final class AddressHandle extends VerbsObject {

  AddressHandle(Device device, long handle) {
    super(device, Verbs.Release.DESTROY_AH, handle);
  }

  @Override
  public String toString() {
    return "address handle";
  }
}
