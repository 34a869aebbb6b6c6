package org.ringwire.engine.outbound.detached;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.ringwire.wire.ControlFrames;

/**
 * Long frames that the receiver is asked to grant, by token. It need not keep more than {@link
 * ControlFrames#MOST_ANNOUNCED} of them, and ends the link of who asks for more: so no more are
 * open at a time, from the ANNOUNCE until the frame that used the grant is written, or the grant is
 * given back. Others wait here, in their order; those of responses go first, and have a share that
 * no message takes.
 *
 * <p>Frames that find no place among the control frames, because the peer has not read thousands of
 * them, or for which there is no heap, wait here likewise. Guarded by its owner.
 */
public final class Announcements {

  /** Of those that a receiver keeps open, for messages. */
  static final int MOST_MESSAGES = ControlFrames.MOST_ANNOUNCED / 4 * 3;

  /** So long does a grant stay at most that nobody comes for. */
  static final long FORSAKEN_NS = 30_000_000_000L;

  private final ControlQueue control;
  private final Map<Long, Announcement> byToken = new HashMap<>();
  private final Queue<Announcement> responses = new ConcurrentLinkedQueue<>(); // not announced yet
  private final Queue<Announcement> messages = new ConcurrentLinkedQueue<>(); // likewise
  private final Queue<Long> unused = new ConcurrentLinkedQueue<>(); // tokens not given back yet
  private long lastToken;
  private int open; // as the receiver may see it

  /** One frame that is to be granted. */
  static final class Announcement {
    final long token;
    final long length;
    final @Nullable DetachedFrame frame; // a response, encoded already
    boolean granted;
    boolean lay; // granted at the last look, and still there
    boolean givenUp; // there was no memory to use it, and nobody has asked for it since
    @Nullable String delay;
    private boolean left; // who waited for it has given up, and nobody has asked for it since
    private boolean retried; // one that had given up has come back for its length
    private boolean wanted; // ever
    private long wantedNs; // when it was last
    private long soughtNs; // the same, or when the last wait for it has ended

    Announcement(long token, long length, @Nullable DetachedFrame frame) {
      this.token = token;
      this.length = length;
      this.frame = frame;
    }

    /** A sender has asked for it, or was told of it. */
    void want(long nowNs) {
      givenUp = false;
      retried |= left;
      left = false;
      wanted = true;
      wantedNs = nowNs;
      soughtNs = nowNs;
    }

    /** Whoever waited for it has given up. */
    void leave(long nowNs) {
      left = wanted;
      soughtNs = nowNs;
    }

    /** Whether one that waited has given up, and nobody has asked for it since. */
    boolean isLeft() {
      return left;
    }

    /** As above, unless whoever asks for such a length again may soon do so. */
    boolean isLeft(long nowNs, long withinNs) {
      return left && !(retried && isWanted(nowNs, withinNs));
    }

    /** One that had given up has come back for a frame of its length. */
    void comeBackFor() {
      retried = true;
    }

    /**
     * Whether there was no memory to use it, or it comes so late that one which had come at once
     * would have gone back, and nobody has asked for it since. A receiver that grants one after the
     * other would else keep its room from all others for as long as that, for each of them.
     */
    boolean isForsaken(long nowNs) {
      return givenUp || (wanted && nowNs - soughtNs >= FORSAKEN_NS);
    }

    boolean isWanted(long nowNs, long withinNs) {
      return wanted && nowNs - wantedNs < withinNs;
    }

    /** It takes the place of another one. */
    void wantedAs(Announcement other) {
      left = other.left;
      retried = other.retried;
      wanted = other.wanted;
      wantedNs = other.wantedNs;
      soughtNs = other.soughtNs;
    }
  }

  Announcements(ControlQueue control) {
    this.control = control;
  }

  /**
   * Announces a frame, as soon as it may be.
   *
   * @throws OutOfMemoryError if it could not be noted; then nothing is announced
   */
  Announcement add(long length, @Nullable DetachedFrame frame) {
    Announcement added = new Announcement(++lastToken, length, frame);
    (frame == null ? messages : responses).add(added);
    boolean _ = tryWrite();
    return added;
  }

  /** A grant was taken, and is not used after all. */
  Announcement returned(long token, long length) {
    Announcement granted = new Announcement(token, length, null);
    granted.granted = true;
    byToken.put(token, granted);
    return granted;
  }

  /** Announced, and neither taken nor given back; or null. */
  @Nullable Announcement get(long token) {
    return byToken.get(token);
  }

  /** Whether a response waits for its grant. */
  boolean hasResponses() {
    for (Announcement each : byToken.values()) {
      if (each.frame != null) {
        return true;
      }
    }
    return !responses.isEmpty();
  }

  /** A frame is to use the grant; then {@link #used} follows. */
  void take(Announcement granted) {
    byToken.remove(granted.token);
  }

  /** A frame that used a grant was written, or never will be, because the link has ended. */
  void used() {
    open--;
    boolean _ = tryWrite();
  }

  /**
   * Nobody waits for it; it is given back once it is granted.
   *
   * @throws OutOfMemoryError if it is granted, and could not be noted
   */
  void forget(Announcement forgotten) {
    if (forgotten.granted) {
      Long token = forgotten.token;
      byToken.remove(token);
      unused.add(token);
      boolean _ = tryWrite();
    } else {
      messages.remove(forgotten);
    }
  }

  /**
   * Hands to the control frames what may go; what there is no heap or stack for does so later, as
   * what finds no place among them.
   *
   * @return whether anything did
   */
  boolean tryWrite() {
    boolean written = false;
    try {
      while (!unused.isEmpty() && control.add(ControlFrames.announce(unused.element(), 0))) {
        unused.remove();
        open--;
        written = true;
      }
      while (open < ControlFrames.MOST_ANNOUNCED && tryAnnounce(responses)) {
        written = true;
      }
      while (open < MOST_MESSAGES && tryAnnounce(messages)) {
        written = true;
      }
    } catch (OutOfMemoryError | StackOverflowError e) {
      // whoever comes next tries again, or the timer
    }
    return written;
  }

  private boolean tryAnnounce(Queue<Announcement> from) {
    Announcement next = from.peek();
    if (next == null) {
      return false;
    }
    Long token = next.token;
    boolean announced = false;
    try {
      byToken.put(
          token, next); // first: there may be no heap for it, and it be entered all the same
      announced = control.add(ControlFrames.announce(next.token, next.length));
    } finally {
      if (!announced) {
        byToken.remove(token);
      }
    }
    if (announced) {
      from.remove();
      open++;
    }
    return announced;
  }

  /** Forgets everything; returns the responses that will not go. */
  List<DetachedFrame> clear() {
    List<DetachedFrame> frames = new ArrayList<>();
    for (Announcement each : byToken.values()) {
      if (each.frame != null) {
        frames.add(each.frame);
      }
    }
    for (Announcement each : responses) {
      if (each.frame != null) {
        frames.add(each.frame);
      }
    }
    byToken.clear();
    responses.clear();
    messages.clear();
    unused.clear();
    return frames;
  }
}
