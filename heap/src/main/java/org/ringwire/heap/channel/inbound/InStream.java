package org.ringwire.heap.channel.inbound;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.ringwire.Exchange;
import org.ringwire.RetainedExchange;
import org.ringwire.heap.channel.BlockFront;
import org.ringwire.heap.channel.ChannelMessages.HeapRequest;
import org.ringwire.heap.image.Decoder;
import org.ringwire.heap.image.Pool;

/** A stream at its receiver. Guarded by the lock of its {@link Inbox}, but for the decoder. */
final class InStream {
  private static final int MAX_GIVEN_UP = 1 << 10;
  private static final int MOST_CHARS = 1 << 16;
  private static final int MAX_WAITING = 1 << 16;
  private static final long OVER = -1;

  /** After how many blocks a graph was given up, and why. */
  private record GivenUp(int blocks, String reason) {}

  final long id;

  /** Graphs of it that wait to be read. */
  int unread;

  boolean hasEnded;

  private final LongFunction<Decoder> makesDecoder;

  /** Made when the first graph is read: a sender may begin streams of which nobody reads any. */
  private @Nullable Decoder decoder;

  /** Where the stream is. */
  long received;

  /** The graph of which blocks are missing yet. */
  @Nullable InboundGraph current;

  /** The last graph of which a block has arrived. */
  long lastBegun;

  /** The last graph that is complete. */
  long lastGraph;

  /** Of the sender that waits for room. */
  @Nullable RetainedExchange asking;

  long wanted;

  /** Whether it wants segments for that. */
  boolean wantsSegments;

  /** The last segment that its sender had heard of when it asked for more as there was none. */
  private int knownWhenUrgent = -1;

  /** The last segment that its sender has certainly heard of. */
  private int heardOf;

  /** Into which the sender may write. */
  final Map<Integer, ReceiveSegment> segments = new HashMap<>();

  /** Of graphs that the sender has given up, by their numbers, until all blocks of them came. */
  private final Map<Long, GivenUp> givenUp = new HashMap<>();

  /** Of the reasons in it, together. */
  private int givenUpChars;

  /** Of those that wait for a graph to be complete. */
  final Map<Long, RetainedExchange> waiting = new HashMap<>();

  private final Pool<Decoder> decoders;

  /** What is counted of what the decoder keeps, by the reader, or {@link #OVER}. Any thread. */
  private final AtomicLong kept = new AtomicLong();

  /**
   * A new one.
   *
   * @param makesDecoder makes the decoder of the stream with a number
   * @param decoders counts what this decoder keeps from graph to graph
   */
  InStream(long id, LongFunction<Decoder> makesDecoder, Pool<Decoder> decoders) {
    this.id = id;
    this.makesDecoder = makesDecoder;
    this.decoders = decoders;
  }

  /** Used by whoever reads a graph, one at a time. */
  Decoder decoder() {
    Decoder made = decoder;
    if (made == null) {
      made = makesDecoder.apply(id);
      decoder = made;
    }
    return made;
  }

  /** A graph was read, and may have left memory in the decoder; the reader. */
  void count() {
    Decoder used = decoder();
    long before = kept.get();
    if (before != OVER) {
      long now = decoders.count(used, before);
      if (now == before || kept.compareAndSet(before, now)) {
        return;
      }
      decoders.uncount(now - before); // it was over in between, and took back what there was before
    }
    used.trim();
  }

  /** The stream has ended: what graphs of it leave that are still to be read is not kept. */
  void end() {
    givenUp.clear(); // no more comes of them
    givenUpChars = 0;
    long counted = kept.getAndSet(OVER); // pairs with the exchange in count()
    if (counted > 0) {
      decoders.uncount(counted);
    }
  }

  /**
   * Whether a request for segments is handled after one that its sender began later, as requests
   * are not handled in the order in which they came. What its sender has heard of since shows that;
   * and a sender that has asked as there was none does not ask ahead before it has heard of
   * another.
   */
  boolean isOvertaken(HeapRequest request) {
    if (request.known() < heardOf) {
      return true;
    }
    heardOf = request.known();
    if (request.isUrgent()) {
      knownWhenUrgent = Math.max(knownWhenUrgent, request.known());
      return false;
    }
    return request.known() <= knownWhenUrgent;
  }

  /** Its sender has written into a segment. */
  void hasHeardOf(ReceiveSegment segment) {
    heardOf = Math.max(heardOf, segment.number);
  }

  /** Ends the wait of its sender for room, and tells it why. */
  void endAsking(InboxLock lock, String reason) {
    if (asking != null) {
      lock.end(asking, reason);
      asking = null;
    }
  }

  /** The stream has ended: nobody answers who waits. Can be repeated if there is no heap for it. */
  void endRequests(InboxLock lock, String reason) {
    endAsking(lock, reason);
    for (Iterator<RetainedExchange> all = waiting.values().iterator(); all.hasNext(); ) {
      lock.end(all.next(), reason);
      all.remove();
    }
  }

  /**
   * A request waits for a graph to be complete.
   *
   * @return false if it may not
   */
  boolean await(long graph, Exchange request) {
    if (waiting.size() >= MAX_WAITING || waiting.containsKey(graph)) {
      return false;
    }
    waiting.put(graph, request.retain());
    return true;
  }

  /**
   * The sender gives up a graph, some blocks of which may be on their way.
   *
   * @return false if it does that too often
   */
  boolean giveUp(BlockFront front, String reason) {
    boolean isOver = current == null ? front.graph() <= lastBegun : front.graph() < lastBegun;
    if (!isOver) {
      forget(givenUp.remove(front.graph()));
      String kept = givenUpChars + reason.length() > MOST_CHARS ? "" : reason;
      givenUp.put(front.graph(), new GivenUp(front.index(), kept));
      givenUpChars += kept.length();
    }
    return givenUp.size() <= MAX_GIVEN_UP;
  }

  private void forget(@Nullable GivenUp end) {
    givenUpChars -= end == null ? 0 : end.reason.length();
  }

  /** Why there will be no more of a graph, if that is so and all before that has come. */
  @Nullable String whyGivenUp(InboundGraph graph) {
    GivenUp end = givenUp.get(graph.number);
    if (end == null || end.blocks != graph.blocks) {
      return null;
    }
    forget(givenUp.remove(graph.number));
    return end.reason;
  }

  /** Of the reasons that are kept of graphs that have not come. */
  int givenUpChars() {
    return givenUpChars;
  }
}
