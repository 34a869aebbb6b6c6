package org.ringwire.infiniband.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import org.ringwire.transport.support.TransportLog;

/** What is made one after the other, and closed in the reverse order. One thread at a time. */
final class Parts implements AutoCloseable {

  private static final TransportLog LOG = TransportLog.of(Parts.class);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  /** Nothing yet. */
  Parts() {}

  /** Keeps a part, which has just been made. */
  <T extends AutoCloseable> T add(T part) {
    parts.push(part);
    return part;
  }

  /** Closes all of them, even if one cannot be. */
  @Override
  public void close() {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        LOG.log(System.Logger.Level.WARNING, "cannot close a part of an InfiniBand device", e);
      }
    }
  }
}
