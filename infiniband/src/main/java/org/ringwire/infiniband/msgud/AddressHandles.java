package org.ringwire.infiniband.msgud;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.device.LocalPort;
import org.ringwire.infiniband.verbs.AddressHandle;
import org.ringwire.infiniband.verbs.ProtectionDomain;
import org.ringwire.infiniband.verbs.types.Gid;

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

  /**
   * The handle of a port, which {@link #release} gives back. Making one may ask the network, which
   * takes seconds for a port that is not there: nobody else waits for that.
   */
  AddressHandle take(Gid gid, int lid) {
    Place place = new Place(gid, lid);
    AddressHandle known = share(place, null);
    if (known != null) {
      return known;
    }
    AddressHandle made = domain.createAddressHandle(port.path(port.mtu()), gid, lid);
    AddressHandle shared = share(place, made);
    if (shared == null || shared == made) {
      return made;
    }
    made.close();
    return shared;
  }

  /** One more uses the handle of a port: the one that is there, else the one that was made. */
  private synchronized @Nullable AddressHandle share(Place place, @Nullable AddressHandle made) {
    Shared shared = handles.get(place);
    if (shared == null && made != null) {
      shared = new Shared(made);
      handles.put(place, shared);
    }
    if (shared == null) {
      return null;
    }
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
