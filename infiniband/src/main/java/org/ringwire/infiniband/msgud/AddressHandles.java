package org.ringwire.infiniband.msgud;

import java.util.HashMap;
import java.util.Map;
import org.ringwire.infiniband.device.LocalPort;
import org.ringwire.infiniband.verbs.AddressHandle;
import org.ringwire.infiniband.verbs.Gid;
import org.ringwire.infiniband.verbs.ProtectionDomain;

/**
 * The address handles of peers: one for each port that links lead to, as long as there is a link.
 * Any thread; guarded by this.
 */
final class AddressHandles implements AutoCloseable {

  private final ProtectionDomain domain;
  private final LocalPort port;
  private final Map<Place, Shared> handles = new HashMap<>();

  private record Place(Gid gid, int lid) {}

  private static final class Shared {
    private final AddressHandle handle;
    private int users;

    Shared(AddressHandle handle) {
      this.handle = handle;
    }
  }

  AddressHandles(ProtectionDomain domain, LocalPort port) {
    this.domain = domain;
    this.port = port;
  }

  /** The handle of a port, which {@link #release} gives back. */
  synchronized AddressHandle take(Gid gid, int lid) {
    Shared shared =
        handles.computeIfAbsent(
            new Place(gid, lid),
            place ->
                new Shared(
                    domain.createAddressHandle(port.path(port.mtu()), place.gid(), place.lid())));
    shared.users++;
    return shared.handle;
  }

  /** A link is over: the device uses the handle no more for it. */
  synchronized void release(Gid gid, int lid) {
    Place place = new Place(gid, lid);
    Shared shared = handles.get(place);
    if (shared != null && --shared.users == 0) {
      handles.remove(place);
      shared.handle.close();
    }
  }

  /** Handles that there are. */
  synchronized int count() {
    return handles.size();
  }

  /** Closes those that are left; nothing is sent any more. */
  @Override
  public synchronized void close() {
    handles.values().forEach(shared -> shared.handle.close());
    handles.clear();
  }
}
