package org.ringwire.infiniband.memory;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.ringwire.infiniband.device.DeviceParts;
import org.ringwire.infiniband.device.IbOptions;
import org.ringwire.infiniband.device.LocalPort;
import org.ringwire.infiniband.verbs.CompletionChannel;
import org.ringwire.infiniband.verbs.CompletionQueue;
import org.ringwire.infiniband.verbs.Device;
import org.ringwire.infiniband.verbs.Devices;
import org.ringwire.infiniband.verbs.MemoryRegion;
import org.ringwire.infiniband.verbs.ProtectionDomain;
import org.ringwire.infiniband.verbs.QueuePairOptions;
import org.ringwire.infiniband.verbs.RcQueuePair;
import org.ringwire.infiniband.verbs.RegistrationCache;
import org.ringwire.infiniband.verbs.library.Errno;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.types.Access;
import org.ringwire.infiniband.verbs.types.AtomicSupport;
import org.ringwire.infiniband.verbs.types.DeviceAttributes;
import org.ringwire.infiniband.verbs.types.Mtu;
import org.ringwire.infiniband.verbs.types.Path;
import org.ringwire.infiniband.verbs.types.RetryOptions;

/**
 * What one-sided access has of a device: a protection domain of its own, so that its queue pairs
 * reach nothing but exported memory. Any thread; closed after all queue pairs.
 */
final class MemoryDevice implements AutoCloseable {

  private static final int MOST_READ_ATOMIC = 16;
  private static final int MOST_RETRIES = 6;
  private static final int PEER_ACCESS =
      Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE;

  private final DeviceParts parts = new DeviceParts();
  private final Device device;
  private final DeviceAttributes limits;
  private final LocalPort port;
  private final ProtectionDomain domain;
  private final CompletionChannel events;
  private final CompletionQueue unused;
  private final Notices notices;
  private final RegistrationCache registrations;
  private final Consumer<QueueEnd> looksFor;

  /**
   * Opens the device of the settings.
   *
   * @param looksFor is told of the end of a peer before the device may look for its address
   */
  @SuppressWarnings("this-escape") // a final class
  MemoryDevice(IbOptions options, long cacheBytes, Consumer<QueueEnd> looksFor) {
    this.looksFor = looksFor;
    boolean made = false;
    try {
      device = parts.add(Devices.open(options.device(), options.port()));
      DeviceParts.requireSharedQueues(device, "remote memory");
      limits = device.attributes();
      port = LocalPort.of(device, options);
      domain = parts.add(device.allocateProtectionDomain());
      events = parts.add(device.createCompletionChannel());
      unused = parts.add(device.createCompletionQueue(1, null));
      notices = parts.add(new Notices(this));
      registrations = parts.add(new RegistrationCache(domain, Access.LOCAL_WRITE, cacheBytes));
      stopOne();
      made = true;
    } finally {
      if (!made) {
        parts.close();
      }
    }
  }

  /**
   * What is called for the first time needs heap; queue pairs must end also where there is none.
   */
  private void stopOne() {
    try (RcQueuePair pair = createInitiator(unused, 1)) {
      stop(pair);
    }
  }

  private static void stop(RcQueuePair pair) {
    try {
      pair.toError();
    } catch (VerbsException e) {
      // that it was called is all
    }
  }

  /**
   * Requests of an initiator that may be outstanding: as many as are wanted, and the device takes.
   */
  int requests(int wanted) {
    int completed = Math.max(1, limits.maxCompletionEntries() / 2); // see createCompletions
    return Math.min(Math.min(wanted, limits.maxQueuePairRequests()), completed);
  }

  /**
   * Notices that may have arrived before one is polled: as many as wanted, and the device takes.
   */
  int notices(int wanted) {
    int most = Math.min(limits.maxCompletionEntries(), limits.maxSharedReceiveRequests());
    return Math.min(wanted, most);
  }

  /** A queue pair that operations are posted to; not connected. The caller owns it. */
  RcQueuePair createInitiator(CompletionQueue completions, int requests) {
    return domain.createRcQueuePair(
        new QueuePairOptions(completions, unused, null, requests(requests), 1, 1, 1, 0, false));
  }

  /** A queue pair that peers' operations arrive at; not connected. The caller owns it. */
  RcQueuePair createResponder() {
    return domain.createRcQueuePair(
        new QueuePairOptions(unused, notices.completions(), notices.queue(), 1, 1, 0, 0, 0, false));
  }

  /** A queue for the completions of one initiator, which owns it. */
  CompletionQueue createCompletions(int entries) {
    return device.createCompletionQueue(Math.min(entries, limits.maxCompletionEntries()), events);
  }

  /** How a queue pair of this node is reached. */
  QueueEnd end(RcQueuePair pair) {
    return new QueueEnd(
        pair.number(),
        ThreadLocalRandom.current().nextInt(1 << 24),
        port.lid(),
        port.gid().high(),
        port.gid().low(),
        port.mtu().code(),
        readAtomic());
  }

  private int readAtomic() {
    int served = Math.min(limits.maxReadAtomic(), limits.maxInitiatedReadAtomic());
    return Math.clamp(served, 1, MOST_READ_ATOMIC);
  }

  /** Makes a new queue pair ready to serve the other end; may wait for the network. */
  void admit(RcQueuePair pair, QueueEnd own, QueueEnd peer) {
    int atomic = hasAtomics() ? Access.REMOTE_ATOMIC : 0; // drivers may refuse it where not
    receive(pair, own, peer, PEER_ACCESS | atomic);
  }

  /**
   * Makes a new queue pair ready to post to; nobody may use memory of this node over it. May wait
   * for the network.
   */
  void connect(RcQueuePair pair, QueueEnd own, QueueEnd peer) {
    RetryOptions retry = receive(pair, own, peer, 0);
    pair.toReadyToSend(own.packetNumber(), retry);
  }

  private RetryOptions receive(RcQueuePair pair, QueueEnd own, QueueEnd peer, int access) {
    Path path = port.path(Mtu.min(own.longestPacket(), peer.longestPacket()));
    RetryOptions retry = finite(port.retry(Math.min(own.readAtomic(), peer.readAtomic())));
    pair.toInit(path, access);
    looksFor.accept(peer);
    pair.toReadyToReceive(
        path, peer.queuePair(), peer.packetNumber(), peer.gid(), peer.lid(), retry);
    return retry;
  }

  /** Operations must end when the owner is gone, and a soft device never ends the most retries. */
  private static RetryOptions finite(RetryOptions retry) {
    return new RetryOptions(
        retry.timeout(),
        Math.min(retry.retries(), MOST_RETRIES),
        retry.rnrRetries(),
        retry.minRnrTimer(),
        retry.maxReadAtomic(),
        retry.maxDestinationReadAtomic());
  }

  LocalPort port() {
    return port;
  }

  /**
   * Registers memory, for which what operations have left registered makes room where the system
   * allows no more.
   *
   * @param access constants of {@link Access}, or-ed
   */
  MemoryRegion register(MemorySegment memory, int access) {
    try {
      return domain.register(memory, access);
    } catch (VerbsException e) {
      if (e.errno() != Errno.ENOMEM) {
        throw e;
      }
      return registrations.registerInstead(memory, access);
    }
  }

  ProtectionDomain domain() {
    return domain;
  }

  /** The device itself, whose events end waits, too. */
  Device device() {
    return device;
  }

  /** Where the completions of all initiators are announced. */
  CompletionChannel events() {
    return events;
  }

  /** What peers say of their writes. */
  Notices notices() {
    return notices;
  }

  /** Of memory that operations use where it lies. */
  RegistrationCache registrations() {
    return registrations;
  }

  boolean hasAtomics() {
    return limits.atomics() != AtomicSupport.NONE;
  }

  /** Bytes of a request at most. */
  int maxMessageLength() {
    return port.maxMessageLength();
  }

  @Override
  public void close() {
    parts.close();
  }
}
