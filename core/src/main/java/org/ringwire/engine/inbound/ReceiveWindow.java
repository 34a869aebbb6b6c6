package org.ringwire.engine.inbound;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongBinaryOperator;
import org.ringwire.wire.ControlFrames;

/**
 * The receiver's side of flow control for one link: counts what arrived and what handlers have
 * processed, and decides when credit is due (DXNet paper section X, with processed instead of
 * received bytes; design rule 3).
 *
 * <p>{@code received} and the limits are written by the reading thread alone. {@code processed} is
 * added to by reading and handling threads, once per batch. Credit is due when more than the
 * threshold of the window was processed since it was last asked for; a CREDIT frame carries the
 * positions of the moment when it is written, so that asking twice is harmless. What stays below
 * the threshold is told when the timer looks for signs of life, or soon if the peer may need it
 * ({@link #withholds}): where handlers keep much of the window, nobody gets as far as the threshold
 * with the rest.
 *
 * <p>The window starts small and doubles each time that credit is due, out of a budget of the node,
 * up to its maximum (design rule 1). It shrinks when a peer that is idle waives what it was granted
 * beyond a window as small as the first one: the budget is for those that send.
 *
 * <p>For messages whose handlers wait for another node the peer is lent as much again, out of the
 * same budget, while that leaves as much to other peers: two nodes whose handlers wait for each
 * other must not hold all of each other's credit. To the peer what is lent counts as processed: so
 * it sees the window that is free for it, and announces what is too long for that. What is granted
 * and not processed, as it is told, is never more than the window.
 */
public final class ReceiveWindow {

  /** Of a window, what the longest frame takes that a peer sends without a grant. */
  private static final LongBinaryOperator LATER = Math::max;

  private static final double LONGEST_FRAME = 0.4;

  private final WindowBudget budget;
  private final int initialWindow;
  private final int maxWindow;
  private final double threshold;
  private final AtomicLong processedBytes = new AtomicLong();
  private final AtomicLong processedMessages = new AtomicLong();
  private final AtomicLong creditedBytes = new AtomicLong();
  private volatile long window;
  private volatile long granted;
  private volatile long toldMessages; // with the last CREDIT, as the next
  private volatile long toldBytes; // without those that are lent
  private long received;
  private long lent; // under the lock, as the next
  private int lentMessages;
  private boolean reserved;
  private boolean opened;
  private volatile boolean everything;
  private volatile boolean closed;

  /**
   * A window that is not open.
   *
   * @param initialWindow bytes that it begins with
   * @param maxWindow bytes that it grows to
   * @param threshold fraction of the window that is processed before credit is due
   */
  public ReceiveWindow(WindowBudget budget, int initialWindow, int maxWindow, double threshold) {
    this.threshold = threshold;
    this.budget = budget;
    this.initialWindow = initialWindow;
    this.maxWindow = maxWindow;
    window = initialWindow;
  }

  /**
   * Before data may come: takes the initial window out of the budget, once; false if it has no
   * more.
   */
  public synchronized boolean reserve() {
    reserved = reserved || (!closed && budget.tryReserve(window));
    return reserved;
  }

  /** Grants the initial window; false if that was done before. */
  public synchronized boolean open() {
    if (opened) {
      return false;
    }
    opened = true;
    granted = window;
    return true;
  }

  /** The peer sends no more: from now on all that was processed is credited at once. */
  public void creditEverything() {
    everything = true;
  }

  /**
   * Reading thread: a charged frame has arrived.
   *
   * @param bytes 0 or more, as many as a peer likes to say
   * @return false if the peer exceeds its credit; then they are not counted
   */
  public boolean receive(long bytes) {
    boolean fits = covers(bytes);
    if (fits) {
      received += bytes;
    }
    return fits;
  }

  /** Reading thread: whether the peer has credit for so many bytes more. */
  public boolean covers(long bytes) {
    return bytes <= granted - received; // a sum might overflow
  }

  public long receivedBytes() {
    return received;
  }

  /** Bytes that arrived and are not processed yet; from other threads a hint. */
  public long unprocessed() {
    return received - processedBytes.get();
  }

  /** Any thread, once per batch: handlers are done with this much; true if credit is due. */
  public boolean process(long bytes, long messages) {
    processedMessages.addAndGet(messages);
    long processed = processedBytes.addAndGet(bytes);
    if (closed && processed == received) {
      release();
    }
    long last = creditedBytes.get();
    if (everything) {
      return true;
    }
    if (processed - last < threshold * window || !creditedBytes.compareAndSet(last, processed)) {
      return false;
    }
    grow(window * 2);
    return true;
  }

  /**
   * Makes room for frames of a length that was announced; reading thread.
   *
   * @return whether the window grew: then the peer must be told, because the threshold grew too,
   *     and what the peer may still send could end below it
   */
  public boolean growFor(long frameLength) {
    long before = window;
    grow(Long.highestOneBit(Math.max(1, frameLength * 4)));
    return window > before;
  }

  private synchronized void grow(long wanted) {
    long target = Math.min(wanted, maxWindow);
    if (reserved && target > window && budget.tryReserve(target - window)) {
      window = target;
    }
  }

  /**
   * Reading thread: the peer gives up so much of what it was granted. It counts as sent and
   * processed, and the window shrinks by as much: what is granted and not processed is never more
   * than the window. The caller returns credit, which tells the peer of its smaller window.
   *
   * @return false if the peer was not granted so much
   */
  public boolean waive(long bytes) {
    if (!receive(bytes)) {
      return false;
    }
    synchronized (this) { // with creditFrame: the window shrinks before the position moves
      long smaller = Math.max(initialWindow, window - bytes);
      if (reserved && smaller < window) {
        budget.release(window - smaller);
        window = smaller;
      }
    }
    long processed = processedBytes.addAndGet(bytes);
    creditedBytes.accumulateAndGet(processed, LATER);
    return true;
  }

  /**
   * A handler waits while it holds so many bytes of messages: the peer may send as many more, until
   * they are paid back. The caller returns credit, which says so. Any thread.
   *
   * @return false if the node has no memory for more, enough handlers wait, or this link would have
   *     more of that than it leaves
   */
  public synchronized boolean lend(long bytes) {
    if (!reserved || closed || window + lent + bytes > Integer.MAX_VALUE) {
      return false;
    }
    boolean lends = budget.tryLend(bytes, lent, lentMessages);
    if (lends) {
      lent += bytes;
      lentMessages++;
    }
    return lends;
  }

  /**
   * The message for which so much was lent is processed: at once, as the peer, to which it counts
   * as processed already, must never be told of less. As {@link #process} in all else.
   */
  public boolean processLent(long bytes, long messages) {
    synchronized (this) { // with creditFrame
      lent -= bytes;
      lentMessages--;
      budget.repay(bytes);
      processedBytes.addAndGet(bytes);
    }
    return process(0, messages);
  }

  /**
   * Whether handlers have processed messages that no CREDIT has told the peer of, because they are
   * too few: where nothing follows they would stay uncertain. Any thread, a hint.
   */
  public boolean owesCredit() {
    return processedMessages.get() > toldMessages;
  }

  /**
   * Whether there may be too little left for what the peer wants to send next, though handlers have
   * processed some that no CREDIT has told it of. Any thread, a hint.
   */
  public boolean withholds() {
    return granted - received < LONGEST_FRAME * window && processedBytes.get() > toldBytes;
  }

  /** Messages and requests that handlers are done with; any thread. */
  public long processedMessages() {
    return processedMessages.get();
  }

  /** Bytes that the peer may have unprocessed, and that are taken out of the budget. */
  public long window() {
    return window;
  }

  /** The positions of now, for the wire. */
  public synchronized byte[] creditFrame() {
    // Either may be ahead of the other by what is being processed; a later frame tells the rest.
    long messages = processedMessages.get();
    long processed = processedBytes.get();
    long bytes = processed + lent;
    granted = opened ? Math.max(granted, bytes + window) : 0;
    toldMessages = messages;
    toldBytes = processed;
    return ControlFrames.credit(bytes, messages, granted);
  }

  /** The link has ended, after its last input: what is in lanes keeps the window until handled. */
  public void close() {
    closed = true; // after the last write of received; pairs with the read in process
    if (processedBytes.get() == received) {
      release();
    }
  }

  private synchronized void release() {
    if (reserved) {
      reserved = false;
      budget.release(window);
    }
  }
}
