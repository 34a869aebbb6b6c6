package org.ringwire.infiniband.msgud;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.ringwire.infiniband.connect.Terms;
import org.ringwire.infiniband.device.RingRegions;
import org.ringwire.infiniband.device.Settings;
import org.ringwire.infiniband.verbs.SendRequests;
import org.ringwire.infiniband.verbs.types.SendFlags;
import org.ringwire.infiniband.verbs.types.SendOpcode;
import org.ringwire.testing.Awaiting;

/** A datagram as long as a port can send it. */
final class LongDatagram {

  private LongDatagram() {}

  /** Is sent by somebody who knows the queue pair and its key, which the exchange tells anybody. */
  static void send(UdTransport to) {
    Terms terms = to.adapter().terms(0, 2, 0);
    int queueKey = Objects.requireNonNull(terms.datagrams()).queueKey();
    try (Arena arena = Arena.ofShared();
        UdAdapter stranger = new UdAdapter(Settings.of());
        AddressHandles.Use port = stranger.handles().take(terms.gid(), terms.lid())) {
      int length = stranger.port().mtu().bytes();
      MemorySegment memory = stranger.rings().allocate(arena, length);
      RingRegions.Ring ring = Objects.requireNonNull(stranger.rings().find(memory));
      SendRequests requests = new SendRequests(arena, 1, 1);
      requests.add(SendOpcode.SEND, 0, SendFlags.SIGNALED);
      requests.destination(port.handle(), terms.queuePair(), queueKey);
      requests.addRange(memory.address(), length, ring.key());
      long before = seen(to);
      int _ = stranger.queuePair().post(requests, 0);
      Awaiting.await("arrived", () -> seen(to) > before);
    }
  }

  /** Datagrams that were nothing to it, or failures. */
  private static long seen(UdTransport to) {
    return to.thread().refused() + (to.adapter().sender().failure() == null ? 0 : 1);
  }
}
