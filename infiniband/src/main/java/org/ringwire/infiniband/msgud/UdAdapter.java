package org.ringwire.infiniband.msgud;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.ringwire.infiniband.connect.DatagramTerms;
import org.ringwire.infiniband.connect.Terms;
import org.ringwire.infiniband.datagram.Datagram;
import org.ringwire.infiniband.device.DeviceParts;
import org.ringwire.infiniband.device.IbOptions;
import org.ringwire.infiniband.device.LocalPort;
import org.ringwire.infiniband.device.RingRegions;
import org.ringwire.infiniband.device.StagingPool;
import org.ringwire.infiniband.verbs.CompletionChannel;
import org.ringwire.infiniband.verbs.CompletionQueue;
import org.ringwire.infiniband.verbs.Device;
import org.ringwire.infiniband.verbs.Devices;
import org.ringwire.infiniband.verbs.EventPoll;
import org.ringwire.infiniband.verbs.MemoryRegion;
import org.ringwire.infiniband.verbs.ProtectionDomain;
import org.ringwire.infiniband.verbs.QueuePairOptions;
import org.ringwire.infiniband.verbs.UdQueuePair;
import org.ringwire.infiniband.verbs.WorkCompletions;
import org.ringwire.infiniband.verbs.types.Access;
import org.ringwire.infiniband.verbs.types.DeviceAttributes;
import org.ringwire.ring.NativeMemory;

/**
 * What the engine {@code msgud} has of a device: one queue pair for datagrams to and from all
 * peers, and the memory that all links share. Made and closed as one; each part says who may use
 * it.
 *
 * <p>One queue pair is enough: it is connected to nobody, each request names its destination, and
 * the device sends its requests one after the other at the speed of the line. Its depth covers what
 * the adapter itself has not sent yet, not round trips: segments that wait for an acknowledgement
 * take no request.
 */
final class UdAdapter implements AutoCloseable {

  private static final int MOST_DEPTH = 1 << 10;
  private static final int LEAST_BUFFERS = 32;
  private static final int MOST_BUFFERS = 1 << 14;
  private static final int CHUNKS = 256;

  private final DeviceParts parts = new DeviceParts();
  private final Device device;
  private final LocalPort port;
  private final RingRegions rings;
  private final StagingPool chunks;
  private final CompletionChannel channel;
  private final CompletionQueue receiveCompletions;
  private final UdReceiver receiver;
  private final UdQueuePair queuePair;
  private final UdSender sender;
  private final AddressHandles handles;
  private final NativeMemory.Scope scope;
  private final int ranges;
  private final int queueKey = ThreadLocalRandom.current().nextInt() & Integer.MAX_VALUE;
  private final int packetNumber = ThreadLocalRandom.current().nextInt(1 << 24);
  private boolean restarting; // the thread of the engine only

  /** Opens the device of the settings, and makes everything. */
  @SuppressWarnings("this-escape") // a final class
  UdAdapter(IbOptions options) {
    boolean made = false;
    try {
      device = parts.add(Devices.open(options.device(), options.port()));
      DeviceAttributes limits = device.attributes();
      port = LocalPort.of(device, options);
      int mtu = port.mtu().bytes();
      ProtectionDomain domain = parts.add(device.allocateProtectionDomain());
      scope = parts.add(NativeMemory.open("buffers of an InfiniBand device"));
      int most = Math.min(limits.maxQueuePairRequests(), limits.maxCompletionEntries());
      int depth = Math.min(most, Math.min(options.sendCompletions(), MOST_DEPTH));
      long bytes = (long) options.receiveRequests() * options.receiveLength();
      int buffers = Math.clamp(bytes / UdReceiver.bufferLength(mtu), LEAST_BUFFERS, MOST_BUFFERS);
      buffers = Math.min(buffers, most);
      ranges = Math.max(2, Math.min(options.sendRanges(), limits.maxRanges()));
      CompletionQueue sendCompletions = parts.add(device.createCompletionQueue(depth, null));
      channel = parts.add(device.createCompletionChannel());
      receiveCompletions = parts.add(device.createCompletionQueue(buffers, channel));
      rings = parts.add(new RingRegions(domain));
      chunks = parts.staging(domain, scope, mtu, CHUNKS);
      MemorySegment heads = scope.allocate(UdSender.headBytes(depth), 4096);
      MemoryRegion headRegion = parts.add(domain.register(heads, Access.LOCAL_WRITE));
      receiver = parts.add(new UdReceiver(domain, scope, buffers, mtu));
      handles = parts.add(new AddressHandles(domain, port));
      queuePair =
          parts.add(
              create(domain, sendCompletions, depth, buffers, Math.min(options.inline(), mtu)));
      prepare();
      sender =
          new UdSender(
              scope.arena(),
              queuePair,
              sendCompletions,
              heads,
              headRegion.localKey(),
              Math.min(ranges, queuePair.maxSendRanges()),
              Math.min(queuePair.maxInline(), options.inline()),
              new SegmentFiller(rings::find));
      made = true;
    } finally {
      if (!made) {
        close();
      }
    }
  }

  private UdQueuePair create(
      ProtectionDomain domain, CompletionQueue sent, int depth, int buffers, int inline) {
    return DeviceParts.withInline(
        inline,
        bytes ->
            domain.createUdQueuePair(
                new QueuePairOptions(
                    sent,
                    receiveCompletions,
                    null,
                    depth,
                    ranges,
                    buffers,
                    UdReceiver.RANGES,
                    bytes,
                    false)));
  }

  /**
   * Makes the queue pair ready again after it has failed; when no link has a number. It begins when
   * the device has given all buffers back. If there is no heap for the rest the device has some of
   * them again, and may use them: then it begins anew.
   *
   * @param late whether the device has had time enough: some tell not of all, and when the queue
   *     pair is reset they use none any more
   * @param unused for what the device tells of requests that it has forgotten since
   * @return whether all is ready
   */
  boolean tryRestart(WorkCompletions unused, boolean late) {
    if (!restarting && !late && !receiver.hasAll()) {
      return false;
    }
    restarting = true;
    queuePair.toReset();
    int told = receiveCompletions.poll(unused);
    while (told > 0) {
      told = receiveCompletions.poll(unused);
    }
    sender.drain();
    receiver.takeBack();
    chunks.takeBack();
    prepare();
    sender.restart();
    restarting = false;
    return true;
  }

  /** Lets the queue pair receive and send. */
  private void prepare() {
    queuePair.toInit(port.path(port.mtu()), queueKey);
    receiver.refill(queuePair);
    queuePair.toReadyToReceive();
    queuePair.toReadyToSend(packetNumber);
  }

  /** What a link tells the other end. */
  Terms terms(int linkNumber, int nodeId, long token) {
    return new Terms(
        queuePair.number(),
        packetNumber,
        port.lid(),
        port.gid(),
        port.mtu(),
        linkNumber,
        port.mtu().bytes(),
        nodeId,
        new DatagramTerms(queueKey, token));
  }

  /** Where the other end is; the caller closes the use of its port. */
  Destination destination(Terms peer, DatagramTerms datagrams) {
    return new Destination(
        handles.take(peer.gid(), peer.lid()),
        peer.queuePair(),
        datagrams.queueKey(),
        datagrams.token());
  }

  /** Bytes of the content of a segment to a peer. */
  int contentLength(Terms peer) {
    int length = Math.min(Math.min(port.mtu().bytes(), peer.mtu().bytes()), peer.receiveLength());
    return length - Datagram.LENGTH;
  }

  /** A segment of any link. */
  UdSegment newSegment() {
    return new UdSegment(ranges - 1);
  }

  /** What its thread waits for; closed with everything. */
  EventPoll newEventPoll() {
    return parts.add(new EventPoll(List.of(channel), device));
  }

  Device device() {
    return device;
  }

  LocalPort port() {
    return port;
  }

  /** Of the memory that all share. */
  NativeMemory.Scope scope() {
    return scope;
  }

  RingRegions rings() {
    return rings;
  }

  /** For segments that do not lie in a ring. */
  StagingPool chunks() {
    return chunks;
  }

  CompletionChannel channel() {
    return channel;
  }

  CompletionQueue receiveCompletions() {
    return receiveCompletions;
  }

  UdReceiver receiver() {
    return receiver;
  }

  UdQueuePair queuePair() {
    return queuePair;
  }

  UdSender sender() {
    return sender;
  }

  AddressHandles handles() {
    return handles;
  }

  /** Closes everything, the last first; no link is left, and no thread is inside. */
  @Override
  public void close() {
    parts.close();
  }
}
