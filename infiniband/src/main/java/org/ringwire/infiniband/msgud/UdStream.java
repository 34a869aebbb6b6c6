package org.ringwire.infiniband.msgud;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.connect.DatagramTerms;
import org.ringwire.infiniband.connect.Terms;
import org.ringwire.infiniband.datagram.Arrival;
import org.ringwire.infiniband.datagram.Conversation;
import org.ringwire.infiniband.datagram.Datagram;
import org.ringwire.infiniband.datagram.DatagramPort;
import org.ringwire.infiniband.device.StagingPool;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;

/**
 * The protocol of a link and the memory that it sends from, guarded by itself: by its writer and by
 * the thread of the engine, who hold it for as long as a few posts take. Nothing here calls a
 * handler, and nothing waits for anything but the lock of {@link UdSender}, which is taken second.
 *
 * <p><b>Released</b> to the source are bytes whose segment the peer has acknowledged, with all
 * before it, and of which the device has completed the last transmission: it may still read a
 * repetition when the acknowledgement of the first transmission comes (design rule 5).
 *
 * <p><b>Full.</b> A write that takes less than it is offered leaves {@code blocked}. An
 * acknowledgement makes room, or the thread when links lacked what all share; both look at {@code
 * blocked} afterwards, all under the lock, so one of them sees the other.
 */
final class UdStream implements DatagramPort<UdSegment> {

  static final long NEVER = Conversation.NEVER;

  private static final int MAX_RANGES = 16;

  /** After so long without an acknowledgement perhaps nothing goes out any more. */
  private static final long DOUBT_NS = TimeUnit.SECONDS.toNanos(1);

  private final UdSender sender;
  private final StagingPool.Share chunks;
  private final Consumer<Throwable> failed;
  private final Destination destination;
  private final Conversation<UdSegment> conversation;
  private final int contentLength;
  private final long mostOutstanding;
  private final OutboundRanges ranges = new OutboundRanges(MAX_RANGES);
  private @Nullable OutboundSource source;
  private long outstandingBytes;
  private long lastPost = -1;
  private long timerNs = NEVER; // when the thread looks, at the latest
  private boolean newTimer;
  private boolean blocked;
  private boolean lacksShared;
  private boolean over;

  /** What became of a datagram that has arrived. */
  enum Outcome {
    /** It cannot be genuine. */
    REFUSED,
    /** It is the next part of the stream. */
    NEXT,
    /** It is kept for later. */
    HELD,
    /** There is nothing more to do with it. */
    DONE
  }

  /**
   * To the peer that has these terms.
   *
   * @param failed told of what the source fails at, which concerns this link only
   */
  UdStream(UdTransport transport, Terms peer, DatagramTerms datagrams, Consumer<Throwable> failed) {
    UdAdapter adapter = transport.adapter();
    this.failed = failed;
    sender = adapter.sender();
    chunks = adapter.chunks().share();
    contentLength = adapter.contentLength(peer);
    mostOutstanding = transport.mostOutstanding();
    conversation =
        new Conversation<>(
            this, sender.head(), peer.linkNumber(), adapter::newSegment, transport.firstWindow());
    destination = adapter.destination(peer, datagrams); // last: nobody else would give it back
  }

  // As DatagramPort: with the sender open.

  @Override
  public boolean hasRoom() {
    return sender.free() > 0;
  }

  @Override
  public void send(Datagram head, @Nullable UdSegment segment) {
    try {
      lastPost = sender.add(destination, head, segment);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // The writer.

  /**
   * Writes what the source offers; returns whether all was taken, and the peer is not far behind.
   */
  synchronized boolean write(OutboundSource from) throws IOException {
    source = from;
    boolean all = false;
    try {
      all = transmit(from);
      return all;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      ranges.clear();
      blocked = !all;
      noteTimer();
    }
  }

  private boolean transmit(OutboundSource from) throws IOException {
    lacksShared = false;
    while (true) {
      ranges.clear();
      long offered = from.next(ranges);
      if (offered == 0) {
        return outstandingBytes <= mostOutstanding;
      }
      if (outstandingBytes > mostOutstanding) {
        return false;
      }
      long taken = transmitOffer();
      outstandingBytes += taken;
      from.sent(taken);
      if (taken < offered) {
        return false;
      }
    }
  }

  private long transmitOffer() throws IOException {
    long taken = 0;
    sender.open();
    try {
      SegmentFiller filler = sender.filler();
      filler.begin(ranges, chunks);
      long nowNs = System.nanoTime();
      while (filler.hasMore() && conversation.maySend()) {
        UdSegment segment = conversation.prepare();
        if (!filler.fill(segment, contentLength)) {
          lacksShared = !chunks.waitsForOwn(); // else its acknowledgements let it go on
          break;
        }
        conversation.send(segment, Datagram.DATA, nowNs);
        taken += segment.length();
      }
      lacksShared |= !hasRoom();
      filler.end();
    } finally {
      sender.close();
    }
    return taken;
  }

  private void noteTimer() {
    long deadlineNs = conversation.deadlineNs();
    if (deadlineNs < timerNs) {
      timerNs = deadlineNs;
      newTimer = true;
    }
  }

  /** Whether the thread must be told of an earlier time limit; once. */
  synchronized boolean needsTimer() {
    boolean needs = newTimer;
    newTimer = false;
    return needs;
  }

  /** Whether a writer waits. */
  synchronized boolean isBlocked() {
    return blocked;
  }

  /** Whether a writer waits for what all links share. */
  synchronized boolean isStarved() {
    return blocked && lacksShared;
  }

  // Who sends signals: the writer has not begun, or is gone.

  /** Sends a segment without content; returns false if it must be tried again later. */
  synchronized boolean sendSignal(int kind) throws IOException {
    sender.open();
    try {
      if (!conversation.maySend()) {
        return false;
      }
      UdSegment segment = conversation.prepare();
      segment.clear();
      conversation.send(segment, kind, System.nanoTime());
      return true;
    } finally {
      sender.close();
    }
  }

  // The thread.

  /** The queue pair that datagrams of this link come from. */
  int peerQueuePair() {
    return destination.queuePair();
  }

  /** Takes what a genuine datagram says. */
  synchronized Outcome arrived(UdReceiver receiver, int buffer, Datagram datagram, long nowNs) {
    if (!conversation.heard(datagram, nowNs)) {
      return Outcome.REFUSED;
    }
    release();
    if (!datagram.isNumbered()) {
      return Outcome.DONE;
    }
    Arrival arrival = conversation.look(datagram, nowNs);
    if (arrival == Arrival.NEXT) {
      conversation.advance();
      return Outcome.NEXT;
    }
    if (arrival == Arrival.AHEAD && !over && receiver.mayHold()) {
      conversation.hold(datagram, buffer); // there may be no heap for that
      receiver.hold(buffer, datagram);
      return Outcome.HELD;
    }
    return Outcome.DONE;
  }

  /** Takes the next buffer that was held, or returns -1. */
  synchronized int takeHeld() {
    return conversation.takeHeld();
  }

  /** Returns whether a writer waits that may go on now; it waits no more then. */
  synchronized boolean unblock() {
    boolean may =
        blocked
            && outstandingBytes <= mostOutstanding / 2
            && !(lacksShared && (sender.isScarce() || chunks.isUsedUp()))
            && conversation.windowAllows();
    if (may) {
      blocked = false;
    }
    return may;
  }

  /**
   * Sends what is due.
   *
   * @param scheduledNs when the thread will look in any case
   * @return when the thread must look at the latest
   */
  synchronized long settle(int window, long nowNs, long scheduledNs) throws IOException {
    sender.checkFailure();
    boolean all = true;
    if (!over) {
      conversation.window(window);
      if (conversation.silenceNs(nowNs) >= DOUBT_NS) {
        boolean _ = sender.poll(); // where only sending has failed nothing else tells of it
        sender.checkFailure();
      }
      conversation.expire(nowNs);
      if (conversation.isDue(nowNs)) {
        sender.open();
        try {
          all = conversation.answer(nowNs);
        } finally {
          sender.close();
        }
      }
    }
    release();
    long deadlineNs = over ? NEVER : conversation.deadlineNs();
    if (!all || conversation.releasable() != null) {
      deadlineNs = nowNs; // the device is behind: very soon
    }
    timerNs = Math.min(deadlineNs, scheduledNs);
    newTimer = false;
    return deadlineNs;
  }

  private void release() {
    UdSegment done = conversation.releasable();
    if (done == null) {
      return;
    }
    if (!sender.isCompleted(done.post())) {
      boolean _ = sender.poll();
    }
    long bytes = 0;
    while (done != null && sender.isCompleted(done.post())) {
      bytes += done.length();
      done.free();
      conversation.release();
      done = conversation.releasable();
    }
    OutboundSource from = source;
    bytes =
        Math.min(bytes, outstandingBytes); // what a write that failed had taken was not reported
    if (bytes > 0 && from != null) {
      outstandingBytes -= bytes;
      complete(from, bytes);
    }
  }

  private void complete(OutboundSource from, long bytes) {
    try {
      from.completed(bytes);
    } catch (Throwable e) { // on the thread of all links
      failed.accept(e);
    }
  }

  /** Whether the peer has acknowledged anything. */
  synchronized boolean isAnswered() {
    return conversation.isAnswered();
  }

  /** For how long the peer has acknowledged nothing though something is outstanding. */
  synchronized long silenceNs(long nowNs) {
    return conversation.silenceNs(nowNs);
  }

  /**
   * Whether all that was sent was acknowledged, and is released, and the device has nothing of it.
   */
  synchronized boolean isDrained() {
    return conversation.outstanding() == 0 && sender.isSurelyCompleted(lastPost);
  }

  /** Sends nothing again; what was sent is released when the device is done with it. */
  synchronized void abandon() {
    over = true;
    conversation.abandon();
    release();
  }

  /**
   * The end: gives back what it holds, each once, however often it is called. What the device has
   * not completed in time is left to it until its queue pair is made anew.
   */
  synchronized void close(UdReceiver receiver) {
    over = true;
    conversation.abandon();
    for (UdSegment segment = conversation.releasable();
        segment != null;
        segment = conversation.releasable()) {
      if (sender.isCompleted(segment.post())) {
        segment.free();
      } else {
        segment.leave();
      }
      conversation.release();
    }
    for (int held = conversation.dropHeld(); held >= 0; held = conversation.dropHeld()) {
      receiver.releaseHeld(held);
    }
    destination.port().close();
  }
}
