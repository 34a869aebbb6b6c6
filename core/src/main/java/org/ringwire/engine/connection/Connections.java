package org.ringwire.engine.connection;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.ringwire.EndReason;
import org.ringwire.LossReport;
import org.ringwire.MemoryLimitException;
import org.ringwire.engine.connection.attempt.Addresses;
import org.ringwire.engine.outbound.SendContext;
import org.ringwire.engine.services.Bounded;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.engine.services.NodeTable;
import org.ringwire.engine.services.PeerEvents;
import org.ringwire.flight.FlightEvents;
import org.ringwire.ring.MemoryBudget;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;

/**
 * The connections of a node by peer: makes them on first use, lets peers open links, forgets them
 * when they end. Any thread.
 */
public final class Connections {

  private static final int RECENT_MASK = 63;

  /** Peers that may be told at the same time that there are too many. */
  private static final int MOST_REFUSALS = 64;

  private static final long FREE_WAIT_NS = 5_000_000_000L;

  private final NodeServices services;
  private final FlightEvents flight = FlightEvents.get(); // is there when memory is not
  private final Writability writability;
  private final PeerEvents events;
  private final NodeTable<Connection> table = new NodeTable<>();
  private final Addresses addresses;
  private final ConcurrentHashMap<String, Integer> links = new ConcurrentHashMap<>();
  private final AtomicInteger handshakes = new AtomicInteger();
  private final AtomicInteger unsettled = new AtomicInteger();
  private final AtomicInteger count = new AtomicInteger();
  private final Dismissals dismissals;
  private final Admissions admissions;
  private final Queue<LossReport> undelivered = new ConcurrentLinkedQueue<>();
  private final @Nullable Connection[] recent = new Connection[RECENT_MASK + 1];
  private final Set<Connection> ending = new HashSet<>(); // guarded by itself
  private Traffic ended = Traffic.NONE; // guarded by ending
  private volatile boolean listening;
  private volatile boolean closing;
  private volatile boolean leftOut; // by the thread for chores

  public Connections(NodeServices services) {
    this.services = services;
    addresses = new Addresses(services);
    writability = new Writability(services, this);
    events = new PeerEvents(services.listening()::tell, services::later);
    dismissals = new Dismissals(services, this);
    admissions = new Admissions(services, this);
  }

  public Writability writability() {
    return writability;
  }

  /** Peers find this node from now on; not while it is set up. */
  public void beginListening() {
    listening = true;
  }

  /** Whether peers are told that they find this node. */
  public boolean isListening() {
    return listening;
  }

  public void ownAddress(String address) {
    addresses.own(address);
  }

  /**
   * The connection to a node; what was found last is kept where one look finds it. None if ended.
   */
  public @Nullable Connection get(int nodeId) {
    Connection last = recent[nodeId & RECENT_MASK]; // racy, and checked: connections are immutable
    if (last != null && last.nodeId() == nodeId && !last.isEnded()) {
      return last;
    }
    Connection connection = table.get(nodeId);
    recent[nodeId & RECENT_MASK] = connection;
    return connection == null || connection.isEnded() ? null : connection;
  }

  /** Lets go of connections that have ended; the timer, again and again, since who finds races. */
  public void forgetRecent() {
    for (int i = 0; i < recent.length; i++) {
      Connection last = recent[i];
      if (last != null && last.isEnded()) {
        recent[i] = null;
      }
    }
  }

  public List<Connection> all() {
    return table.values();
  }

  /** Whether there are more than there may be, those that drain included. */
  boolean areTooMany() {
    return count.get() > services.config().maxConnections();
  }

  /** Who sees to it that there are not too many, and that those which drain end. */
  Dismissals dismissals() {
    return dismissals;
  }

  /** Those that have ended and whose links have not: a thread may be in their handlers. */
  public List<Connection> ending() {
    synchronized (ending) {
      return List.copyOf(ending);
    }
  }

  /** Links of peers that this node is just taking in, which no connection has yet. */
  public Set<PeerSession> beingTakenIn() {
    return admissions.deciding();
  }

  /**
   * The connection to a node, begun if there is none.
   *
   * @throws MemoryLimitException if the process has no memory for another one
   */
  public ConnectResult connect(int nodeId) {
    Connection connection = table.get(nodeId);
    if (connection != null && connection.isEnded()) {
      connection.resumeEnd(); // which its own thread is doing, or had no heap for
    } else if (connection != null) {
      return new ConnectResult.Begun(connection);
    }
    String address;
    try {
      address = addresses.of(nodeId); // once: the next answer may be another one
    } catch (Exception e) { // declared or not
      return ConnectResult.DirectoryFailed.by(e);
    }
    if (address == null) {
      return new ConnectResult.Unknown(unknown(nodeId));
    }
    String backsOff = addresses.refusal(nodeId, address);
    return backsOff == null ? begin(nodeId, address) : new ConnectResult.BacksOff(backsOff);
  }

  private String unknown(int nodeId) {
    if (nodeId != services.config().nodeId()) {
      return "the directory does not know it";
    }
    String yet = services.config().listen() == null ? "" : " yet";
    return "a node that does not listen" + yet + " cannot send to itself";
  }

  private ConnectResult begin(int nodeId, String address) {
    String refusal = memoryRefusal();
    if (refusal != null) {
      throw new MemoryLimitException("cannot connect: nodeId=" + nodeId + ": " + refusal);
    }
    Connection created = newConnection(nodeId);
    if (closing) { // after it counts: a close that does not see that is seen here
      over();
      return new ConnectResult.NodeCloses(services.config().nodeId());
    }
    Connection connection = enter(created);
    if (connection == created) {
      connection.startOutbound(address);
    }
    return new ConnectResult.Begun(connection);
  }

  /**
   * Opens our link, as far as that goes on this thread. One that reads, because a peer has opened
   * its link or in an inline handler, leaves it to another, and so does any if a host name is to be
   * looked up: that may wait for a name server, for longer than the caller may.
   *
   * @param accepted the peer's link, or null
   */
  void openLink(String address, @Nullable Link accepted, PeerSession session) {
    boolean leaves = false;
    try {
      leaves = accepted != null || SendContext.current().isInline();
      if (leaves) {
        services.lookups().leave(() -> openLinkHere(address, accepted, session));
      } else if (services.transport().mayLookUp(address)) {
        leaves = services.lookups().tryLeave(() -> openLinkHere(address, null, session));
      }
    } catch (RejectedExecutionException e) {
      session.closed(new IOException("too many host names are looked up at a time", e));
    } catch (RuntimeException | Error e) { // of the transport, or there is no heap: it must end
      leaves = true;
      session.closed(e);
    }
    if (!leaves) {
      openLinkHere(address, accepted, session);
    }
  }

  /** Whatever a transport fails at: the attempt must end, or nobody could ever make another. */
  private void openLinkHere(String address, @Nullable Link accepted, PeerSession session) {
    try {
      if (session.ending().isBegun()) { // while it was left to this thread
        session.closed(null);
      } else if (accepted == null) {
        services.transport().connect(address, session);
      } else {
        services.transport().connectBack(address, accepted, session);
      }
    } catch (RuntimeException | Error e) {
      services.errors().report("the transport cannot connect: address=" + address, e);
      session.closed(e);
    }
  }

  /** The connection that is there, or else the new one. */
  Connection enter(Connection created) {
    Connection connection = null;
    try {
      connection = table.putIfAbsent(created.nodeId(), created);
    } finally {
      if (connection != created) { // perhaps there is no heap for it
        unsettled.decrementAndGet();
      }
    }
    if (connection == created) {
      dismissals.connectionMade(count.incrementAndGet());
    }
    return connection;
  }

  /** Why the process has no memory for another connection, for people, or null. */
  @Nullable String memoryRefusal() {
    long bytes = (long) services.config().ringCapacity() + services.config().initialWindow();
    return MemoryBudget.hasRoom(bytes) ? null : MemoryBudget.refusal(bytes);
  }

  /** One that is to be entered. */
  Connection newConnection(int nodeId) {
    Connection connection = new Connection(services, this, nodeId); // may find no memory
    unsettled.incrementAndGet();
    return connection;
  }

  /** Where a node was found that the directory may not know. */
  public void learn(int nodeId, String address) {
    addresses.learn(nodeId, address);
  }

  /** Something has begun that the node must see the end of when it closes. */
  public void begun() {
    unsettled.incrementAndGet();
  }

  /** The end of what {@link #begun} was told of, or nothing is left of a connection. */
  public void over() {
    unsettled.decrementAndGet();
  }

  /** Where nodes are tried, and when again. */
  Addresses addresses() {
    return addresses;
  }

  // Connections of peers.

  /**
   * A peer has opened a link. If there are too many, it is told so, as long as not too many are
   * told at the same time: then null.
   */
  public @Nullable LinkHandler accept(String remote) {
    if (closing) {
      return null;
    }
    String counted = null;
    PeerSession session = null;
    int begun = handshakes.incrementAndGet();
    try {
      String refusal = refusal(begun);
      if (refusal == null) {
        counted = countLink(Addresses.hostOf(remote));
        refusal = counted == null ? tooManyLinks(remote) : null;
      }
      if (begun <= services.config().maxHandshakes() + MOST_REFUSALS) {
        session = new PeerSession(services, this, counted, refusal);
      } else {
        services.counters().handshakesRefused.increment();
      }
      return session;
    } finally {
      if (session == null) { // there may be no heap, and is no end of a link to take it back
        handshakes.decrementAndGet();
        if (counted != null) {
          forgetLink(counted);
        }
      }
    }
  }

  private @Nullable String refusal(int begun) {
    int most = services.config().maxHandshakes();
    if (services.listening().isBehind()) {
      return "the listener of this node is too far behind";
    }
    return begun > most ? "too many handshakes at a time: maxHandshakes=" + most : null;
  }

  /** The address, one more link of which is counted; null if it has too many. */
  private @Nullable String countLink(String host) {
    if (links.merge(host, 1, Integer::sum) <= services.config().maxConnectionsPerAddress()) {
      return host;
    }
    forgetLink(host);
    return null;
  }

  private String tooManyLinks(String remote) {
    String limit = " maxConnectionsPerAddress=" + services.config().maxConnectionsPerAddress();
    return "too many connections: address=" + Addresses.hostOf(remote) + limit;
  }

  /** A link from this address has ended. */
  private void forgetLink(String host) {
    links.computeIfPresent(host, (key, count) -> count == 1 ? null : count - 1);
  }

  void handshakeEnded() {
    handshakes.decrementAndGet();
  }

  /** Whom this node takes in. */
  Admissions admissions() {
    return admissions;
  }

  /** Where a connection is looked for, also one that has ended and is still there. */
  @Nullable Connection listed(int nodeId) {
    return table.get(nodeId);
  }

  // What connections report.

  /** In which order the listener hears of connections. */
  public PeerEvents events() {
    return events;
  }

  void opened(Connection connection) {
    addresses.reached(connection.nodeId());
    writability.decided(connection);
    dismissals.connectionMade(count.get());
    flight.connected(services.config().nodeId(), connection.nodeId());
    events.opened(connection.nodeId(), connection);
  }

  void sessionClosed(PeerSession session) {
    String host = session.takeAddress();
    if (host != null) {
      forgetLink(host);
    }
    Connection connection = session.connection();
    if (connection != null) {
      connection.sessionClosed(session);
    } else {
      services.chore(() -> free(session));
    }
  }

  /** A connection has ended; told again, not first, if there was no heap for what follows. */
  void ended(Connection connection, boolean first) {
    synchronized (ending) { // its links may have closed, and all this be over, in the meantime
      if (connection.hasLink() && !connection.isRetired()) { // whose end retires it
        ending.add(connection);
      }
    }
    if (first && connection.neverOpened() && !closing) {
      services.counters().connectFailures.increment();
      addresses.notReached(connection.nodeId(), connection.attempt(), connection.cause());
    }
  }

  /** Everybody who has to do with its end knows of it. */
  void remove(Connection connection) {
    writability.decided(connection);
    if (table.remove(connection.nodeId(), connection)) {
      count.decrementAndGet();
    }
  }

  /**
   * A link leaves a connection that goes on without it, and holds its lock: what the link has
   * carried is kept, and at no time counted twice or not at all.
   *
   * @param letGo lets go of the link, and needs no heap
   */
  void leaves(PeerSession session, Runnable letGo) {
    synchronized (ending) {
      ended = ended.plus(Traffic.of(session, null, null));
      letGo.run();
    }
  }

  /** What an ended connection has counted is kept; before its memory is freed. */
  void retire(Connection connection) {
    synchronized (ending) {
      if (!connection.isRetired()) {
        ended = ended.plus(Traffic.of(connection));
        connection.retired();
      }
      ending.remove(connection);
    }
  }

  /** What all connections have counted, those that have ended included. */
  public Traffic traffic() {
    synchronized (ending) {
      Set<Connection> counted = new HashSet<>(ending);
      counted.addAll(table.values());
      Traffic sum = ended;
      for (Connection connection : counted) {
        sum = connection.isRetired() ? sum : sum.plus(Traffic.of(connection));
      }
      return sum;
    }
  }

  public int handshakesNow() {
    return handshakes.get();
  }

  /** Event thread: waits, for a bounded time, until nobody is inside the link, and frees. */
  void free(PeerSession session) {
    if (!Bounded.await(session::tryFree, System.nanoTime() + FREE_WAIT_NS)) {
      services.errors().report("a link is still in use", new IllegalStateException("not freed"));
    }
  }

  /** Event thread: a connection has ended for good. */
  void settled(Connection connection, LossReport report, boolean wasOpen) {
    services.counters().settled(report); // before the listener hears
    if (closing && !report.isClean()) {
      undelivered.add(report);
    }
    if (wasOpen) {
      flight.ended(services.config().nodeId(), report);
    }
    if (wasOpen && report.reason() == EndReason.DISMISSED && report.isClean()) {
      events.ended(connection.nodeId(), connection, listener -> listener.dismissed(report));
    } else if (wasOpen) {
      events.ended(connection.nodeId(), connection, listener -> listener.lost(report));
    }
  }

  public void beginClose() {
    closing = true;
    writability.close();
    all().forEach(Connection::wakeWaiting);
  }

  /** What the node's parts share. */
  public NodeServices services() {
    return services;
  }

  public boolean isClosing() {
    return closing;
  }

  /** What connections have not delivered that ended since this node began to close. */
  public List<LossReport> undelivered() {
    return List.copyOf(undelivered);
  }

  public boolean allSettled() {
    return unsettled.get() == 0;
  }

  /** Something was accepted, or will be, that is in no report. */
  void leavesOut() {
    leftOut |= closing;
  }

  /** Closing: whether all connections have ended, and what went over them is in reports. */
  public boolean isAccountComplete() {
    return allSettled() && !leftOut;
  }
}
