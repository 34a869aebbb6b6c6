package org.ringwire.engine.outbound.detached;

import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.engine.outbound.detached.Announcements.Announcement;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;

/**
 * The sender's side of frames that are longer than the window allows (design rule 2): their length
 * is announced, and they start when the receiver grants it. What the receiver grants or credits
 * also bounds the bytes that are kept outside of the ring here. Any thread; guarded by itself, off
 * the path of small messages.
 *
 * <p>A grant belongs to a length. Whoever sends a frame of that length next uses it, so that a
 * sender that may not wait can announce, return, and find the grant when it tries again. What a
 * sender waits for ({@link #beginAwait}), or is to be told of ({@link #beginNotice}), stays; so
 * does what one has asked for, or was told of, within {@link #WANTED_NS}. Else those that want more
 * lengths than there may be would take each other's, and none of them would ever find its own. Of
 * what nobody wants any more at most {@link #MOST_LENGTHS} stay open; the oldest goes back to the
 * receiver unused, when the timer comes or there is no place: did each attempt take one, who tries
 * more in turn than stay would take each time what it tries next. None stays for longer than {@link
 * #LEFT_NS} while others wait and nothing is granted from one look of the timer to the next: what a
 * receiver grants at a time may be all in a few that were given up. Beyond {@link #MOST_TRIED} only
 * those announce that wait or are to be told.
 *
 * <p>What one has waited for in vain goes back as it comes while another one stands: where lengths
 * vary nobody comes for it, and each that gives up would keep the next ones waiting until they give
 * up as well. Who comes back for a length that went so, or would have, finds the next grant for it
 * within {@link #WANTED_NS}.
 *
 * <p>Who sends frames of one length after another would wait for an answer of the receiver before
 * each. So when the second of them takes its grant, the next one is announced <em>ahead</em>: its
 * grant arrives while this frame is encoded and written. There is one such announcement at a time,
 * and what it was granted goes back soon if nobody uses it.
 */
public final class LargeFrames {

  /** No token of a grant. */
  public static final long NO_GRANT = -1;

  private static final int MOST_LENGTHS = 16;

  /** Lengths that are open before one is refused that nobody waits for. */
  static final int MOST_TRIED = 256;

  /** So soon does a sender that may not wait try again, unless it does not want to any more. */
  static final long WANTED_NS = 1_000_000_000L;

  /** So long does it keep others from room that they wait for. */
  static final long LEFT_NS = 2_000_000_000L;

  /** Longer frames are not announced ahead: an unused grant keeps the room from other peers. */
  static final long MOST_AHEAD = 8 << 20;

  private final FrameMemory memory;
  private final Announcements announcements;
  private final LongSupplier clock;

  /** Linked: a queue in an array that finds no heap to grow has lost what was in it. */
  private final Queue<Announcement> waiting = new ConcurrentLinkedQueue<>();

  private final AwaitedLengths awaited = new AwaitedLengths(); // who waits or is told
  private final LastLengths deserted = new LastLengths(); // of what one had left, and went back
  private long lastTaken;
  private @Nullable Announcement ahead;
  private @Nullable Announcement seenAhead;
  private final ReturnedGrants returned = new ReturnedGrants();
  private boolean standing; // at the last look somebody waited, and nothing was granted since
  private boolean closed;

  /**
   * None yet.
   *
   * @param mostResponses bytes of responses that are kept at most, unless a single one is longer
   */
  public LargeFrames(ReceiveBufferPool buffers, ControlQueue control, long mostResponses) {
    this(buffers, control, mostResponses, System::nanoTime);
  }

  /** As above; tests bring a clock. */
  LargeFrames(
      ReceiveBufferPool buffers, ControlQueue control, long mostResponses, LongSupplier clock) {
    this.clock = clock;
    memory = new FrameMemory(buffers, mostResponses);
    announcements = new Announcements(control);
  }

  /** Where memory for frames comes from. */
  public FrameMemory memory() {
    return memory;
  }

  /**
   * Takes a grant for a frame of this length, or announces it.
   *
   * @return what was taken, for {@link #returnGrant}, or {@link #NO_GRANT} if the frame may not be
   *     sent now: then the caller drains the pipe
   */
  public synchronized long tryTakeGrant(long occupied) {
    if (closed) {
      return NO_GRANT;
    }
    long nowNs = clock.getAsLong();
    Announcement open = find(occupied);
    if (open != null) {
      if (!open.granted) {
        open.want(nowNs);
        giveBackLeftFor(occupied, nowNs);
        boolean _ = announcements.tryWrite();
        return NO_GRANT;
      }
      announceAhead(open, occupied); // first: there may be no heap for it, as for the next
      announcements.take(open);
      waiting.remove(open);
      return open.token;
    }
    if (waiting.size() >= MOST_TRIED) { // else the timer does: who tries all in turn needs the next
      forgetUnwanted(nowNs, MOST_LENGTHS, WANTED_NS);
    }
    if (waiting.size() < MOST_TRIED || awaited.contains(occupied)) {
      announce(occupied).want(nowNs);
      giveBackLeftFor(occupied, nowNs);
    }
    return NO_GRANT;
  }

  private Announcement announce(long occupied) {
    Announcement announced = announcements.add(occupied, null);
    if (deserted.contains(occupied)) {
      announced.comeBackFor();
    }
    waiting.add(announced);
    return announced;
  }

  /** Gives back what nobody has wanted for so long, the oldest first, beyond so many of that. */
  private void forgetUnwanted(long nowNs, int most, long withinNs) {
    int surplus = -most;
    for (Announcement request : waiting) {
      surplus += isUnwanted(request, nowNs, withinNs) ? 1 : 0;
    }
    Iterator<Announcement> each = waiting.iterator();
    while (surplus > 0 && each.hasNext()) {
      Announcement request = each.next();
      if (isUnwanted(request, nowNs, withinNs)) {
        forget(request);
        surplus--;
      }
    }
  }

  private boolean isUnwanted(Announcement request, long nowNs, long withinNs) {
    return !awaited.contains(request.length) && !request.isWanted(nowNs, withinNs);
  }

  /** Whether something is not granted that a sender waits for, or that is a response. */
  private boolean stands() {
    boolean stands = !waiting.isEmpty() && announcements.hasResponses();
    for (Announcement request : waiting) {
      stands |= !request.granted && awaited.contains(request.length);
    }
    return stands;
  }

  /** A sender begins to wait for the grant of a frame of this length; {@link #endAwait} follows. */
  public synchronized void beginAwait(long occupied) {
    awaited.add(occupied);
  }

  /**
   * It waits no more; if it has not sent, who tries again may come for what it has asked for.
   *
   * @param used whether it has sent by a grant: then what is open of its length is of others
   * @return whether that may have gone back instead: then the caller drains the pipe
   */
  public synchronized boolean endAwait(long occupied, boolean used) {
    boolean last = awaited.remove(occupied); // first: there may be no heap for the rest
    try {
      Announcement open = last && !used ? find(occupied) : null;
      return open != null && leave(open);
    } catch (OutOfMemoryError e) {
      return true; // what is open is as if nobody had waited for it
    }
  }

  /** A grant that lies here already came too late. The timer does what there is no heap for. */
  private boolean leave(Announcement open) {
    open.leave(clock.getAsLong());
    try {
      boolean late = open.granted && open.isLeft() && stands();
      if (late) {
        giveBackLeft(clock.getAsLong());
      }
      return late;
    } catch (OutOfMemoryError e) {
      return true;
    }
  }

  /** As {@link #giveBackLeft}, if somebody waits for a frame of this length. */
  private void giveBackLeftFor(long occupied, long nowNs) {
    if (awaited.contains(occupied)) {
      giveBackLeft(nowNs);
    }
  }

  /** While somebody stands: what those were granted that have waited for it in vain. */
  private void giveBackLeft(long nowNs) {
    for (Announcement request : waiting) {
      if (request.granted
          && request.isLeft(nowNs, WANTED_NS)
          && !awaited.contains(request.length)) {
        deserted.add(request.length);
        forget(request);
      }
    }
  }

  /**
   * A sender that may not wait is going to be told of the grant of a frame of this length; {@link
   * #endNotice} follows. Announces what it could not announce itself, because too many others are
   * open; the caller drains the pipe.
   */
  public synchronized void beginNotice(long occupied) {
    if (!closed && waiting.size() >= MOST_TRIED && find(occupied) == null) {
      Announcement _ = announce(occupied);
    }
    beginAwait(occupied); // last: there may be no heap, and nothing to be ended
  }

  /**
   * It was told, or does not want to be any more.
   *
   * @param comes whether it was told, and is going to try again
   * @return as {@link #endAwait}
   * @throws OutOfMemoryError if it has not ended, and is told again
   */
  public synchronized boolean endNotice(long occupied, boolean comes) {
    long nowNs = clock.getAsLong();
    Announcement open = find(occupied); // first: for want of heap nothing ends
    if (!awaited.remove(occupied) || open == null) {
      return false;
    }
    if (comes) {
      open.want(nowNs);
    }
    return !comes && leave(open);
  }

  private void announceAhead(Announcement taken, long occupied) {
    if (taken == ahead) {
      ahead = null;
    }
    if (ahead == null
        && occupied == lastTaken
        && occupied <= MOST_AHEAD
        && waiting.size() < MOST_TRIED) {
      ahead = announce(occupied);
    }
    lastTaken = occupied;
  }

  /**
   * Timer: gives back what was announced ahead, if nobody has used it since the last call, and of
   * the rest what nobody wants, as far as it is too much or others may stand for it; and announces
   * or keeps what could not be before.
   *
   * @return whether there was such a thing; then the caller drains the pipe
   */
  public synchronized boolean giveBackAhead() {
    returnThose();
    int before = waiting.size();
    long nowNs = before == 0 ? 0 : clock.getAsLong();
    if (ahead != null && (ahead.isWanted(nowNs, WANTED_NS) || awaited.contains(ahead.length))) {
      ahead = null; // it is needed now
    }
    if (ahead != null && ahead == seenAhead) {
      forget(ahead);
    }
    seenAhead = ahead;
    forgetUnwanted(nowNs, MOST_LENGTHS, WANTED_NS);
    boolean stands = stands();
    if (stands && standing) {
      forgetUnwanted(nowNs, 0, LEFT_NS);
    }
    standing = stands;
    return announcements.tryWrite() || waiting.size() < before;
  }

  /** The frame for which a grant was taken is not sent: the next one of its length may use it. */
  public synchronized void returnGrant(long grant, long occupied) {
    if (closed) {
      return;
    }
    try {
      waiting.add(announcements.returned(grant, occupied));
    } catch (OutOfMemoryError e) {
      returnLater(grant, occupied);
    }
  }

  /** There is no heap to keep it: the timer tries again. */
  synchronized void returnLater(long grant, long occupied) {
    returned.add(grant, occupied);
  }

  private void returnThose() {
    int count = returned.takeAll(); // who finds no heap again comes again
    for (int index = 0; index < count; index++) {
      returnGrant(returned.token(index), returned.length(index));
    }
  }

  /**
   * A frame of this length cannot be sent, for want of memory: a grant for it that nobody has taken
   * goes back; one that is to come does so then, unless somebody has asked for it again or waits
   * for it. The caller drains the pipe.
   */
  public synchronized void giveBackGrant(long occupied) {
    Announcement open = find(occupied);
    if (open != null && open.granted) {
      forget(open);
    } else if (open != null) {
      open.givenUp = true;
    }
  }

  /** The frame for which a grant was taken is kept no longer: there is room for others. */
  synchronized void grantUsed() {
    if (!closed) {
      announcements.used();
    }
  }

  /** Whether it is worth to try to send such a frame: no means that its grant is to come. */
  public synchronized boolean mayTakeGrant(long occupied) {
    Announcement open = find(occupied);
    return closed || open == null || open.granted;
  }

  /**
   * Timer: gives grants back that were there at the last call. Who has asked for them may not wait,
   * and has not come back though the connection is in use.
   *
   * @return whether there are others, so that it has to be called again; then the caller drains the
   *     pipe, if any went back
   */
  public synchronized boolean giveBackOld() {
    boolean more = false;
    for (Announcement request : List.copyOf(waiting)) {
      if (request.granted && request.lay) {
        forget(request);
      } else if (request.granted) {
        request.lay = true;
        more = true;
      }
    }
    return more;
  }

  /**
   * Gives grants back that nobody has used for a while: senders that may not wait have asked for
   * them and never come back, and others at the receiver wait for the room. The caller drains the
   * pipe.
   */
  public synchronized void giveBackUnused() {
    for (Announcement request : List.copyOf(waiting)) {
      if (request.granted) {
        forget(request);
      }
    }
  }

  /** Nobody is to use it any more: its grant goes back, now or when it comes. */
  private void forget(Announcement request) {
    waiting.remove(request);
    if (request == ahead) {
      ahead = null;
    }
    try {
      announcements.forget(request);
    } catch (OutOfMemoryError e) {
      returnLater(request.token, request.length);
    }
  }

  /** The oldest of its length, which is the one that the receiver takes a frame to use. */
  private @Nullable Announcement find(long occupied) {
    Announcement oldest = null;
    for (Announcement request : waiting) {
      if (request.length == occupied && (oldest == null || request.token < oldest.token)) {
        oldest = request;
      }
    }
    return oldest;
  }

  /**
   * Announces a response that is encoded already; {@link #granted} returns it. Releases it if there
   * is no heap to note it; if the link has ended it stays with the caller.
   */
  public synchronized boolean announceResponse(DetachedFrame frame) {
    if (closed) {
      return false;
    }
    try {
      giveBackLeft(clock.getAsLong());
      frame.usesGrant();
      announcements.add(frame.occupied, frame); // last: who is told of an error hears nothing else
      return true;
    } catch (OutOfMemoryError e) { // any other error may find it noted
      frame.giveUp();
      throw e;
    }
  }

  /**
   * The receiver has granted a frame.
   *
   * @return the response to send now, or null: then a sender may be waiting
   * @throws ProtocolException if nothing was announced by that token
   */
  public synchronized @Nullable DetachedFrame granted(long token) {
    Announcement request = announcements.get(token);
    if (request == null || request.granted) {
      throw new ProtocolException(
          Reason.FRAME_UNEXPECTED, "GRANT of what was not announced: token=" + token);
    }
    request.granted = true;
    standing = false;
    if (request.frame != null) {
      takeFor(request);
    } else if (!waiting.contains(request)
        || (request.isForsaken(clock.getAsLong()) && !awaited.contains(request.length))) {
      forget(request);
    } else if (request.isLeft() && stands()) {
      giveBackLeft(clock.getAsLong());
    }
    return request.frame;
  }

  /**
   * A response is going to be sent. If an older grant of its length lies here, that is the one that
   * the receiver takes it to use, and its own takes the place of that. Otherwise the older one
   * would go back long after the receiver has forgotten that a frame was taken to use it.
   */
  private void takeFor(Announcement response) {
    Announcement older = find(response.length);
    if (older == null || !older.granted || older.token > response.token) {
      announcements.take(response);
      return;
    }
    Announcement left = announcements.returned(response.token, response.length);
    left.lay = older.lay;
    left.wantedAs(older);
    waiting.add(left);
    ahead = older == ahead ? left : ahead;
    seenAhead = older == seenAhead ? left : seenAhead;
    waiting.remove(older);
    announcements.take(older);
  }

  /** The receiver says why an announced frame must wait, unless it was granted meanwhile. */
  public synchronized void delayed(long token, String why) {
    Announcement request = announcements.get(token);
    if (request != null) {
      request.delay = why;
    }
  }

  /** Why the receiver does not grant a frame of this length, for people, if it has said so. */
  public synchronized @Nullable String delay(long occupied) {
    Announcement open = find(occupied);
    return open == null || open.granted ? null : open.delay;
  }

  /** Bytes kept outside of the ring. */
  public long inFlightBytes() {
    return memory.inFlightBytes();
  }

  /** Releases what waits for a grant that will not come. */
  public synchronized void close() {
    closed = true;
    for (DetachedFrame each : announcements.clear()) {
      each.release();
    }
    while (waiting.poll() != null) {
      // not by clear(), which makes something
    }
    ahead = null;
    seenAhead = null;
  }
}
