package org.ringwire.transport.loopback;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.FirstUse;
import org.ringwire.idle.Load;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.support.TransportThreads;

/**
 * Links between nodes of the same JVM, a node and itself included. An address is any name; one
 * transport of the JVM at a time listens on it.
 */
final class LoopbackTransport implements Transport {

  private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
  private static final Map<String, Listener> LISTENERS = new ConcurrentHashMap<>();

  /** Who listens on a name. */
  private record Listener(LoopbackTransport transport, LinkAcceptor acceptor) {}

  private final String name;
  private final LoopbackLoop loop;
  private final LongPredicate coreToSpare;
  private final Set<LoopbackLink> links = ConcurrentHashMap.newKeySet();
  private @Nullable String address;
  private volatile boolean closed;

  private LoopbackTransport(String name, LoopbackLoop loop, LongPredicate coreToSpare) {
    this.name = name;
    this.loop = loop;
    this.coreToSpare = coreToSpare;
  }

  /** Starts the thread. */
  static LoopbackTransport open(TransportConfig config) {
    return open(config, Load.PROCESS::maySpin);
  }

  /**
   * Starts the thread.
   *
   * @param coreToSpare whether the process has a core for it at that {@link System#nanoTime}
   */
  static LoopbackTransport open(TransportConfig config, LongPredicate coreToSpare) {
    FirstUse.prepare(LoopbackLink.class);
    LoopbackLoop loop = new LoopbackLoop(config);
    LoopbackTransport transport =
        new LoopbackTransport("node " + config.nodeId(), loop, coreToSpare);
    loop.start(); // last: what failed after it would leave the thread behind
    return transport;
  }

  @Override
  public synchronized String listen(String newAddress, LinkAcceptor acceptor) throws IOException {
    if (newAddress.isBlank()) {
      throw new IllegalArgumentException("loopback address must be a name: address=\"\"");
    }
    if (closed) {
      throw new IOException("cannot listen: address=" + newAddress + ": the transport was closed");
    }
    if (address != null) {
      throw new IllegalStateException(
          "already listening: address=" + address + " asked=" + newAddress);
    }
    Listener other = LISTENERS.putIfAbsent(newAddress, new Listener(this, acceptor));
    if (other != null) {
      throw new IOException(
          "cannot listen: address=" + newAddress + ": " + other.transport.name + " has that name");
    }
    address = newAddress;
    return newAddress;
  }

  @Override
  public boolean isLocal(String newAddress) {
    return true;
  }

  @Override
  public void connect(String peerAddress, LinkHandler handler) {
    Listener listener = LISTENERS.get(peerAddress);
    if (listener == null) {
      handler.closed(
          new IOException(
              "cannot connect: address="
                  + peerAddress
                  + ": no node of this JVM that uses this copy of the library has that name"));
      return;
    }
    LoopbackLink link = LoopbackLink.pair(this, handler, listener.transport, peerAddress);
    if (!add(link)) {
      handler.closed(
          new IOException("cannot connect: address=" + peerAddress + ": the transport was closed"));
      return;
    }
    link.open(listener.acceptor);
  }

  @Override
  public synchronized void stopListening() {
    if (address != null) {
      LISTENERS.remove(address);
      address = null;
    }
  }

  @Override
  public void close() {
    stopListening();
    synchronized (this) {
      closed = true;
    }
    for (LoopbackLink link : links) {
      link.close();
    }
    endIfEmpty();
    if (LoopbackLink.isDelivering()) {
      return; // the caller is inside a link, which ends after the caller has left
    }
    if (!TransportThreads.awaitEnd(loop.thread(), CLOSE_TIMEOUT_NS)) {
      loop.shutdown(); // a handler does not return, or this is the loop
    }
  }

  /** Whether there are links, open or not, that have not ended. */
  boolean hasLinks() {
    return !links.isEmpty();
  }

  private void endIfEmpty() {
    if (closed && !hasLinks()) {
      loop.shutdown();
    }
  }

  /** Keeps a link until it ended; false if the transport was closed. */
  synchronized boolean add(LoopbackLink link) {
    return !closed && links.add(link);
  }

  /** Forgets a link that ended. */
  void remove(LoopbackLink link) {
    links.remove(link);
    endIfEmpty();
  }

  /** Whether there is a core for the thread of this transport, too, while a sender goes on. */
  boolean hasCoreToSpare(long nowNs) {
    return coreToSpare.test(nowNs);
  }

  /** The thread of this transport. */
  LoopbackLoop loop() {
    return loop;
  }

  /** The name of this transport's node, for people. */
  String name() {
    return name;
  }
}
