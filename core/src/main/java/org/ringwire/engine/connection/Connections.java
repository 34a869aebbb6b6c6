package org.ringwire.engine.connection;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.EndReason;
import org.ringwire.LossReport;
import org.ringwire.MemoryLimitException;
import org.ringwire.NodeListener;
import org.ringwire.engine.connection.attempt.Addresses;
import org.ringwire.engine.connection.handshake.LinkAuthentication;
import org.ringwire.engine.connection.link.Traffic;
import org.ringwire.engine.services.Bounded;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.engine.services.NodeTable;
import org.ringwire.engine.services.PeerEvents;
import org.ringwire.flight.FlightEvents;
import org.ringwire.ring.MemoryBudget;
import org.ringwire.transport.LinkHandler;

/**
 * The connections of a node by peer: makes them on first use, lets peers open links, forgets them
 * when they end. Any thread.
 */
public final class Connections {

  private static final int RECENT_MASK = 63;

  private static final long FREE_WAIT_NS = 5_000_000_000L;

  private final NodeServices services;
  private final FlightEvents flight = FlightEvents.get();
  private final Writability writability;
  private final PeerEvents events;
  private final NodeTable<Connection> table = new NodeTable<>();
  private final Addresses addresses;
  private final AcceptedLinks accepted;
  private final CarriedTraffic carried = new CarriedTraffic(table::values);
  private final AtomicInteger unsettled = new AtomicInteger();
  private final AtomicInteger count = new AtomicInteger();
  private final Dismissals dismissals;
  private final Admissions admissions;
  private final Queue<LossReport> undelivered = new ConcurrentLinkedQueue<>();
  private final @Nullable Connection[] recent = new Connection[RECENT_MASK + 1];
  private volatile boolean listening;
  private volatile boolean closing;
  private volatile boolean leftOut; // by the thread for chores

  /** No lambda, as the next ones: one that finds no heap where it comes first is lost for ever. */
  record Freeing(Connections connections, PeerSession session) implements Runnable {
    @Override
    public void run() {
      connections.free(session);
    }
  }

  private record Freed(PeerSession session) implements BooleanSupplier {
    @Override
    public boolean getAsBoolean() {
      return session.tryFree();
    }
  }

  private record Dismissed(LossReport report) implements Consumer<NodeListener> {
    @Override
    public void accept(NodeListener listener) {
      listener.dismissed(report);
    }
  }

  private record Lost(LossReport report) implements Consumer<NodeListener> {
    @Override
    public void accept(NodeListener listener) {
      listener.lost(report);
    }
  }

  public Connections(NodeServices services) {
    this.services = services;
    if (services.config().authentication().secret() != null || services.config().tls() != null) {
      LinkAuthentication.prepare();
    }
    flight.makeKnown(); // now, if the recorder is in use: an event must not wait for that
    addresses = new Addresses(services);
    accepted = new AcceptedLinks(services, this);
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
    return carried.ending();
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
  public Addresses addresses() {
    return addresses;
  }

  // Connections of peers.

  /** A peer has opened a link; null if it is not even told that there are too many. */
  public @Nullable LinkHandler accept(String remote) {
    return closing ? null : accepted.accept(remote);
  }

  /** What peers have opened. */
  AcceptedLinks accepted() {
    return accepted;
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
      accepted.ended(host);
    }
    Connection connection = session.connection();
    if (connection != null) {
      connection.sessionClosed(session);
    } else {
      services.chore(new Freeing(this, session));
    }
  }

  /** A connection has ended; told again, not first, if there was no heap for what follows. */
  void ended(Connection connection, boolean first) {
    carried.ended(connection); // its links may have closed, and all this be over, by now
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

  /** What all connections have counted, those that have ended included. */
  public Traffic traffic() {
    return carried.sum();
  }

  /** Keeps what connections and links have counted that leave. */
  CarriedTraffic carried() {
    return carried;
  }

  public int handshakesNow() {
    return accepted.handshakesNow();
  }

  /** Event thread: waits, for a bounded time, until nobody is inside the link, and frees. */
  void free(PeerSession session) {
    if (!Bounded.await(new Freed(session), System.nanoTime() + FREE_WAIT_NS)) {
      services.errors().report("a link is still in use", new IllegalStateException("not freed"));
    }
  }

  /** Event thread, as the next two: a connection has ended for good. */
  void count(LossReport report, boolean wasOpen) {
    services.counters().settled(report);
    if (wasOpen) {
      flight.ended(services.config().nodeId(), report);
    }
  }

  /** What a close may have to report; nothing is listed if there is no heap for it. */
  void list(LossReport report) {
    if (closing && !report.isClean()) {
      undelivered.add(report);
    }
  }

  /** For the listener; it is told nothing if there is no heap for it. */
  void tell(Connection connection, LossReport report) {
    boolean dismissed = report.reason() == EndReason.DISMISSED && report.isClean();
    events.ended(
        connection.nodeId(), connection, dismissed ? new Dismissed(report) : new Lost(report));
  }

  public void beginClose() {
    closing = true;
    writability.close();
    for (Connection each : all()) {
      each.wakeWaiting();
    }
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
