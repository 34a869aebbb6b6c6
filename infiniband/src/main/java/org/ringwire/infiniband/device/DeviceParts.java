package org.ringwire.infiniband.device;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntFunction;
import org.ringwire.MessagingException;
import org.ringwire.infiniband.verbs.Device;
import org.ringwire.infiniband.verbs.MemoryRegion;
import org.ringwire.infiniband.verbs.ProtectionDomain;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.types.Access;
import org.ringwire.ring.NativeMemory;
import org.ringwire.transport.support.TransportLog;

/** What an engine has made of a device, and closes in the reverse order. One thread at a time. */
public final class DeviceParts implements AutoCloseable {

  private static final int PAGE = 4096;
  private static final TransportLog LOG = TransportLog.of(DeviceParts.class);

  /** In the order of making. */
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  /** Without parts. */
  public DeviceParts() {}

  /** Keeps a part. */
  public <T extends AutoCloseable> T add(T part) {
    parts.push(part);
    return part;
  }

  /**
   * Checks that a device has queues of receive requests that queue pairs share.
   *
   * @param user what needs them, and what to do without, if anything
   * @throws MessagingException if it has none
   */
  public static void requireSharedQueues(Device device, String user) {
    if (!device.attributes().hasSharedReceiveQueues()) {
      throw new MessagingException(device + " has no shared receive queues, needed by " + user);
    }
  }

  /** Memory that the device may read, in chunks; it belongs to the scope. */
  public StagingPool staging(
      ProtectionDomain domain, NativeMemory.Scope scope, int chunkLength, int chunks) {
    MemorySegment memory = scope.allocate((long) chunkLength * chunks, PAGE);
    MemoryRegion region = add(domain.register(memory, Access.LOCAL_WRITE));
    return new StagingPool(memory, region.localKey(), chunkLength);
  }

  /**
   * Makes something with as many inline bytes as the device can; no attribute tells how many.
   *
   * @param most tried first, then half of it, and so on
   */
  public static <T> T withInline(int most, IntFunction<T> maker) {
    int inline = most;
    while (true) {
      try {
        return maker.apply(inline);
      } catch (VerbsException e) {
        if (inline == 0) {
          throw e;
        }
        inline /= 2;
      }
    }
  }

  /** Closes all parts, the last first; a second call goes on where there was no heap. */
  @Override
  public void close() {
    for (AutoCloseable part = parts.peek(); part != null; part = parts.peek()) {
      try {
        part.close();
      } catch (Exception e) {
        LOG.log(System.Logger.Level.WARNING, "cannot close a part of an InfiniBand device", e);
      }
      parts.pop(); // after it
    }
  }
}
