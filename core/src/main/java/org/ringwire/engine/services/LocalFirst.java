package org.ringwire.engine.services;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.ringwire.engine.inbound.workers.VirtualThreads;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.LocalTransport;
import org.ringwire.transport.Transport;

/**
 * Two transports as one: that of the node, and one that is preferred to peers of its own machine
 * and user ({@code NodeConfig.localTransport}). The node listens on both, and lets processes of
 * this machine find the local listener by the name of the other one. Who connects asks, if the
 * address leads to this machine, whether the listener there has been given another address; if it
 * has not, or no link comes of it, the link is of the transport of the node.
 *
 * <p><em>Never to somebody else.</em> A name is the address, port and network namespace of a
 * listener that the kernel has bound, so the one who has announced a name is who would have
 * accepted; it is announced after that was bound and taken back when it ends. What a process has
 * left behind that was killed leads to a socket that nobody listens on. The handshake is the same
 * on both: a link that leads to another node, cluster or life is refused as it would be there.
 *
 * <p>Any thread; no state of its own.
 */
final class LocalFirst implements Transport {

  private static final System.Logger LOG = System.getLogger(LocalFirst.class.getName());

  private final Transport main;
  private final LocalTransport local;
  private final String mainName;
  private final String localName;

  /**
   * A transport of two.
   *
   * @param mainName of the one for all peers
   * @param localName of the one that is preferred
   */
  LocalFirst(Transport main, String mainName, LocalTransport local, String localName) {
    this.main = main;
    this.mainName = mainName;
    this.local = local;
    this.localName = localName;
  }

  /** The name of the transport that a link is of. */
  String nameOf(Link link) {
    return local.owns(link) ? localName : mainName;
  }

  @Override
  public String listen(String address, LinkAcceptor acceptor) throws IOException {
    boolean listening = listenLocally(acceptor); // before anybody could be sent there
    String bound;
    try {
      bound = main.listen(address, acceptor);
    } catch (IOException | RuntimeException e) {
      local.stopListening();
      throw e;
    }
    if (listening) {
      announce(bound);
    }
    return bound;
  }

  private boolean listenLocally(LinkAcceptor acceptor) {
    try {
      String _ = local.listen(LocalTransport.ANY, acceptor);
      return true;
    } catch (IOException | RuntimeException e) {
      unavailable(localName, e);
      return false;
    }
  }

  private void announce(String bound) {
    List<String> names = main.localNames(bound);
    try {
      if (names.isEmpty()) {
        throw new IOException("the transport " + mainName + " has no names for its listeners");
      }
      local.announce(names.getFirst());
    } catch (IOException | RuntimeException e) {
      local.stopListening();
      unavailable(localName, e);
    }
  }

  /** Says why peers of this machine are reached like all others. */
  static void unavailable(String localName, Exception cause) {
    LOG.log(
        System.Logger.Level.INFO,
        "peers of this machine are not reached by " + localName + ": " + cause.getMessage());
  }

  @Override
  public void connect(String address, LinkHandler handler) {
    String found = find(address);
    if (found == null) {
      main.connect(address, handler);
    } else {
      local.connect(found, handler, failure -> connectByMain(address, handler, failure));
    }
  }

  private @Nullable String find(String address) {
    for (String name : main.localNames(address)) {
      String found = local.find(name);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** On a thread of its own: this one is the medium's, and looking a name up may take time. */
  private void connectByMain(String address, LinkHandler handler, Throwable failure) {
    LOG.log(System.Logger.Level.DEBUG, "not by {0}: {1}", localName, failure);
    try {
      VirtualThreads.start(
          "ringwire-connect",
          Thread.currentThread().getContextClassLoader(), // which all threads of the node have
          () -> connectOrTell(address, handler));
    } catch (RuntimeException | Error e) {
      handler.closed(e);
    }
  }

  private void connectOrTell(String address, LinkHandler handler) {
    try {
      main.connect(address, handler);
    } catch (RuntimeException | Error e) { // nobody else hears of it
      handler.closed(e);
    }
  }

  @Override
  public boolean mayLookUp(String address) {
    return main.mayLookUp(address);
  }

  @Override
  public boolean isLocal(String address) {
    return main.isLocal(address);
  }

  @Override
  public List<String> localNames(String address) {
    return main.localNames(address);
  }

  @Override
  public MemorySegment allocateRing(Link link, Arena arena, long capacity) {
    Transport owner = local.owns(link) ? local : main;
    return owner.allocateRing(link, arena, capacity);
  }

  @Override
  public void trim() {
    main.trim();
    local.trim();
  }

  @Override
  public void upkeep() {
    main.upkeep();
    local.upkeep();
  }

  @Override
  public Map<String, Long> counters() {
    Map<String, Long> all = new HashMap<>(main.counters());
    local.counters().forEach((name, count) -> all.merge(name, count, Long::sum));
    return all;
  }

  @Override
  public void stopListening() {
    local.stopListening();
    main.stopListening();
  }

  /** Both in the time of one, as their threads may all be held up. */
  @Override
  public void close() {
    try {
      local.beginClose();
    } finally { // whatever goes wrong with one of them
      try {
        main.close();
      } finally {
        local.close();
      }
    }
  }
}
