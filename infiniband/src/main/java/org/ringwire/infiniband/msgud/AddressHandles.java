package org.ringwire.infiniband.msgud;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.device.LocalPort;
import org.ringwire.infiniband.verbs.AddressHandle;
import org.ringwire.infiniband.verbs.ProtectionDomain;
import org.ringwire.infiniband.verbs.types.Gid;
import org.ringwire.infiniband.verbs.types.Path;

/**
 * The address handles of peers: one for each port that links lead to, as long as there is a link.
 * When the own port gets other addresses, links that are made from then on get handles of those.
 * Any thread; guarded by this.
 *
 * <p>Each link has a {@link Use}, which counts once, however often it is given up: where there is
 * no heap, the end of a link is gone through again. Giving up needs none itself, nor does anything
 * between the making of a handle and the count of its first use.
 */
final class AddressHandles implements AutoCloseable {

  private final ProtectionDomain domain;
  private final LocalPort port;
  private final Map<Place, Shared> handles = new HashMap<>();

  /** With how packets leave: a handle is of the addresses that the port had when it was made. */
  private record Place(Gid gid, int lid, Path path) {}

  private static final class Shared {
    private final Place place;
    private final AddressHandle handle;
    private int users;

    Shared(Place place, AddressHandle handle) {
      this.place = place;
      this.handle = handle;
    }
  }

  /** That a link uses the handle of a port, until it is closed. */
  final class Use implements AutoCloseable {
    private @Nullable Shared shared; // written with the handles locked; null after the end

    private Use() {}

    /** The handle; not after the end, nor at the same time: by who holds the lock of the link. */
    AddressHandle handle() {
      return Objects.requireNonNull(shared, "a use that has ended").handle;
    }

    /** The link is over: the device uses the handle no more for it. A second call does nothing. */
    @Override
    public void close() {
      release(this);
    }
  }

  AddressHandles(ProtectionDomain domain, LocalPort port) {
    this.domain = domain;
    this.port = port;
  }

  /**
   * The use of the handle of a port, which the caller closes. Making a handle may ask the network,
   * which takes seconds for a port that is not there: nobody else waits for that.
   */
  Use take(Gid gid, int lid) {
    Path path = port.path(port.mtu());
    Place place = new Place(gid, lid, path);
    Use use = new Use();
    if (!share(use, place)) {
      AddressHandle made = domain.createAddressHandle(path, gid, lid);
      try {
        shareMade(use, place, made);
      } finally {
        if (use.shared == null || use.shared.handle != made) {
          made.close(); // another thread was first, or there is no heap
        }
      }
    }
    return use;
  }

  /** Counts a use of the handle that there is; false if there is none. */
  private synchronized boolean share(Use use, Place place) {
    Shared shared = handles.get(place);
    if (shared != null) {
      shared.users++;
      use.shared = shared;
    }
    return shared != null;
  }

  private synchronized void shareMade(Use use, Place place, AddressHandle made) {
    if (share(use, place)) {
      return;
    }
    boolean kept = false;
    try {
      handles.put(place, new Shared(place, made));
      kept = share(use, place);
    } finally {
      if (!kept) {
        handles.remove(place); // is there if there was no heap for a longer table
      }
    }
  }

  private synchronized void release(Use use) {
    Shared shared = use.shared;
    if (shared == null) {
      return;
    }
    if (shared.users == 1) {
      shared.handle.close();
      handles.remove(shared.place);
    }
    shared.users--;
    use.shared = null;
  }

  /** Handles that there are. */
  synchronized int count() {
    return handles.size();
  }

  /** Closes those that are left; nothing is sent any more. */
  @Override
  public synchronized void close() {
    for (Shared each : handles.values()) {
      each.handle.close();
    }
    handles.clear();
  }
}
