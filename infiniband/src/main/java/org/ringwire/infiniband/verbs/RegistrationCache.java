package org.ringwire.infiniband.verbs;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.verbs.library.Errno;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.types.Access;

/**
 * Regions of memory that is sent again and again, registered once. Regions that nobody uses stay
 * registered, up to a limit, beyond which those unused for longest are closed. Any thread may call
 * any method; one lock guards everything, so it is for large messages, not for each small one.
 *
 * <p>A region is only handed out for memory of the arena that it was registered with: memory of an
 * arena that has ended, and whose addresses another one has got since, is never mistaken for it.
 * The pages of ended memory stay in use until {@link #forget} or until the region is found dead:
 * each registration looks at some of those that nobody uses, so what it costs does not grow with
 * their number. A region that nobody uses does not keep an arena from ending that ends when it is
 * unreachable. Memory of the global arena, which includes all that native code has and Java knows
 * by its address alone, is registered for as long as it is in use: nobody would learn of its end.
 */
public final class RegistrationCache implements AutoCloseable {

  private static final Logger LOGGER = System.getLogger(RegistrationCache.class.getName());

  /** To register memory for which there was no room. */
  private static final int ATTEMPTS = 3;

  private final ProtectionDomain domain;
  private final int access;
  private final long limitBytes;

  /** Regions that nobody uses, at which one that is registered looks whether they are dead. */
  private static final int LOOKS = 16;

  /**
   * By the logarithm of the length, which bounds how far before an address one that covers it
   * begins, then by address; regions never overlap unless they have different arenas or grew.
   */
  private final List<NavigableMap<Long, List<Entry>>> byLength =
      Stream.<NavigableMap<Long, List<Entry>>>generate(TreeMap::new).limit(Long.SIZE - 1).toList();

  private final IdentityHashMap<MemoryRegion, Entry> byRegion =
      new IdentityHashMap<>(); // found without heap

  /** Those that nobody uses, by their last use; they hold each other, as there may be no heap. */
  private @Nullable Entry oldest;

  private @Nullable Entry newest;
  private @Nullable Entry lookedAtNext; // whether it is dead; null: the oldest
  private int leftOfRound; // looks until the oldest is the next
  private int unused; // of these

  private long cached;
  private long used;
  private long hits;
  private long misses;
  private long evictions;
  private boolean ended;

  private static final class Entry {
    private final MemoryRegion region; // which does not know the scope
    private final Long address; // an object, as the map has it
    private final WeakReference<MemorySegment.Scope> scope;
    private MemorySegment.@Nullable Scope used; // while there are users: who else may have let go
    private int users;
    private boolean forgotten;
    private boolean waits; // among those that nobody uses
    private @Nullable Entry older; // there, as the next
    private @Nullable Entry newer;

    Entry(MemoryRegion region, MemorySegment.Scope scope) {
      this.region = region;
      address = region.address();
      this.scope = new WeakReference<>(scope);
    }

    boolean isAlive() {
      MemorySegment.Scope known = used == null ? scope.get() : used;
      return known != null && known.isAlive();
    }
  }

  /**
   * An empty cache.
   *
   * @param domain that regions are registered with
   * @param access constants of {@link Access}, or-ed, of all regions
   * @param limitBytes registered bytes, at most, of regions in use and others
   */
  public RegistrationCache(ProtectionDomain domain, int access, long limitBytes) {
    if (limitBytes <= 0) {
      throw new IllegalArgumentException("limitBytes must be positive: limitBytes=" + limitBytes);
    }
    this.domain = domain;
    this.access = access;
    this.limitBytes = limitBytes;
  }

  /**
   * A region that covers memory; it stays registered at least until {@link #release}. Give the
   * whole piece of memory that messages lie in, so that the next one finds it.
   *
   * @throws IllegalStateException if the memory was freed
   * @throws VerbsException if regions in use leave no room below the limit, or the system refuses,
   *     or after {@link #end}
   */
  public synchronized MemoryRegion acquire(MemorySegment memory) {
    if (ended) {
      throw new VerbsException("ibv_reg_mr", 0, "nothing is registered any more");
    }
    Entry entry = find(memory);
    if (entry == null) {
      misses++;
      entry = register(memory);
    } else {
      hits++;
    }
    if (entry.users++ == 0) {
      takeOut(entry);
      used += entry.region.length();
      entry.used = memory.scope();
    }
    return entry.region;
  }

  /** Says that a region is not used any more by one that acquired it; needs no heap. */
  public synchronized void release(MemoryRegion region) {
    Entry entry = entryOf(region);
    if (--entry.users == 0) {
      used -= region.length();
      entry.used = null;
      if (entry.forgotten || !entry.isAlive()) {
        remove(entry);
      } else {
        putAway(entry);
      }
    }
  }

  /** Drops what is registered of memory that is about to be freed; what is in use goes last. */
  public synchronized void forget(MemorySegment memory) {
    for (Entry entry : entries()) {
      if (entry.region.memory().asOverlappingSlice(memory).isPresent()) {
        entry.forgotten = true;
        if (entry.users == 0) {
          remove(entry);
        }
      }
    }
  }

  /** Registers nothing any more, and drops everything; what is in use goes last. */
  public synchronized void end() {
    ended = true;
    for (Entry entry : entries()) {
      entry.forgotten = true;
      if (entry.users == 0) {
        remove(entry);
      }
    }
  }

  private @Nullable Entry find(MemorySegment memory) {
    for (int log = log(memory.byteSize()); log < byLength.size(); log++) {
      Entry found = byLength.get(log).isEmpty() ? null : find(memory, log);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static int log(long length) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(length | 1);
  }

  private @Nullable Entry find(MemorySegment memory, int log) {
    long address = memory.address();
    long before = (1L << log) - 1 + (1L << log); // as far as one of that length reaches
    Map<Long, List<Entry>> near =
        byLength.get(log).subMap(address - before, true, address, true).descendingMap();
    for (List<Entry> entries : near.values()) {
      for (Entry entry : entries) {
        if (!entry.forgotten
            && entry.isAlive()
            && entry.region.covers(address, memory.byteSize())
            && memory.scope().equals(entry.scope.get())) {
          return entry;
        }
      }
    }
    return null;
  }

  private Entry register(MemorySegment memory) {
    makeRoom(memory.byteSize());
    MemoryRegion region;
    try {
      region = domain.registerWeakly(memory, access);
    } catch (VerbsException e) { // of a limit of the system, below that of this
      if (e.errno() != Errno.ENOMEM || !dropUnused()) {
        throw e;
      }
      region = domain.registerWeakly(memory, access);
    }
    Entry entry = added(region, memory.scope());
    entry.forgotten = memory.scope().equals(Arena.global().scope());
    cached += memory.byteSize();
    return entry;
  }

  /** Known from now on; if there is no heap for that, the region is closed again. */
  private Entry added(MemoryRegion region, MemorySegment.Scope scope) {
    boolean known = false;
    try {
      Entry entry = new Entry(region, scope);
      NavigableMap<Long, List<Entry>> byAddress = byAddress(region);
      List<Entry> same = byAddress.get(entry.address);
      List<Entry> more = new ArrayList<>(same == null ? List.of() : same);
      more.add(entry);
      byRegion.put(region, entry);
      byAddress.put(entry.address, more); // last: it is known to all or to none
      known = true;
      return entry;
    } finally {
      if (!known) {
        byRegion.remove(region);
        region.close();
      }
    }
  }

  private NavigableMap<Long, List<Entry>> byAddress(MemoryRegion region) {
    return byLength.get(log(region.length()));
  }

  private void makeRoom(long bytes) {
    dropDead();
    if (used + bytes > limitBytes) {
      throw new VerbsException(
          "ibv_reg_mr",
          0,
          "the limit of registered memory is reached: limitBytes="
              + limitBytes
              + ", usedBytes="
              + used
              + ", length="
              + bytes);
    }
    while (oldest != null && cached + bytes > limitBytes) {
      remove(oldest);
      evictions++;
    }
  }

  /**
   * Goes on where it has ended the last time. What is used meanwhile moves behind the newest, so
   * the end might never be reached: after as many looks as there were entries it begins anew, and
   * has seen all that were not used since.
   */
  private void dropDead() {
    for (int left = Math.min(LOOKS, unused); left > 0; left--) {
      if (lookedAtNext == null || leftOfRound == 0) {
        lookedAtNext = oldest;
        leftOfRound = unused;
      }
      Entry entry = lookedAtNext;
      if (entry == null) {
        return;
      }
      leftOfRound--;
      lookedAtNext = entry.newer;
      if (!entry.isAlive()) {
        remove(entry);
      }
    }
  }

  /**
   * Registers memory beside what is cached, which the caller closes; all regions that nobody uses
   * make room. For who has found none: another thread may have found the same, and have made room
   * before, so this is not about whether some are left. Without the lock, as much memory takes its
   * time; so others may get the room, and a few attempts are made.
   *
   * @param otherAccess constants of {@link Access}, or-ed
   * @throws VerbsException if the system refuses
   */
  public MemoryRegion registerInstead(MemorySegment memory, int otherAccess) {
    for (int left = ATTEMPTS; ; left--) {
      makeRoom();
      try {
        return domain.register(memory, otherAccess);
      } catch (VerbsException e) {
        if (e.errno() != Errno.ENOMEM || left == 1) {
          throw e;
        }
      }
    }
  }

  private synchronized void makeRoom() {
    boolean _ = dropUnused();
  }

  /** Closes all regions that nobody uses; returns whether there were some. */
  private boolean dropUnused() {
    boolean any = oldest != null;
    while (oldest != null) {
      remove(oldest);
      evictions++;
    }
    return any;
  }

  /** Nobody uses it any more. */
  private void putAway(Entry entry) {
    Entry before = newest;
    entry.waits = true;
    entry.older = before;
    if (before == null) {
      oldest = entry;
    } else {
      before.newer = entry;
    }
    newest = entry;
    unused++;
  }

  /** Somebody uses it, or it ends. */
  private void takeOut(Entry entry) {
    if (!entry.waits) {
      return;
    }
    Entry before = entry.older;
    Entry after = entry.newer;
    if (before == null) {
      oldest = after;
    } else {
      before.newer = after;
    }
    if (after == null) {
      newest = before;
    } else {
      after.older = before;
    }
    if (lookedAtNext == entry) {
      lookedAtNext = after;
    }
    entry.older = null;
    entry.newer = null;
    entry.waits = false;
    unused--;
  }

  private List<Entry> entries() {
    return List.copyOf(byRegion.values());
  }

  private Entry entryOf(MemoryRegion region) {
    Entry entry = byRegion.get(region);
    if (entry != null && entry.users > 0) {
      return entry;
    }
    throw new IllegalArgumentException("not acquired from this cache: " + region);
  }

  /** What the device does not let go of stays known, and counted, and is tried again at the end. */
  private void remove(Entry entry) {
    takeOut(entry);
    entry.forgotten = true;
    try {
      entry.region.close();
    } catch (VerbsException e) { // whoever comes to this has done nothing wrong
      LOGGER.log(Level.WARNING, "a region stays registered, and is counted as such", e);
      return;
    }
    NavigableMap<Long, List<Entry>> byAddress = byAddress(entry.region);
    List<Entry> same = byAddress.get(entry.address);
    if (same != null && same.remove(entry)) {
      if (same.isEmpty()) {
        byAddress.remove(entry.address);
      }
      byRegion.remove(entry.region);
      cached -= entry.region.length();
    }
  }

  /** Bytes that are registered, in use or not. */
  public synchronized long cachedBytes() {
    return cached;
  }

  /** Bytes of regions that somebody uses. */
  public synchronized long usedBytes() {
    return used;
  }

  /** Regions that were found. */
  public synchronized long hits() {
    return hits;
  }

  /** Regions that had to be registered. */
  public synchronized long misses() {
    return misses;
  }

  /** Regions that were closed to stay below the limit, or that of the system. */
  public synchronized long evictions() {
    return evictions;
  }

  /**
   * Closes all regions.
   *
   * @throws IllegalStateException if some are in use; nothing is closed then
   */
  @Override
  public synchronized void close() {
    if (used > 0) {
      throw new IllegalStateException("regions are in use: usedBytes=" + used);
    }
    for (Entry each : entries()) {
      remove(each);
    }
  }
}
