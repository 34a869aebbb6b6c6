package org.ringwire.infiniband.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.verbs.MemoryRegion;
import org.ringwire.infiniband.verbs.ProtectionDomain;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.types.Access;
import org.ringwire.transport.support.TransportLog;

/**
 * The send rings of all links, which the device reads where they are. A ring is registered when its
 * memory is allocated and taken from the device just before that is freed, by an action of its
 * arena: actions run in the reverse order of their making. The engine frees a ring only when all
 * that was sent from it was completed, or the link has ended, and a link ends only when the device
 * has let go of every request. Any thread.
 *
 * <p>The device only reads rings, but they are registered for writing: a ring may be a private
 * mapping of pages that it shares with others until they are written, and what is pinned must be
 * the pages that producers write to. So a registered ring takes all of its memory at once.
 */
public final class RingRegions implements AutoCloseable {

  /** Ready before the end: a lambda that finds no heap where it comes first is lost for ever. */
  private static final Predicate<MemoryRegion> ENDED = RingRegions::isEnded;

  private static final TransportLog LOG = TransportLog.of(RingRegions.class);

  private final ProtectionDomain domain;
  private final ConcurrentHashMap<Long, Ring> rings = new ConcurrentHashMap<>();
  private final Set<MemoryRegion> regions = new HashSet<>(); // guarded by this, as the next
  private boolean warned;
  private boolean closed;

  /** Finds the ring that a piece of memory is. */
  @FunctionalInterface
  public interface Lookup {
    /** The ring, or null if the device does not know the memory. */
    @Nullable Ring find(MemorySegment memory);
  }

  /** A ring that the device can read. */
  public static final class Ring {
    private final MemorySegment memory;
    private final int key;
    private volatile boolean forgotten; // before the memory may be somebody else's

    /** Registered memory. */
    public Ring(MemorySegment memory, int key) {
      this.memory = memory;
      this.key = key;
    }

    /** Whether this memory is the ring, and not a later one in the same place. */
    public boolean is(MemorySegment other) {
      return !forgotten && memory.equals(other);
    }

    /** For the device. */
    public int key() {
      return key;
    }
  }

  public RingRegions(ProtectionDomain domain) {
    this.domain = domain;
  }

  /**
   * Allocates zeroed memory, and registers it if that is possible; otherwise what is in it is
   * copied when it is sent.
   */
  public MemorySegment allocate(Arena arena, long capacity) {
    MemorySegment memory = arena.allocate(capacity, 64);
    MemoryRegion region = register(memory);
    if (region != null) {
      boolean forgets = false;
      try {
        whenFreed(arena, () -> forget(memory, region));
        forgets = true;
      } finally {
        if (!forgets) { // there was no heap for that
          forget(memory, region);
        }
      }
    }
    return memory;
  }

  @SuppressWarnings("restricted") // makes an action of the arena, and no memory accessible
  private static void whenFreed(Arena arena, Runnable action) {
    MemorySegment ignored = MemorySegment.NULL.reinterpret(arena, _ -> action.run());
    assert ignored.byteSize() == 0;
  }

  private synchronized @Nullable MemoryRegion register(MemorySegment memory) {
    if (closed) {
      return null;
    }
    try {
      MemoryRegion region = domain.register(memory, Access.LOCAL_WRITE);
      boolean kept = false;
      try {
        regions.add(region);
        rings.put(memory.address(), new Ring(memory, region.localKey()));
        kept = true;
      } finally {
        if (!kept) { // there was no heap for that
          forget(memory, region);
        }
      }
      return region;
    } catch (VerbsException e) {
      if (!warned) {
        warned = true;
        LOG.log(
            System.Logger.Level.WARNING,
            "a send ring is not registered, what links send is copied instead: " + e.getMessage(),
            null);
      }
      return null;
    }
  }

  /** Before the memory is freed, and perhaps given to somebody else. */
  private synchronized void forget(MemorySegment memory, MemoryRegion region) {
    Ring ring = rings.remove(memory.address());
    if (ring != null) {
      ring.forgotten = true;
    }
    if (isEnded(region)) {
      regions.remove(region);
    }
  }

  /**
   * Takes it from the device, as far as that lets go of it: nobody names it in a request any more.
   * Who frees the memory would not come to the end of that if this was thrown.
   */
  private static boolean isEnded(MemoryRegion region) {
    try {
      region.close();
      return true;
    } catch (VerbsException e) {
      LOG.log(System.Logger.Level.WARNING, "a send ring that has ended stays registered", e);
      return false;
    }
  }

  /** The ring that this memory is, or null. */
  public @Nullable Ring find(MemorySegment memory) {
    Ring ring = rings.get(memory.address());
    return ring != null && ring.is(memory) ? ring : null;
  }

  /** Takes all rings from the device, also those that it has kept before; no link is left. */
  @Override
  public synchronized void close() {
    closed = true;
    regions.removeIf(ENDED);
    for (Ring each : rings.values()) {
      each.forgotten = true;
    }
    rings.clear();
  }
}
