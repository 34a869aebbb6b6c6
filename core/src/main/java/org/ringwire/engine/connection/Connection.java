package org.ringwire.engine.connection;

import org.jspecify.annotations.Nullable;
import org.ringwire.EndReason;
import org.ringwire.engine.connection.attempt.Attempt;
import org.ringwire.engine.connection.link.Pulse;
import org.ringwire.engine.connection.link.SessionEnd;
import org.ringwire.engine.connection.link.Traffic;
import org.ringwire.engine.dispatch.RequestingConnection;
import org.ringwire.engine.outbound.MessageSender;
import org.ringwire.engine.request.Crowd;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.wire.CloseReason;

/**
 * Everything between this node and one life of a peer: a link that this side opened, which carries
 * its data, and a link that the peer opened, which carries the peer's; or one link for both (DXNet
 * paper section IX, two channels, so that crossing connects never make a duplicate; design rule
 * 14). Once the connection is open the two live and die together: when one ends the connection is
 * lost, and the next message to the peer makes a new one. Before that a link of the peer's may end,
 * or another take its place, while ours is under way; see {@link #tryDetach}.
 *
 * <p>It is in one {@link ConnectionState}, which is written with the lock held and read without;
 * what senders look at is the {@link OpenWay}, which there is in the state OPEN only.
 */
public final class Connection implements RequestingConnection {

  private final NodeServices services;
  private final Connections connections;
  private final int nodeId;

  /** Whose monitor is the lock: that is left however a thread ends, also where its stack does. */
  private final Object lock = new Object();

  private final OpenWay way = new OpenWay(lock);
  private volatile @Nullable PeerSession outbound;
  private volatile @Nullable PeerSession inbound;
  private final ConnectionHandshake handshake;
  private final OrderlyEnd orderlyEnd;
  private final ConnectionEnd end;
  private final Attempt attempt;
  private final Usage usage = new Usage();
  private final Crowd crowd = new Crowd();
  private final Pulse pulse = new Pulse();
  private volatile ConnectionState state = ConnectionState.CONNECTING; // with the lock held
  private volatile boolean wasOpen; // with the lock held

  Connection(NodeServices services, Connections connections, int nodeId) {
    this.services = services;
    this.connections = connections;
    this.nodeId = nodeId;
    handshake = new ConnectionHandshake(services, this, lock);
    orderlyEnd = new OrderlyEnd(connections, this, way, lock);
    end = new ConnectionEnd(services, connections, this, lock);
    attempt = new Attempt(services.config().connectTimeout());
  }

  public int nodeId() {
    return nodeId;
  }

  /** Who the peer is, and which link carries whose data. */
  ConnectionHandshake handshake() {
    return handshake;
  }

  /** Whether it ends in good order, and how far that is. */
  public OrderlyEnd orderlyEnd() {
    return orderlyEnd;
  }

  public Attempt attempt() {
    return attempt;
  }

  /** What sends to the peer, or null while there is no way. */
  public @Nullable MessageSender sender() {
    return way.sender();
  }

  public @Nullable PeerSession outbound() {
    return outbound;
  }

  public @Nullable PeerSession inbound() {
    return inbound;
  }

  /** Whether it has a link, or had one that ended with it. */
  boolean hasLink() {
    return outbound != null || inbound != null;
  }

  /** Whether a link is part of it. */
  boolean has(PeerSession session) {
    return session == inbound || session == outbound;
  }

  /** Whether data could never be sent. */
  public boolean neverOpened() {
    return !wasOpen;
  }

  public boolean isEnded() {
    return state.isEnded();
  }

  public ConnectionState state() {
    return state;
  }

  /** Whether it ends in good order. */
  public boolean isDraining() {
    return state == ConnectionState.DRAINING;
  }

  @Override
  public boolean isDismissed() { // nobody who handles waits for a peer that closes
    return isDraining() && orderlyEnd.whyPeerCloses() != CloseReason.NODE_CLOSING;
  }

  /** With the lock held: the only place where the state changes. */
  boolean move(ConnectionState next) {
    boolean may = state.mayBecome(next);
    if (may) {
      state = next;
    }
    return may;
  }

  /** Why it ends, once a link of it begins to. */
  public String cause() {
    PeerSession data = state.isEnded() ? null : dataSession();
    return data != null && data.ending().isBegun() ? data.ending().cause() : end.cause();
  }

  /** Opens our link, once; not if data already goes, or is about to go, over the peer's. */
  void startOutbound(@Nullable String address) {
    LinkOpening opening;
    synchronized (lock) {
      if (outbound != null || state != ConnectionState.CONNECTING || handshake.isSharing()) {
        return;
      }
      attempt.at(address);
      PeerSession accepted = inbound;
      PeerSession session = new PeerSession(services, connections, this);
      opening =
          new LinkOpening(services, session, address, accepted == null ? null : accepted.link());
      outbound = session;
      end.linkOpens(opening);
    }
    opening.begin();
  }

  /** Takes over the link that the peer has opened; false if there is one already. */
  boolean attach(PeerSession session) {
    synchronized (lock) {
      if (!tryAttach(session)) {
        return false;
      }
      handshake.decides(session);
      return true;
    }
  }

  private boolean tryAttach(PeerSession session) { // with the lock held
    if (state.isEnded() || inbound != null) {
      return false;
    }
    inbound = session;
    if (session != outbound) {
      end.linkCame();
    }
    return true;
  }

  /**
   * Lets go of the link that the peer has opened if this side is still connecting by a link of its
   * own, which alone decides what becomes of the attempt. The peer's may answer an earlier attempt,
   * and end with it: if this one ended with that, its HELLO, which is on its way, would do the same
   * to the peer's next, and so on. The caller ends the link.
   *
   * @return false if this connection stands and falls with it, or has another by now, or none
   */
  boolean tryDetach(PeerSession session) {
    synchronized (lock) {
      return state == ConnectionState.CONNECTING && detach(session);
    }
  }

  private boolean detach(PeerSession session) { // with the lock held
    if (session != inbound
        || outbound == null
        || session == outbound
        || !end.hasTwoLinks()) { // ours has ended, and this one is the last
      return false;
    }
    connections.carried().leaves(session, new ForgetsInbound(this));
    end.linkWent();
    handshake.forgetInbound();
    orderlyEnd.forgetPeer();
    return true;
  }

  /**
   * The peer has made a link of ours the shared one: one that it has opened itself before, and over
   * which it has not been welcomed in time, is let go; it has carried nothing.
   */
  void shareOurs(PeerSession session) {
    PeerSession late;
    synchronized (lock) {
      late = inbound;
      if (late == null || state.isEnded() || !detach(late)) {
        late = null;
      }
      boolean _ = tryAttach(session);
    }
    if (late != null) {
      late.end("the peer shares the link of this node");
    }
  }

  /**
   * Lets go of a link of ours that a HELLO waits for and of which nothing was heard: none has come
   * of it, or what has taken it does not answer.
   */
  boolean letGoSilent(PeerSession session) {
    synchronized (lock) {
      if (!isAwaited(session)) {
        return false;
      }
      if (session.ending().tryMute()) {
        outbound = null; // has carried nothing
      } else if (session.ending().isSpeaking()) {
        connections.carried().leaves(session, new ForgetsOutbound(this));
      } else {
        return false; // its end is about to be told
      }
      handshake.share();
      end.linkWent();
      return true;
    }
  }

  /**
   * Lets go of a link of ours that was not welcomed in all its time, if it is dispensable, before
   * it ends: so the peer mostly hears that its own is shared before it sees that end, with which
   * the connection would end there.
   */
  void letGoUnwelcomed(PeerSession session) {
    boolean share;
    synchronized (lock) {
      share = isDispensable(session);
      if (share) {
        connections.carried().leaves(session, new ForgetsOutbound(this));
        handshake.share();
        end.linkWent();
      }
    }
    if (share) {
      handshake.shareInbound();
    }
  }

  /** Nothing was heard of a link of ours in all its time. */
  void wasSilent() {
    connections.addresses().wasSilent(nodeId, attempt);
  }

  private boolean isAwaited(PeerSession session) { // with the lock held
    return session == outbound && state == ConnectionState.CONNECTING && handshake.isWaiting();
  }

  /**
   * Whether a link of ours that has ended without a WELCOME takes nothing with it: the peer's link,
   * whose HELLO was answered, or just is, as if ours would come, can carry the data of both, and
   * the peer can be told.
   */
  private boolean isDispensable(PeerSession session) { // with the lock held
    PeerSession in = inbound;
    return session == outbound
        && state == ConnectionState.CONNECTING
        && in != null
        && in != session
        && (in.isReady() || handshake.isAnswering(in))
        && handshake.peerShares();
  }

  /** Data can be sent over a link. */
  void open(PeerSession session) {
    synchronized (lock) {
      boolean partOfThis = session == outbound || session == inbound; // else was let go of
      if (!partOfThis || !state.mayBecome(ConnectionState.OPEN)) {
        return;
      }
      connections.events().begins(nodeId, this); // first: there may be no heap for it
      boolean _ = move(ConnectionState.OPEN);
      way.open(session);
      wasOpen = true;
    }
    PeerSession data = inbound;
    if (data != null) {
      data.handshake().grantInitialWindow();
    }
    connections.opened(this);
    orderlyEnd.opened(); // after the move
  }

  /**
   * How many connections of this node were dismissed: who waits for the end of this one reads it,
   * and then looks what it holds, before {@link #awaitOpen}.
   */
  public long dismissals() {
    return connections.dismissals().begun();
  }

  /**
   * Waits until data can be sent; false if the deadline passed, or it has ended, or this node; or
   * if it begins to drain: who waits for the end of that has to look first what it holds, and again
   * when another connection was dismissed, by which that may have come.
   *
   * @param drains whether the caller waits for that end already
   * @param dismissals what {@link #dismissals} has said before the caller looked
   */
  public boolean awaitOpen(long deadlineNs, boolean drains, long dismissals) {
    return way.await(
        deadlineNs,
        nodeId,
        () ->
            isEnded()
                || (isDraining() && (!drains || dismissals != dismissals()))
                || connections.isClosing()
                || orderlyEnd.isAwaitedByPeer());
  }

  /** The node closes, or a connection is dismissed, which those who wait are to see. */
  void wakeWaiting() {
    way.wake();
  }

  /** One of the links of a connection, if it is part of one, begins to end; any thread. */
  public static void ends(@Nullable Connection owner, PeerSession session) {
    if (owner != null) {
      owner.way.ends(session);
    }
  }

  /** No lambda, as the next one: one that finds no heap where it comes first is lost for ever. */
  private record ForgetsInbound(Connection connection) implements Runnable {
    @Override
    public void run() {
      connection.inbound = null;
    }
  }

  private record ForgetsOutbound(Connection connection) implements Runnable {
    @Override
    public void run() {
      connection.outbound = null;
    }
  }

  /** One of the links has ended, after its last input; on a thread of the transport. */
  void sessionClosed(PeerSession session) {
    boolean share;
    synchronized (lock) {
      if (tryDetach(session)
          || (session != inbound && session != outbound)) { // was let go of before
        services.chore(new Connections.Freeing(connections, session));
        return;
      }
      end.linkClosed(session);
      share = isAwaited(session) || isDispensable(session);
      if (share) {
        connections.carried().leaves(session, new ForgetsOutbound(this));
        handshake.share();
      }
    }
    if (share) {
      handshake.shareInbound(); // first: without heap this is told again, and only frees
      services.chore(new Connections.Freeing(connections, session));
      return;
    }
    PeerSession other = session.farewell().other();
    SessionEnd ofLink = session.ending().orExplained(other == null ? null : other.ending());
    end(orderlyEnd.reasonOr(ofLink.reason()), ofLink.cause());
    end.settle();
  }

  /**
   * Ends the attempt to connect, if it still is one; any thread, see {@code engine.AttemptWatch}.
   */
  public void giveUp(String why) {
    end(EndReason.LINK_LOST, why, true, null);
    end.settle();
  }

  /**
   * Ends the connection: requests fail at once, both links close. Any thread, idempotent: what one
   * thread found no heap for the next one does.
   *
   * @param why the same for people
   */
  public void end(EndReason reason, String why) {
    end(reason, why, false, null);
  }

  /** The same, unless there is another link than this one by now. */
  void endWith(PeerSession link, EndReason reason, String why) {
    end(reason, why, false, link);
  }

  private void end(EndReason reason, String why, boolean onlyAttempt, @Nullable PeerSession link) {
    boolean first;
    synchronized (lock) {
      first = !state.isEnded();
      boolean may = link == null || has(link);
      if (first && (!may || (onlyAttempt && state != ConnectionState.CONNECTING))) {
        return;
      }
      if (first) {
        end.explain(reason, why);
        boolean orderly = wasOpen && reason.isOrderly(); // an attempt that fails is never in order
        // before the requests are ended, see PendingRequest.connection
        boolean _ = move(orderly ? ConnectionState.CLOSED : ConnectionState.LOST);
        way.close();
        handshake.waitNoMore();
        if (wasOpen) {
          services.counters().ended(reason); // before the listener hears
        }
      }
    }
    end.tell(first);
  }

  /** Does what nobody could do, for want of heap, when the connection ended; timer, and others. */
  public void resumeEnd() {
    if (state.isEnded()) {
      end.tell(false);
    }
  }

  /** How it has ended, and what follows. */
  ConnectionEnd ending() {
    return end;
  }

  /**
   * Begins to end the connection in good order; a connection that is not open is left alone, but
   * hears that its node closes, and gets its time. Any thread; never blocks.
   *
   * @param reason how it ends for this side
   * @param told what the peer is told
   * @param untilNs when patience begins, see {@link Draining}
   */
  public void drain(EndReason reason, CloseReason told, long untilNs) {
    orderlyEnd.begin(reason, told, untilNs);
  }

  /** Signs of life on either of its links; timer of the node. */
  public Pulse pulse() {
    return pulse;
  }

  /** Who waits for answers over it. */
  @Override
  public Crowd crowd() {
    return crowd;
  }

  @Override
  public void drainLeft() {
    PeerSession data = dataSession();
    if (data != null) {
      data.pipe().drainLeft();
    }
  }

  /** When it was used; timer of the node. */
  public Usage usage() {
    return usage;
  }

  /** What it has carried; any thread, until its memory is freed. */
  public Traffic traffic() {
    return CarriedTraffic.of(outbound, inbound, dataSession());
  }

  /** The link that carries our data, or will. */
  public @Nullable PeerSession dataSession() {
    PeerSession out = outbound;
    return out != null && out.data().sender() != null ? out : inbound;
  }
}
