package org.ringwire.transport.tls;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * How a link begins: which role of TLS this side plays on it, and with whose session.
 *
 * <p>Who opens a link is its client, and who accepts it the server, but for the <em>link back</em>
 * of two nodes. Only servers give tickets, and only clients use them, so on a link back with the
 * usual roles the session of the first link would be of no use. Therefore who opens it is its
 * server, as it is on the first one, and says in a greeting which link that is ({@link
 * LinkReference}); who accepts it is the client there, too, and resumes the session. The ticket
 * comes right behind the handshake of the first link, over another connection than the greeting:
 * where the greeting is faster, it waits, for {@link #TICKET_NS} at most, and goes on with a full
 * handshake if there is none.
 *
 * <p>One worker of the link at a time, except where it says so.
 */
final class TlsOpening {

  /** How long a link back waits for the ticket of the first link. */
  static final long TICKET_NS = 1_000_000_000;

  private static final byte[] NOTHING = {};

  private final TlsTransport transport;
  private final @Nullable String address;
  private final @Nullable LinkReference origin;
  private final CompletableFuture<Void> ticket = new CompletableFuture<>();
  private volatile @Nullable LinkReference reference;
  private byte[] begun = NOTHING; // of a link that the peer opens
  private boolean waiting;
  private long giveUpNs;

  /**
   * What it has come to.
   *
   * @param made the engine, which knows its role
   * @param origin to be named in a greeting before the first record, or null
   * @param records what the peer has sent for the engine
   */
  record Start(TlsContexts.Engine made, @Nullable LinkReference origin, MemorySegment records) {}

  private TlsOpening(
      TlsTransport transport, @Nullable String address, @Nullable LinkReference origin) {
    this.transport = transport;
    this.address = address;
    this.origin = origin;
  }

  /** A link that the peer opens: its first bytes tell. */
  static TlsOpening accepted(TlsTransport transport) {
    return new TlsOpening(transport, null, null);
  }

  /** A link to an address. */
  static TlsOpening to(TlsTransport transport, String address) {
    return new TlsOpening(transport, address, null);
  }

  /** A link back to who has opened another one, which is known by this name there. */
  static TlsOpening back(TlsTransport transport, String address, LinkReference origin) {
    return new TlsOpening(transport, address, origin);
  }

  /** The address that this side has opened the link to; null if the peer has opened it. */
  @Nullable String address() {
    return address;
  }

  /**
   * Begins, if enough has come.
   *
   * @param bytes that came after those of the last call
   * @param again what calls this again when there may be something new
   * @return null if more must come
   */
  @Nullable Start start(MemorySegment bytes, Runnable again) {
    String target = address;
    if (target == null) {
      return accept(bytes, again);
    }
    return origin == null
        ? new Start(transport.contexts().client(target), null, bytes)
        : new Start(transport.contexts().server(), origin, bytes);
  }

  private @Nullable Start accept(MemorySegment bytes, Runnable again) {
    int length = begun.length;
    begun = Arrays.copyOf(begun, length + (int) bytes.byteSize());
    MemorySegment all = MemorySegment.ofArray(begun);
    MemorySegment.copy(bytes, 0, all, length, bytes.byteSize());
    boolean greets = LinkReference.mayBeGreeting(begun);
    if (greets && begun.length < LinkReference.GREETING_LENGTH) {
      return null;
    }
    LinkReference named = greets ? LinkReference.ofGreeting(begun) : null;
    TlsOpening first = named == null ? null : transport.opened().get(named);
    if (named != null && first != null && begun.length == LinkReference.GREETING_LENGTH) {
      if (!first.ticket.isDone() && awaits(first, again)) {
        return null;
      }
      String target = first.address;
      if (target != null && transport.opened().remove(named, first)) { // for one link back only
        return new Start(transport.contexts().client(target), null, MemorySegment.ofArray(NOTHING));
      }
    }
    begun = NOTHING;
    return new Start(transport.contexts().server(), null, all); // knows what is not TLS
  }

  private boolean awaits(TlsOpening first, Runnable again) {
    long nowNs = System.nanoTime();
    if (!waiting) {
      waiting = true;
      giveUpNs = nowNs + transport.ticketNs();
      CompletableFuture<Void> _ = first.ticket.thenRun(again);
      Future<?> _ = transport.schedule(again, transport.ticketNs());
    }
    return nowNs - giveUpNs < 0;
  }

  // A link that is open.

  /** The handshake is over. */
  void established(SSLEngine engine) {
    if (engine.getUseClientMode() == (address != null)) { // not on a link back
      LinkReference made = LinkReference.of(engine);
      reference = made;
      if (made != null && address != null) {
        transport.opened().put(made, this);
      }
    }
  }

  /** How the two ends know this link; null if they do not, or it is a link back. Any thread. */
  @Nullable LinkReference reference() {
    return reference;
  }

  /**
   * By the reader: the first record after the handshake was read; it has the ticket, if any has.
   */
  void ticketCame() {
    boolean _ = ticket.complete(null);
  }

  /** How many links back wait for the ticket. */
  int ticketAwaited() {
    return ticket.getNumberOfDependents();
  }

  /** The link has ended: no link back belongs to it any more. */
  void ended() {
    LinkReference known = reference;
    if (known != null) {
      boolean _ = transport.opened().remove(known, this);
    }
    ticketCame(); // it will not
  }
}
