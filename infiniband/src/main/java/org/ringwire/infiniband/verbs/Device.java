package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.verbs.library.EventVerbs;
import org.ringwire.infiniband.verbs.library.HotVerbs;
import org.ringwire.infiniband.verbs.library.Posix;
import org.ringwire.infiniband.verbs.library.Verbs;
import org.ringwire.infiniband.verbs.library.VerbsLayout;
import org.ringwire.infiniband.verbs.types.AsyncEvent;
import org.ringwire.infiniband.verbs.types.AsyncEventType;
import org.ringwire.infiniband.verbs.types.DeviceAttributes;
import org.ringwire.infiniband.verbs.types.Gid;
import org.ringwire.infiniband.verbs.types.GidEntry;
import org.ringwire.infiniband.verbs.types.PortAttributes;

/**
 * An open device. Any thread may call any method; {@link #close} comes after the end of everything
 * that was made from it.
 */
public final class Device implements AutoCloseable {

  private static final ValueLayout.OfShort NETWORK_SHORT =
      ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

  private final String name;
  private final long context;
  private final HotVerbs hotVerbs;
  private final int asyncDescriptor;
  private final Set<VerbsObject> open = ConcurrentHashMap.newKeySet();
  private final MemorySegment event; // and its lock; made once, as there may be no heap later
  private final MemorySegment eventError;
  private boolean eventKept; // guarded by event, as the next two
  private int eventType;
  private int eventNumber;
  private boolean closed; // guarded by this

  /** The device for what the library has opened, which is closed again where that fails. */
  static Device of(String name, long context) {
    Device made = null;
    try {
      made = new Device(name, context);
    } finally {
      if (made == null) {
        Verbs.Release.CLOSE_DEVICE.run(context);
      }
    }
    return made;
  }

  private Device(String name, long context) {
    this.name = name;
    this.context = context;
    hotVerbs = new HotVerbs(context);
    Arena arena = Arena.ofAuto(); // a late look at events finds memory
    event = arena.allocate(VerbsLayout.ASYNC_EVENT);
    eventError = Verbs.newErrorNumber(arena);
    asyncDescriptor =
        Verbs.at(context, VerbsLayout.CONTEXT.byteSize())
            .get(JAVA_INT, VerbsLayout.offset(VerbsLayout.CONTEXT, "async_fd"));
    Posix.setNonBlocking(asyncDescriptor);
  }

  /** What the system calls it, for example {@code mlx5_0}. */
  public String name() {
    return name;
  }

  /** What it is and can do. */
  public DeviceAttributes attributes() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(VerbsLayout.DEVICE_ATTR);
      Verbs.queryDevice(context(), memory);
      return Attributes.ofDevice(memory);
    }
  }

  /**
   * State of a port.
   *
   * @param port from 1
   */
  public PortAttributes port(int port) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(VerbsLayout.PORT_ATTR);
      Verbs.queryPort(context(), port, memory);
      return Attributes.ofPort(port, memory);
    }
  }

  /** The addresses of a port; entries that are empty are left out. */
  public List<GidEntry> gids(int port) {
    int length = port(port).gidTableLength();
    Sysfs sysfs = new Sysfs(name, port);
    List<GidEntry> entries = new ArrayList<>();
    for (int index = 0; index < length; index++) {
      if (sysfs.isEmpty(index)) {
        continue; // asking for an empty one may fail
      }
      Gid gid = gid(port, index);
      if (!gid.isZero()) {
        entries.add(new GidEntry(index, gid, sysfs.gidType(index), sysfs.networkInterface(index)));
      }
    }
    return entries;
  }

  /** An entry of a port's table of addresses. */
  public Gid gid(int port, int index) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(Gid.LENGTH, Long.BYTES);
      Verbs.queryGid(context(), port, index, memory);
      return Gid.read(memory, 0);
    }
  }

  /** An entry of a port's table of partitions: the key, the top bit of which is membership. */
  public int pkey(int port, int index) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(JAVA_SHORT);
      Verbs.queryPartitionKey(context(), port, index, memory);
      return Short.toUnsignedInt(memory.get(NETWORK_SHORT, 0));
    }
  }

  /**
   * Where a partition stands in a port's table; membership is not compared.
   *
   * @throws IllegalArgumentException if it does not stand there
   */
  public int pkeyIndex(int port, int pkey) {
    int length = port(port).partitionKeyTableLength();
    List<String> found = new ArrayList<>();
    for (int index = 0; index < length; index++) {
      int key = pkey(port, index);
      if (key != 0 && (key & 0x7fff) == (pkey & 0x7fff)) {
        return index;
      }
      if (key != 0) {
        found.add(Integer.toHexString(key));
      }
    }
    throw new IllegalArgumentException(
        "port "
            + port
            + " of "
            + name
            + " is not in the partition "
            + Integer.toHexString(pkey)
            + ": it is in "
            + found);
  }

  /** Makes a protection domain, which the caller closes. */
  public ProtectionDomain allocateProtectionDomain() {
    return VerbsObject.made(
        handle -> new ProtectionDomain(this, handle),
        Verbs.Release.DEALLOC_PD,
        Verbs.allocateDomain(context()));
  }

  /** Makes a channel for completion events, which the caller closes. */
  public CompletionChannel createCompletionChannel() {
    return VerbsObject.made(
        handle -> new CompletionChannel(this, handle),
        Verbs.Release.DESTROY_COMP_CHANNEL,
        Verbs.createChannel(context()));
  }

  /**
   * Makes a completion queue, which the caller closes.
   *
   * @param entries completions that it must be able to hold
   * @param channel where its events go; null if nobody waits for them
   */
  public CompletionQueue createCompletionQueue(int entries, @Nullable CompletionChannel channel) {
    long events = channel == null ? 0 : channel.handle();
    return VerbsObject.made(
        handle -> new CompletionQueue(this, handle),
        Verbs.Release.DESTROY_CQ,
        Verbs.createCompletionQueue(context(), entries, events));
  }

  /**
   * Takes an event of the device or of something of it; null if there is none. If there is no heap
   * for it, it is acknowledged all the same, since what it is of could not end, and the next call
   * returns it.
   */
  public @Nullable AsyncEvent takeAsyncEvent() {
    synchronized (event) {
      if (!eventKept && !keepEvent()) {
        return null;
      }
      AsyncEvent taken = new AsyncEvent(AsyncEventType.ofCode(eventType), eventNumber);
      eventKept = false;
      return taken;
    }
  }

  /** Needs no heap once it has taken one. */
  private boolean keepEvent() {
    if (!Verbs.takeAsyncEvent(context(), event, eventError)) {
      return false;
    }
    try {
      eventType = Attributes.typeOfEvent(event);
      eventNumber = Attributes.numberOfEvent(event, eventType);
      eventKept = true;
    } finally {
      EventVerbs.acknowledgeAsync(event.address());
    }
    return true;
  }

  /** The counters that the system keeps for a port, by name; empty if it keeps none. */
  public Map<String, Long> hardwareCounters(int port) {
    return new TreeMap<>(new Sysfs(name, port).counters());
  }

  /**
   * Closes the device; a second call does nothing.
   *
   * @throws IllegalStateException if something that was made from it is open
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    if (!open.isEmpty()) {
      throw new IllegalStateException("device " + name + " is in use: open=" + openObjects());
    }
    closed = true;
    Verbs.Release.CLOSE_DEVICE.run(context);
  }

  /** What was made from the device and not closed, by kind. */
  Map<String, Long> openObjects() {
    return open.stream()
        .collect(
            Collectors.groupingBy(
                object -> object.getClass().getSimpleName(), TreeMap::new, Collectors.counting()));
  }

  HotVerbs hotVerbs() {
    return hotVerbs;
  }

  int asyncDescriptor() {
    return asyncDescriptor;
  }

  void opened(VerbsObject object) {
    open.add(object);
  }

  void closed(VerbsObject object) {
    open.remove(object);
  }

  private synchronized long context() {
    if (closed) {
      throw new IllegalStateException("closed: device " + name);
    }
    return context;
  }

  @Override
  public String toString() {
    return "device " + name;
  }
}
