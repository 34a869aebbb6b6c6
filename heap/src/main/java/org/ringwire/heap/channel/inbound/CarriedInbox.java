package org.ringwire.heap.channel.inbound;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.ringwire.Exchange;
import org.ringwire.RetainedExchange;
import org.ringwire.heap.BlockCarrier;
import org.ringwire.heap.channel.BlockFront;
import org.ringwire.heap.channel.CarriedBlock;
import org.ringwire.heap.channel.ChannelMessages;
import org.ringwire.heap.channel.ChannelMessages.Announced;
import org.ringwire.heap.channel.ChannelMessages.HeapRequest;
import org.ringwire.heap.channel.ChannelMessages.Offer;
import org.ringwire.heap.channel.ChannelMessages.Truncate;
import org.ringwire.heap.channel.ChannelMessages.Truncated;

/**
 * The memory of an {@link Inbox} that its sender writes blocks into. A segment belongs to one
 * sender; its whole length is part of the window from when it is announced until it is final, was
 * revoked, and nobody has anything to read in it. So never more than the window is announced or
 * occupied.
 *
 * <p>A block is decoded where it lies. Until its segment is revoked, which is soon after it is
 * final, its sender could go on changing it; a decoder reads nothing twice that it relies on.
 *
 * <p>Guarded by the lock of the inbox; memory is announced and revoked without it.
 */
public final class CarriedInbox {
  private static final long LONGEST = 1 << 20;
  private static final int WINDOW_PARTS = 4;

  private final InboxLock lock;
  private final InboundStreams streams;
  private final ReceiveWindow window;
  private final int peer;
  private final @Nullable BlockCarrier carrier;
  private final ChunkPool segments;
  private final long segmentBytes;
  private final Set<ReceiveSegment> live = new HashSet<>();
  private int last;

  /** Why there was no memory for the segment that was wanted last, if there was none. */
  private @Nullable String shortage;

  private CarriedInbox(
      Inbox inbox, int peer, long window, @Nullable BlockCarrier carrier, ChunkPool segments) {
    this.lock = inbox.lock();
    this.streams = inbox.streams();
    this.window = inbox.window();
    this.peer = peer;
    this.carrier = carrier;
    this.segments = segments;
    this.segmentBytes = segmentBytes(window);
  }

  private static long segmentBytes(long window) {
    return Math.min(LONGEST, window / WINDOW_PARTS) & -CarriedBlock.UNIT;
  }

  /**
   * Memory for the segments of all senders of a node. Where there is none the JVM is asked once in
   * a second, as that takes long, and is done with the lock.
   *
   * @param window of each of their inboxes
   */
  public static ChunkPool segments(long window) {
    return ChunkPool.aligned(segmentBytes(window), CarriedBlock.UNIT);
  }

  /**
   * None yet.
   *
   * @param window of the inbox
   * @param carrier null if the node has none
   * @param segments of all inboxes of the node
   */
  public static CarriedInbox of(
      Inbox inbox, int peer, long window, @Nullable BlockCarrier carrier, ChunkPool segments) {
    CarriedInbox carried = new CarriedInbox(inbox, peer, window, carrier, segments);
    inbox.carriedBy(carried);
    return carried;
  }

  // Handlers.

  /** A sender asks for memory; not inline, because that takes time, or has to wait for a reader. */
  public void request(HeapRequest request, Exchange exchange) {
    List<ReceiveSegment> reserved = List.of();
    boolean isPossible = carrier != null && carrier.kind().equals(request.carrier());
    boolean waits = false;
    String problem;
    try {
      synchronized (lock) {
        InStream in = streams.find(request.stream());
        problem = in == null ? streams.whyNone(request.stream()) : null;
        if (in != null && isPossible && !in.isOvertaken(request)) {
          forgetUnknown(in, request.known());
          reserved = reserve(in, request.bytes());
          problem = reserved.isEmpty() ? hopelessness() : null;
          if (problem == null && reserved.isEmpty() && request.isUrgent()) {
            in.endAsking(lock, ChannelMessages.ASKED_ANEW);
            in.asking = exchange.retain();
            in.wanted = request.bytes();
            in.wantsSegments = true;
            waits = true;
          }
        }
      }
    } finally {
      lock.settle();
    }
    if (problem != null) {
      exchange.fail(problem);
    } else if (!isPossible) {
      exchange.reply(new Announced(false, List.of()));
    } else if (!waits) {
      announce(exchange, reserved, null);
    }
  }

  /** Its sender was too late for the answer that has announced them; with the lock. */
  private void forgetUnknown(InStream in, int known) {
    for (ReceiveSegment segment : List.copyOf(in.segments.values())) {
      if (segment.number > known) {
        streams.finish(segment);
      }
    }
  }

  /** A sender does not need some segments, or no more of them. */
  public void truncate(Truncate message, Exchange exchange) {
    try {
      synchronized (lock) {
        InStream in = streams.find(message.stream());
        if (in == null) {
          return;
        }
        for (Truncated truncated : message.segments()) {
          ReceiveSegment segment = in.segments.get(truncated.number());
          if (segment != null) {
            segment.end = truncated.used();
            finishIfFull(segment);
          }
        }
      }
    } finally {
      lock.settle();
    }
  }

  /** With the lock. */
  private void finishIfFull(ReceiveSegment segment) {
    if (segment.filled >= segment.end
        || segment.memory.byteSize() - segment.filled < CarriedBlock.LEAST_ROOM) {
      streams.finish(segment);
    }
  }

  // Announcing.

  /**
   * Takes room out of the window, as much as is wanted and there, and as there is memory for; with
   * the lock. If that is nothing, {@link #hopelessness} says whether waiting helps.
   */
  List<ReceiveSegment> reserve(InStream in, long wanted) {
    List<ReceiveSegment> reserved = new ArrayList<>();
    shortage = null;
    for (long bytes = 0; bytes < wanted && window.room() >= segmentBytes; bytes += segmentBytes) {
      ReceiveSegment segment = null;
      try {
        segment = new ReceiveSegment(in, last + 1, segments.take(segmentBytes));
        reserved.add(segment);
        live.add(segment);
        in.segments.put(segment.number, segment);
      } catch (OutOfMemoryError e) { // what was reserved before is announced nevertheless
        shortage = InboundStreams.NO_MEMORY + e;
        reserved.remove(segment);
        live.remove(segment);
        break;
      }
      last++;
      window.occupy(segmentBytes);
    }
    return reserved;
  }

  /** Why nothing was reserved, unless who reads will make room or memory; with the lock. */
  @Nullable String hopelessness() {
    return live.isEmpty() ? shortage : null;
  }

  /** As {@link #announce}, to who has waited; what that ends with as {@link InboxLock#answer}. */
  void announceAtLast(
      RetainedExchange waiting, List<ReceiveSegment> reserved, @Nullable String refusal) {
    try (waiting) {
      announce(waiting, reserved, refusal);
    } catch (RuntimeException | OutOfMemoryError e) {
      // told; what it has not heard of is given back when it asks again
    }
  }

  /** Announces what was reserved to who has asked, as far as the carrier does, or says why not. */
  private void announce(
      Exchange exchange, List<ReceiveSegment> reserved, @Nullable String refusal) {
    List<Offer> offers = new ArrayList<>();
    String problem = refusal;
    int done = 0;
    while (problem == null && done < reserved.size()) {
      try {
        addOffer(reserved.get(done), offers);
        done++;
      } catch (Throwable e) { // whatever the carrier throws: who has asked waits
        problem = "no memory can be announced: " + e.getMessage();
      }
    }
    if (problem != null) {
      giveBack(reserved.subList(done, reserved.size()));
    }
    if (problem == null || !offers.isEmpty()) { // what the carrier refuses it is asked for again
      exchange.reply(new Announced(true, offers));
    } else {
      exchange.fail(problem);
    }
  }

  private void addOffer(ReceiveSegment segment, List<Offer> offers) {
    BlockCarrier by = carrier;
    if (by == null) {
      throw new IllegalStateException("nothing is announced without a carrier");
    }
    BlockCarrier.Announcement announcement = announce(by, segment);
    if (announcement != null) {
      offers.add(new Offer(segment.number, segmentBytes, announcement.descriptor()));
    }
  }

  /** Null if its stream has ended before, or does so meanwhile: then it is revoked here. */
  private BlockCarrier.@Nullable Announcement announce(BlockCarrier by, ReceiveSegment segment) {
    if (!segment.beginAnnouncing()) {
      return null;
    }
    BlockCarrier.Announcement announcement = null;
    boolean isWanted = false;
    try {
      announcement = by.announce(segment.memory, (nodeId, tag) -> written(segment, nodeId, tag));
    } finally {
      isWanted = segment.announced(announcement);
      if (!isWanted) {
        retire(segment);
      }
    }
    return isWanted ? announcement : null;
  }

  private void retire(ReceiveSegment segment) {
    try {
      synchronized (lock) {
        lock.retire(segment);
      }
    } finally {
      lock.settle();
    }
  }

  private void giveBack(List<ReceiveSegment> reserved) {
    try {
      synchronized (lock) {
        for (ReceiveSegment each : reserved) {
          streams.finish(each);
        }
      }
    } finally {
      lock.settle();
    }
  }

  /** Its room belongs to others, if it did not before; with the lock. */
  boolean recycle(ReceiveSegment segment) {
    if (segment.isFreed) {
      return false;
    }
    segment.isFreed = true;
    live.remove(segment);
    segments.giveBack(segment.memory);
    return true;
  }

  // The carrier's thread.

  /** The sender says that it has written a block. */
  private void written(ReceiveSegment segment, int nodeId, int tag) {
    if (nodeId != peer) {
      return; // it was announced to another
    }
    try {
      synchronized (lock) {
        if (!segment.isFinal && !segment.stream.hasEnded) {
          take(segment, tag);
        }
      }
    } finally {
      lock.settleAtOnce();
    }
  }

  private void take(ReceiveSegment segment, int tag) {
    long at = segment.filled;
    long left = segment.memory.byteSize() - at - CarriedBlock.HEAD;
    if (tag != CarriedBlock.tag(at) || left < 0) {
      streams.end("blocks of it were lost");
      return;
    }
    BlockFront front = CarriedBlock.front(segment.memory, at);
    long length = CarriedBlock.length(segment.memory, at);
    if (length < 0 || length > left || front.isGivenUp()) {
      streams.end(InboundStreams.NO_BLOCK);
      return;
    }
    segment.filled = CarriedBlock.end(at, length);
    segment.stream.hasHeardOf(segment);
    String problem = streams.take(segment.stream, front, length, () -> piece(segment, at, length));
    if (problem == null) {
      finishIfFull(segment);
    }
  }

  private static Piece piece(ReceiveSegment segment, long at, long length) {
    Piece piece = new Piece(segment.memory.asSlice(at + CarriedBlock.HEAD, length), segment);
    segment.unread++; // from here on it has to be freed
    return piece;
  }

  /** After the stream has ended: revokes what has not been read, too. */
  void close() {
    List<ReceiveSegment> all;
    try {
      synchronized (lock) {
        all = List.copyOf(live);
        live.clear(); // who has closed this may keep it
      }
    } finally {
      lock.settle();
    }
    for (ReceiveSegment segment : all) {
      boolean _ = segment.revoke();
    }
    segments.leftToCollector(); // those in which something was not read
  }
}
