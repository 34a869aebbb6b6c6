package org.ringwire.transport.loopback;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.support.EndedLink;
import org.ringwire.transport.support.FirstFailure;
import org.ringwire.transport.support.Handover;
import org.ringwire.transport.support.TurnPace;

/**
 * One side of a pair. What is written is handed to the handler of the other side, in place, by the
 * thread that writes; since one thread at a time writes, input comes from one thread at a time.
 *
 * <p><em>Much at once.</em> What has come together while a sender was busy, and nobody waits for,
 * may be left to the loop: the write returns false and the loop calls {@link LinkHandler#writable},
 * so that the sender encodes what comes next while this is handled. That is done if there is a core
 * for it, in the turns that {@link LoopTurns} finds worth it, and unless the loop has such work of
 * another link. The loop turns to what else it has to do after each piece of an offer ({@link
 * TurnPace}).
 *
 * <p><em>Nesting.</em> The handler of the other side may write too, on the same thread: the
 * response to a request arrives without any other thread. A delivery inside a delivery inside a
 * delivery is left to the loop: the write returns false and the loop calls {@link
 * LinkHandler#writable}. So the stack is bounded, however long the chain of messages that cause
 * each other.
 *
 * <p><em>Opening.</em> Each side opens on the loop of its transport, the accepting one first. Until
 * the other side is usable, a write returns false. The writer sets {@code blocked} and then looks
 * at {@code usable} of the peer, the opener sets {@code usable} and then looks at {@code blocked},
 * all volatile: one of them sees the other.
 *
 * <p><em>Closing.</em> Both sides close together, and when nobody writes to either nobody is in a
 * handler of the pair any more, nor will be; then each loop calls {@link LinkHandler#closed} of its
 * side, once. The one writer of a side sets {@code writing} and then looks at {@code closing}, and
 * when it leaves the other way about; who closes sets {@code closing} and then looks at {@code
 * writing}, all volatile: the last of them sees that all is over. These are plain assignments, not
 * the counts of a gate, so that a writer leaves at the very end of its stack, too. A side that has
 * ended lets go of its handler: the other one may be remembered for long, and would keep the whole
 * node of this one.
 *
 * <p><em>Without heap</em> the loop begins a task again that came to no end. So what was done of it
 * is not done twice, above all a handler is asked for and opened once, and what was not is.
 */
final class LoopbackLink implements Link {

  /** Deliveries of one thread inside each other: a request and its response. */
  private static final int MAX_DEPTH = 2;

  private static final int MAX_RANGES = 16;

  /**
   * How deep a thread is in deliveries, in an array of one: threads may outlive this library, and
   * an object of a class of ours would keep it.
   */
  private static final ThreadLocal<int[]> DEPTH = ThreadLocal.withInitial(() -> new int[1]);

  private static final VarHandle BLOCKED;
  private static final VarHandle ENDED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      ENDED = lookup.findVarHandle(LoopbackLink.class, "ended", boolean.class);
      BLOCKED = lookup.findVarHandle(LoopbackLink.class, "blocked", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final LoopbackTransport transport;
  private final String remote;
  private final OutboundRanges ranges = new OutboundRanges(MAX_RANGES); // the writer only
  private final Runnable becomeUsable = this::becomeUsable; // made before, as the next
  private final Runnable reportWritable = this::reportWritable;
  private final Runnable end = this::end;
  private final Delegation.Work resume = new Delegation.Work(reportWritable);
  private final LoopTurns turns = new LoopTurns(); // the writer only, as the next
  private final TurnPace pace = new TurnPace();
  private LoopbackLink peer;
  private @Nullable LinkHandler handler; // written before usable is, and at the end
  private volatile boolean usable;
  private volatile boolean closing;
  private volatile boolean writing; // by the writer only

  @SuppressWarnings("unused") // by BLOCKED
  private volatile boolean blocked;

  @SuppressWarnings("unused") // by ENDED
  private volatile boolean ended;

  private final FirstFailure cause = new FirstFailure();

  private LoopbackLink(LoopbackTransport transport, String remote, @Nullable LinkHandler handler) {
    this.transport = transport;
    this.remote = remote;
    this.handler = handler;
    peer = this;
  }

  /** The connecting side of a new pair, which is not open yet. */
  static LoopbackLink pair(
      LoopbackTransport from, LinkHandler handler, LoopbackTransport to, String address) {
    LoopbackLink connecting = new LoopbackLink(from, address, handler);
    LoopbackLink accepting = new LoopbackLink(to, from.name(), null);
    connecting.peer = accepting;
    accepting.peer = connecting;
    return connecting;
  }

  /** Whether the calling thread is inside a delivery. */
  static boolean isDelivering() {
    return DEPTH.get()[0] > 0;
  }

  /** Begins to open both sides; the connecting one only. */
  void open(LinkAcceptor acceptor) {
    peer.transport.loop().post(() -> peer.accept(acceptor));
  }

  private void accept(LinkAcceptor acceptor) {
    if (closing) { // both sides end on their loops: who was added then would never leave
      endIfEmpty(); // who has closed it may have found no heap for that
      return;
    }
    if (!transport.add(this)) {
      peer.fail(new IOException("cannot connect: address=" + peer.remote + ": it just closed"));
      return;
    }
    try {
      handler = handler == null ? acceptor.accept(remote) : handler;
    } catch (Throwable e) {
      peer.fail(new IOException("cannot connect: address=" + peer.remote + ": it failed", e));
      return;
    }
    if (handler == null) {
      peer.fail(new IOException("cannot connect: address=" + peer.remote + ": it refused"));
      return;
    }
    becomeUsable();
    peer.transport.loop().post(peer.becomeUsable);
  }

  private void becomeUsable() {
    LinkHandler opening = handler;
    if (opening == null || closing) {
      endIfEmpty(); // as in accept()
      return;
    }
    if (!usable) {
      try {
        opening.opened(this);
      } catch (Throwable e) {
        fail(e);
        return;
      }
      usable = true; // pairs with the read in deliverable()
    }
    peer.unblock();
  }

  @Override
  public boolean write(OutboundSource source) throws IOException {
    int[] depth = DEPTH.get();
    try {
      writing = true; // pairs with the read in endIfEmpty()
      if (closing) {
        throw EndedLink.exception(cause.get());
      }
      if (!deliverable(depth)) {
        return false;
      }
      depth[0]++;
      try {
        return deliver(source, depth);
      } finally {
        depth[0]--;
      }
    } finally {
      writing = false; // pairs with the write in close()
      if (closing) {
        endIfEmpty();
      }
    }
  }

  private boolean deliverable(int[] depth) {
    if (depth[0] < MAX_DEPTH && peer.usable) {
      return true;
    }
    blocked = true; // pairs with the getAndSet in unblock()
    if (peer.usable) {
      unblock();
    }
    return false;
  }

  private void unblock() {
    if ((boolean) BLOCKED.getAndSet(this, false)) { // pairs with the write in deliverable()
      boolean posted = false;
      try {
        transport.loop().post(reportWritable);
        posted = true;
      } finally {
        if (!posted) { // there is no heap for it: who tries again finds it
          blocked = true;
        }
      }
    }
  }

  private void reportWritable() {
    LinkHandler current = handler;
    if (current != null && !closing) {
      try {
        current.writable();
      } catch (Throwable e) {
        fail(e);
      }
    }
  }

  private boolean deliver(OutboundSource source, int[] depth) throws IOException {
    LinkHandler receiver = peer.handler;
    if (receiver == null) {
      throw EndedLink.exception(cause.get());
    }
    try {
      ranges.clear();
      for (long bytes = source.next(ranges); bytes > 0; bytes = source.next(ranges)) {
        if (closing) {
          throw EndedLink.exception(cause.get());
        }
        boolean much = bytes >= LoopTurns.MUCH && depth[0] == 1 && isForOthers(source);
        long beganNs = much ? System.nanoTime() : 0;
        if (much && turns.isDue() && isLeftToLoop(beganNs)) {
          turns.taken();
          return false;
        }
        if (depth[0] == 1 && transport.loop().isCurrentThread()) {
          source.sentAndCompleted(deliverPiece(receiver, bytes));
          if (standsBack()) {
            return false;
          }
        } else {
          deliverRanges(receiver, bytes);
          source.sentAndCompleted(bytes);
        }
        ranges.clear();
        if (much) {
          turns.looked(bytes, System.nanoTime() - beganNs);
        }
      }
      return true;
    } finally {
      ranges.clear();
    }
  }

  private void deliverRanges(LinkHandler receiver, long bytes) {
    long left = bytes;
    try {
      for (int i = 0; left > 0; i++) {
        long length = Math.min(left, ranges.length(i));
        Handover.deliver(receiver, ranges.segment(i), ranges.offset(i), length);
        left -= length;
      }
    } catch (Throwable e) {
      peer.fail(e);
    }
  }

  /** By the loop, which others may want: no more than is handled in a while; returns how much. */
  private long deliverPiece(LinkHandler receiver, long bytes) {
    long piece = Math.min(bytes, pace.amount());
    boolean timed = pace.isTimed(piece);
    if (timed) {
      pace.begin(System.nanoTime());
    }
    deliverRanges(receiver, piece);
    if (timed) {
      boolean _ = pace.handled(piece, System.nanoTime());
    }
    return piece;
  }

  /** Whether it may be left to the loop: nobody waits for it, and the caller is another thread. */
  private boolean isForOthers(OutboundSource source) {
    return !source.isUrgent() && !transport.loop().isCurrentThread();
  }

  private boolean isLeftToLoop(long nowNs) {
    return transport.hasCoreToSpare(nowNs) && transport.loop().delegate(resume);
  }

  /** Whether others want the loop, by it; then it comes back here later. */
  private boolean standsBack() {
    LoopbackLoop loop = transport.loop();
    if (!loop.isWanted()) {
      return false;
    }
    if (!loop.again()) {
      loop.post(reportWritable);
    }
    return true;
  }

  @Override
  public void close() {
    closing = true; // pairs with the reads in write()
    peer.closing = true;
    endIfEmpty();
  }

  private void endIfEmpty() {
    if (closing && !writing && peer.closing && !peer.writing) {
      transport.loop().post(end);
      peer.transport.loop().post(peer.end);
    }
  }

  private void fail(Throwable failure) {
    cause.note(failure);
    close();
  }

  /**
   * The last act; also when the transport closes and somebody does not leave. If there is no heap
   * for it, the loop begins it again.
   */
  void end() {
    if ((boolean)
        ENDED.getAndSet(this, true)) { // whoever comes first, the loop or close() of the transport
      if (handler == null) { // it was told; for what follows there may have been no heap
        transport.remove(this);
      }
      return;
    }
    LinkHandler last = handler;
    boolean again = false;
    try {
      if (last != null) {
        last.closed(cause.get());
      }
    } catch (OutOfMemoryError e) {
      again = true;
      throw e;
    } finally {
      if (again) {
        ended = false;
      } else {
        handler = null; // whoever is still about to deliver finds it or not
        transport.remove(this);
      }
    }
  }

  @Override
  public String remote() {
    return remote;
  }
}
