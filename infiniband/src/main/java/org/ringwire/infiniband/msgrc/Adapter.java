package org.ringwire.infiniband.msgrc;

import java.lang.foreign.Arena;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.connect.Terms;
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
import org.ringwire.infiniband.verbs.ProtectionDomain;
import org.ringwire.infiniband.verbs.QueuePairOptions;
import org.ringwire.infiniband.verbs.RcQueuePair;
import org.ringwire.infiniband.verbs.types.Access;
import org.ringwire.infiniband.verbs.types.DeviceAttributes;
import org.ringwire.infiniband.verbs.types.Mtu;
import org.ringwire.infiniband.verbs.types.Path;
import org.ringwire.infiniband.verbs.types.RetryOptions;
import org.ringwire.ring.NativeMemory;

/**
 * What a transport has of a device: one protection domain, one completion queue for sending and one
 * for receiving, one shared receive queue, and the memory that all links share. Made and closed as
 * one; each part says who may use it.
 */
final class Adapter implements AutoCloseable {

  /** For what links say once, beside data: see {@link CompletionBudget#takeOne}. */
  private static final int SPARE_COMPLETIONS = 1 << 10;

  private static final int SMALL_CHUNK = 4 << 10;
  private static final int SMALL_CHUNKS = 128;
  private static final int LARGE_CHUNKS = 32;

  private final DeviceParts parts = new DeviceParts();
  private final IbOptions options;
  private final Device device;
  private final LocalPort port;
  private final ProtectionDomain domain;
  private final Arena arena;
  private final CompletionChannel sendChannel;
  private final CompletionQueue sendCompletions;
  private final CompletionBudget budget;
  private final StagingPool smallChunks;
  private final StagingPool largeChunks;
  private final RingRegions rings;
  private final CompletionChannel receiveChannel;
  private final CompletionQueue receiveCompletions;
  private final ReceiveQueue receiveQueue;

  /** Opens the device of the settings, and makes everything. */
  @SuppressWarnings("this-escape") // a final class
  Adapter(IbOptions options) {
    this.options = options;
    boolean made = false;
    try {
      device = parts.add(Devices.open(options.device(), options.port()));
      DeviceParts.requireSharedQueues(
          device,
          "the engine msgrc: set -D" + IbOptions.PREFIX + "engine=msgud, the same for all nodes");
      DeviceAttributes limits = device.attributes();
      port = LocalPort.of(device, options);
      domain = parts.add(device.allocateProtectionDomain());
      NativeMemory.Scope scope = parts.add(NativeMemory.open("buffers of an InfiniBand device"));
      arena = scope.arena();
      sendChannel = parts.add(device.createCompletionChannel());
      int most = limits.maxCompletionEntries();
      int completions = Math.min(options.sendCompletions() + SPARE_COMPLETIONS, most);
      sendCompletions = parts.add(device.createCompletionQueue(completions, sendChannel));
      int budgeted = Math.min(options.sendCompletions(), completions * 7 / 8);
      budget = new CompletionBudget(budgeted, completions - budgeted);
      smallChunks = parts.staging(domain, scope, SMALL_CHUNK, SMALL_CHUNKS);
      largeChunks = parts.staging(domain, scope, options.receiveLength(), LARGE_CHUNKS);
      rings = parts.add(new RingRegions(domain));
      receiveChannel = parts.add(device.createCompletionChannel());
      int requests = Math.min(options.receiveRequests(), limits.maxSharedReceiveRequests());
      requests = Math.min(requests, most); // each may have arrived before one is polled
      receiveCompletions =
          parts.add(device.createCompletionQueue(Math.min(2 * requests, most), receiveChannel));
      int ranges = Math.min(options.receiveRanges(), limits.maxSharedReceiveRanges());
      receiveQueue =
          parts.add(new ReceiveQueue(domain, scope, requests, ranges, options.sliceLength()));
      made = true;
    } finally {
      if (!made) {
        close();
      }
    }
  }

  /** A queue pair that uses what all share; not connected. The caller owns it. */
  RcQueuePair createQueuePair() {
    DeviceAttributes limits = device.attributes();
    int requests = Math.min(options.sendRequests(), limits.maxQueuePairRequests());
    int ranges = Math.min(options.sendRanges(), limits.maxRanges());
    return DeviceParts.withInline( // each anew: another may have failed for want of something else
        options.inline(),
        bytes ->
            domain.createRcQueuePair(
                new QueuePairOptions(
                    sendCompletions,
                    receiveCompletions,
                    receiveQueue.queue(),
                    requests,
                    ranges,
                    0,
                    0,
                    bytes,
                    false)));
  }

  /** Makes a new queue pair ready to receive from, and then to send to, the other end. */
  void connect(RcQueuePair queuePair, Terms own, Terms peer) {
    Path path = port.path(Mtu.min(own.mtu(), peer.mtu()));
    RetryOptions retry = port.retry(1);
    queuePair.toInit(path, Access.LOCAL_WRITE);
    queuePair.toReadyToReceive(
        path, peer.queuePair(), peer.packetNumber(), peer.gid(), peer.lid(), retry);
    queuePair.toReadyToSend(own.packetNumber(), retry);
  }

  /** Bytes of a send request at most. */
  int longestRequest() {
    return Math.max(port.maxMessageLength(), Terms.SHORTEST_RECEIVE);
  }

  /** What a link tells the other end. */
  Terms terms(RcQueuePair queuePair, int packetNumber, int linkNumber, int nodeId) {
    return new Terms(
        queuePair.number(),
        packetNumber,
        port.lid(),
        port.gid(),
        port.mtu(),
        linkNumber,
        receiveQueue.requestLength(),
        nodeId);
  }

  /** What a thread waits for; closed with everything. By the thread that opens the transport. */
  EventPoll newEventPoll(CompletionChannel channel, @Nullable Device asyncEvents) {
    return parts.add(new EventPoll(List.of(channel), asyncEvents));
  }

  /** The settings. */
  IbOptions options() {
    return options;
  }

  Device device() {
    return device;
  }

  LocalPort port() {
    return port;
  }

  /** Of the memory that all share. */
  Arena arena() {
    return arena;
  }

  CompletionChannel sendChannel() {
    return sendChannel;
  }

  CompletionQueue sendCompletions() {
    return sendCompletions;
  }

  CompletionBudget budget() {
    return budget;
  }

  /** For few bytes. */
  StagingPool smallChunks() {
    return smallChunks;
  }

  /** For as many as a request carries. */
  StagingPool largeChunks() {
    return largeChunks;
  }

  RingRegions rings() {
    return rings;
  }

  CompletionChannel receiveChannel() {
    return receiveChannel;
  }

  CompletionQueue receiveCompletions() {
    return receiveCompletions;
  }

  ReceiveQueue receiveQueue() {
    return receiveQueue;
  }

  /** Closes everything, the last first; no queue pair is left, and no thread is inside. */
  @Override
  public void close() {
    parts.close();
  }
}
