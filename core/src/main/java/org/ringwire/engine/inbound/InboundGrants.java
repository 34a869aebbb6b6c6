package org.ringwire.engine.inbound;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;

/**
 * The receiver's side of frames that are too long for the window: grants what peers announce, and
 * checks that what they send was granted. Any thread; guarded by itself, used per large frame only.
 */
public final class InboundGrants {

  /** How long a peer may send nothing of what it was granted while others wait for the room. */
  static final long PATIENCE_NS = 60_000_000_000L;

  /** What it sends must be this share of that, or it is as good as nothing. */
  private static final int LEAST_SHARE = 64;

  private final GrantBudget budget;
  private final long longestFrame;
  private final LongConsumer sendGrant;
  private final ObjLongConsumer<String> sendDelay;
  private final LongSupplier arriving;
  private final Consumer<Throwable> violation;

  /** Lengths by token. A frame does not say which grant it uses: the oldest of its length. */
  private final Map<Long, Long> granted = new TreeMap<>();

  private final UsedGrants used = new UsedGrants();

  /** Tokens of announcements that wait, and of grants that are neither used nor given back. */
  private final Set<Long> open = new HashSet<>();

  private @Nullable Held firstHeld;
  private @Nullable Held lastHeld;
  private final long mostBytes;
  private long openBytes; // asked for at the budget, granted, or arrived and not processed
  private boolean closed;
  private long usedBytes; // ever
  private long unusedNs; // for how long there was nothing new
  private long acquittedBytes; // that had arrived before
  private long dueBytes; // that must arrive next

  /** An announcement that waits for those before it; linked, to be put back without heap. */
  private static final class Held {
    final long token;
    final long length;
    @Nullable Held next;

    Held(long token, long length) {
      this.token = token;
      this.length = length;
    }
  }

  /**
   * Nothing granted yet.
   *
   * @param mostBytes that are granted to this peer at the same time, unless one frame is longer
   * @param sendGrant tells the peer of a grant
   * @param sendDelay tells the peer why there is none yet
   * @param arriving bytes that have come of a granted frame that is not complete
   * @param violation hears of a peer that does not use what it has, or cannot be told of it
   */
  public InboundGrants(
      GrantBudget budget,
      long longestFrame,
      long mostBytes,
      LongConsumer sendGrant,
      ObjLongConsumer<String> sendDelay,
      LongSupplier arriving,
      Consumer<Throwable> violation) {
    this.budget = budget;
    this.mostBytes = mostBytes;
    this.longestFrame = longestFrame;
    this.sendGrant = sendGrant;
    this.sendDelay = sendDelay;
    this.arriving = arriving;
    this.violation = violation;
  }

  /** The peer announces a frame, or with length 0 gives a grant back. */
  public void announced(long token, long length) {
    if (length == 0) {
      giveBack(token);
      return;
    }
    if (length < 0 || length > longestFrame) {
      throw new ProtocolException(
          Reason.FRAME_LENGTH,
          "announced frame is too long: length=" + length + " limit=" + longestFrame);
    }
    synchronized (this) {
      if (open.size() == ControlFrames.MOST_ANNOUNCED) {
        throw new ProtocolException(
            Reason.FRAME_UNEXPECTED,
            "too many frames announced: limit=" + ControlFrames.MOST_ANNOUNCED);
      }
      if (!open.add(token)) {
        throw new ProtocolException(
            Reason.FRAME_UNEXPECTED, "a frame announced twice: token=" + token);
      }
      hold(new Held(token, length));
    }
    requestHeld();
  }

  /** Asks for what this peer may have now. */
  private void requestHeld() {
    for (Held next = takeHeld(); next != null; next = takeHeld()) {
      boolean asked = false;
      try {
        budget.request(this, next.token, next.length);
        asked = true;
      } finally {
        if (!asked) { // there is no heap
          holdAgain(next);
        }
      }
    }
    if (isClosed()) { // after the request, which may have come after the end
      budget.forget(this);
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private void hold(Held added) { // guarded
    Held before = lastHeld;
    if (before == null) {
      firstHeld = added;
    } else {
      before.next = added;
    }
    lastHeld = added;
  }

  private synchronized @Nullable Held takeHeld() {
    Held next = firstHeld;
    if (next == null || closed || (openBytes > 0 && openBytes + next.length > mostBytes)) {
      return null;
    }
    openBytes += next.length;
    firstHeld = next.next;
    if (firstHeld == null) {
      lastHeld = null;
    }
    return next;
  }

  private synchronized void holdAgain(Held next) {
    openBytes -= next.length;
    next.next = firstHeld;
    firstHeld = next;
    if (lastHeld == null) {
      lastHeld = next;
    }
  }

  private void released(long length) {
    synchronized (this) {
      openBytes -= length;
    }
    budget.release(length);
    resume();
  }

  /** Goes on with what waits, or leaves that to the next look if there is no heap for it. */
  void resume() {
    try {
      requestHeld();
    } catch (OutOfMemoryError e) {
      budget.goOnLater();
    }
  }

  private void giveBack(long token) {
    Long length;
    synchronized (this) {
      Long unused = granted.containsKey(token) ? Long.valueOf(token) : inPlaceOf(token);
      length = unused == null ? null : granted.remove(unused);
      if (length == null) {
        throw new ProtocolException(
            Reason.FRAME_UNEXPECTED, "a grant given back that was not open: token=" + token);
      }
      open.remove(unused);
    }
    released(length);
  }

  private @Nullable Long inPlaceOf(long token) {
    Long length = used.remove(token);
    return length == null ? null : oldest(length);
  }

  private @Nullable Long oldest(long length) {
    for (Map.Entry<Long, Long> entry : granted.entrySet()) {
      if (entry.getValue() == length) {
        return entry.getKey();
      }
    }
    return null;
  }

  /** By the budget, which has others to tell: the link of a peer that cannot be told ends. */
  public void grant(long token, long length) {
    boolean taken = false;
    try {
      taken = take(token, length);
      if (taken) {
        sendGrant.accept(token);
      }
    } catch (Throwable e) {
      notTold(e);
    } finally {
      if (!taken) {
        budget.release(length);
      }
    }
  }

  private synchronized boolean take(long token, long length) {
    if (!closed) {
      granted.put(token, length);
    }
    return !closed;
  }

  /** By the budget, once: why an announcement must wait, which may be over by now. */
  public void delayed(long token, String why) {
    try {
      sendDelay.accept(why, token);
    } catch (Throwable e) {
      notTold(e);
    }
  }

  private void notTold(Throwable failure) {
    try {
      violation.accept(failure);
    } catch (OutOfMemoryError e) {
      // its end has begun
    }
  }

  /** A frame begins that says it was granted: there must be a grant of its length. */
  public synchronized void require(long occupied) {
    grantOf(occupied);
  }

  private Long grantOf(long occupied) {
    Long token = oldest(occupied);
    if (token == null) {
      throw new ProtocolException(
          Reason.WINDOW, "a frame that was not granted: occupiedLength=" + occupied);
    }
    return token;
  }

  /** A frame that says it was granted has arrived; one grant of its length is used up. */
  public synchronized void use(long occupied) {
    Long token = grantOf(occupied);
    if (hasOther(token, occupied)) {
      used.add(token, occupied); // first: without heap for it, the grant goes back at the end
    } else {
      used.forget(occupied);
    }
    granted.remove(token);
    usedBytes += occupied;
    open.remove(token);
  }

  private boolean hasOther(long token, long length) {
    for (Map.Entry<Long, Long> entry : granted.entrySet()) {
      if (entry.getValue() == length && entry.getKey() != token) {
        return true;
      }
    }
    return false;
  }

  /** A granted frame was processed. */
  public void processed(long occupied) {
    released(occupied);
  }

  // While others wait for room; by the budget.

  /** From now on this peer has time again to use what it was granted. */
  synchronized void acquit() {
    unusedNs = 0;
    acquittedBytes = usedBytes + arriving.getAsLong();
    dueBytes = Math.max(1, unused() / LEAST_SHARE);
  }

  /**
   * Ends the connection if its peer has had the time, and has used too little.
   *
   * @param passedNs since the last call
   */
  void judge(long passedNs) {
    long length;
    synchronized (this) {
      length = unused();
      if (length == 0 || usedBytes + arriving.getAsLong() - acquittedBytes >= dueBytes) {
        acquit();
        return;
      }
      unusedNs += passedNs;
      if (unusedNs < PATIENCE_NS) {
        return;
      }
    }
    violation.accept(
        new ProtocolException(
            Reason.LIMIT,
            "the peer does not use what it was granted, and others wait: grantedBytes=" + length));
  }

  private long unused() {
    long bytes = 0;
    for (long length : granted.values()) {
      bytes += length;
    }
    return bytes;
  }

  /** The link has ended: what was granted and not used goes back. */
  public void close() {
    long unused;
    synchronized (this) {
      closed = true;
      unused = unused();
      granted.clear();
      firstHeld = null;
      lastHeld = null;
    }
    budget.forget(this);
    budget.release(unused);
  }
}
