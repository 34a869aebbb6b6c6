package org.ringwire.heap.channel.inbound;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.ringwire.Exchange;
import org.ringwire.RetainedExchange;
import org.ringwire.heap.channel.BlockFront;
import org.ringwire.heap.channel.ChannelMessages;
import org.ringwire.heap.channel.ChannelMessages.Arrived;
import org.ringwire.heap.channel.ChannelMessages.Block;
import org.ringwire.heap.channel.ChannelMessages.Check;
import org.ringwire.heap.channel.ChannelMessages.Granted;
import org.ringwire.heap.channel.ChannelMessages.Open;
import org.ringwire.heap.channel.ChannelMessages.Opened;
import org.ringwire.heap.channel.ChannelMessages.Outcome;
import org.ringwire.heap.channel.ChannelMessages.Room;
import org.ringwire.heap.image.Decoder;
import org.ringwire.heap.image.Pool;

/**
 * What one node has sent and nobody has read yet. Handlers of the node put in, on whatever thread
 * reads from the network; one reader at a time takes out.
 *
 * <p>Everything is guarded by one lock, which is held to copy a block, never while a graph is
 * decoded, and never while an answer is sent. A piece belongs to the reader from {@link
 * GraphQueue#poll} to {@link #release}; only then is its room granted again. So never more than the
 * window is occupied, whatever a sender does: what goes beyond it is refused, and fails the graph.
 */
public final class Inbox {
  @SuppressWarnings("UnnecessaryLambda")
  private static final Function<InStream, @Nullable String> AT_ONCE = _ -> null;

  private static final LongFunction<Object> GRANTED = Granted::new;
  private static final LongFunction<Object> ARRIVED = Arrived::new;
  private static final Granted UNKNOWN = new Granted(ChannelMessages.NO_STREAM);
  private static final long NO_GRAPH = Long.MAX_VALUE;
  private static final String WAITS = "waits"; // no problem, but no answer yet either

  private final InboxLock lock;
  private final GraphQueue graphs;
  private final ReceiveWindow window;
  private final InboundStreams streams;
  private @Nullable CarriedInbox carried; // memory that blocks are written into, if there may be

  /**
   * An empty one.
   *
   * @param peer the node that sends
   * @param window bytes that may wait here
   * @param chunks memory for what waits
   * @param decoders makes one for the stream with a number
   * @param kept counts what these keep
   * @param elsewhere runs what handlers may not wait for
   */
  public Inbox(
      int peer,
      long window,
      ChunkPool chunks,
      LongFunction<Decoder> decoders,
      Pool<Decoder> kept,
      Executor elsewhere) {
    this.lock = new InboxLock(this::free, elsewhere);
    this.graphs = new GraphQueue(peer, lock);
    this.window = new ReceiveWindow(window, lock, chunks);
    this.streams = new InboundStreams(lock, graphs, this.window, decoders, kept);
  }

  /** Before anything else. */
  void carriedBy(CarriedInbox segments) {
    carried = segments;
  }

  // Handlers.

  /** A stream begins, and revokes what the one before was granted. */
  public void open(Open open, Exchange exchange) {
    String problem = open.problem();
    if (problem != null) {
      exchange.fail(problem);
      return;
    }
    long granted = 0;
    try {
      synchronized (lock) {
        problem = streams.begin(open.stream());
        granted = window.room();
      }
    } finally {
      lock.settleAtOnce();
    }
    if (problem != null) {
      exchange.fail(problem);
    } else {
      exchange.reply(new Opened(granted, window.length()));
    }
  }

  InboxLock lock() {
    return lock;
  }

  /** What the lock guards, as the next. */
  InboundStreams streams() {
    return streams;
  }

  ReceiveWindow window() {
    return window;
  }

  /** Segments were revoked; without the lock. */
  private void free(List<ReceiveSegment> revoked) {
    try {
      synchronized (lock) {
        for (ReceiveSegment segment : revoked) {
          if (segment.unread == 0 && carried != null && carried.recycle(segment)) {
            window.vacate(segment.memory.byteSize());
          }
        }
      }
    } finally {
      lock.settle();
    }
    answerAsking();
  }

  /** A block arrives; inline, so in the order in which it was sent. */
  public void block(Block block, Exchange exchange) {
    String problem;
    long granted = 0;
    boolean isUnknown;
    RetainedExchange waiting = null;
    try {
      synchronized (lock) {
        try {
          InStream in = streams.find(block.stream());
          problem = in == null ? streams.whyNone(block.stream()) : take(in, block);
          isUnknown = in == null && !streams.isKnown(block.stream());
          if (in != null && problem == null) {
            granted = window.granted(in);
            if ((block.flags() & ChannelMessages.LAST) != 0) {
              waiting = in.waiting.remove(block.graph());
            }
          }
        } catch (InternalError e) {
          streams.end("its sender has taken its memory away");
          throw e;
        }
      }
    } finally {
      lock.settleAtOnce();
    }
    if (waiting != null) {
      InboxLock.answer(waiting, new Arrived(granted));
    }
    if (!exchange.isRequest()) {
      return;
    }
    if (problem == null) {
      exchange.reply(new Arrived(granted));
    } else if (isUnknown && (block.flags() & ChannelMessages.LAST) != 0) {
      exchange.reply(new Arrived(ChannelMessages.NO_STREAM));
    } else {
      exchange.fail(problem);
    }
  }

  private @Nullable String take(InStream in, Block block) {
    BlockFront front = new BlockFront(block.graph(), block.index(), block.flags());
    if (front.isGivenUp()) {
      return streams.giveUp(in, front, block.text());
    }
    long bytes = block.head().byteSize() + block.body().byteSize();
    long charge = ChannelMessages.charge(bytes);
    if (charge > window.room()) {
      streams.end("its sender sent more than it was granted");
      return "more was sent than granted: window=" + window.length();
    }
    in.received += charge;
    return streams.take(in, front, bytes, () -> window.store(block, charge));
  }

  /** No lambda, as the next one: one that finds no heap where it comes first is lost for ever. */
  private record RoomLook(Inbox inbox, Room room, Exchange exchange)
      implements Function<InStream, @Nullable String> {

    @Override
    public @Nullable String apply(InStream in) {
      long granted = inbox.window.granted(in);
      if (!room.isUrgent() || granted >= room.wanted()) {
        return null;
      }
      in.endAsking(inbox.lock, ChannelMessages.ASKED_ANEW);
      in.asking = exchange.retain();
      in.wanted = room.wanted();
      in.wantsSegments = false;
      return WAITS;
    }
  }

  private record OutcomeLook(Outcome outcome, Exchange exchange)
      implements Function<InStream, @Nullable String> {

    @Override
    public @Nullable String apply(InStream in) {
      if (outcome.graph() <= in.lastGraph) {
        return null;
      }
      return in.await(outcome.graph(), exchange) ? WAITS : "too many wait for graphs";
    }
  }

  /** A sender asks whether to go on with a stream; never waits. */
  public void check(Check check, Exchange exchange) {
    answerOrWait(check.stream(), NO_GRAPH, AT_ONCE, GRANTED, UNKNOWN, exchange);
  }

  /** A sender asks for room; not inline, because the answer may have to wait for a reader. */
  public void room(Room room, Exchange exchange) {
    answerOrWait(
        room.stream(), NO_GRAPH, new RoomLook(this, room, exchange), GRANTED, UNKNOWN, exchange);
  }

  /** A sender waits for a graph to have arrived; not inline, as above. */
  public void outcome(Outcome outcome, Exchange exchange) {
    answerOrWait(
        outcome.stream(),
        outcome.graph(),
        new OutcomeLook(outcome, exchange),
        ARRIVED,
        null,
        exchange);
  }

  /**
   * Answers with what is granted now, unless the request has to wait or has a problem.
   *
   * @param graph it is no problem that the stream has ended, if all of this one had arrived before
   * @param look under the lock: null, {@link #WAITS} if the exchange was retained, or the problem
   * @param unknown the answer if the stream is unknown, unless that is a problem
   */
  private void answerOrWait(
      long streamId,
      long graph,
      Function<InStream, @Nullable String> look,
      LongFunction<Object> answer,
      @Nullable Object unknown,
      Exchange exchange) {
    String problem;
    boolean isUnknown;
    long granted = 0;
    try {
      synchronized (lock) {
        InStream in = streams.find(streamId);
        if (in != null) {
          problem = look.apply(in);
        } else {
          problem = streams.hasArrived(streamId, graph) ? null : streams.whyNone(streamId);
        }
        isUnknown = in == null && !streams.isKnown(streamId);
        granted = in == null ? 0 : window.granted(in);
      }
    } finally {
      lock.settleAtOnce();
    }
    if (problem == null) {
      exchange.reply(answer.apply(granted));
    } else if (isUnknown && unknown != null) {
      exchange.reply(unknown);
    } else if (!problem.equals(WAITS)) {
      exchange.fail(problem);
    }
  }

  // The reader.

  /** What waits to be read. */
  GraphQueue graphs() {
    return graphs;
  }

  /** Whether a graph is there, or as much of one as there is room for. */
  public boolean isReadable() {
    return graphs.isReadable();
  }

  /** Gives a piece back that was read. */
  void release(Piece piece) {
    try {
      synchronized (lock) {
        window.free(piece);
      }
    } finally {
      lock.settle();
    }
    answerAsking();
  }

  /** A sender waits for room, and there may be some. */
  private void answerAsking() {
    RetainedExchange asking = null;
    List<ReceiveSegment> reserved = List.of();
    String problem = null;
    long granted = 0;
    try {
      synchronized (lock) {
        InStream in = streams.goingOn();
        if (in != null && in.asking != null) {
          granted = window.granted(in);
          if (in.wantsSegments && carried != null) {
            reserved = carried.reserve(in, in.wanted);
            problem = reserved.isEmpty() ? carried.hopelessness() : null;
          }
          boolean isThere = in.wantsSegments ? !reserved.isEmpty() : granted >= in.wanted;
          if (isThere || problem != null) {
            asking = in.asking;
            in.asking = null;
          }
        }
      }
    } finally {
      lock.settle();
    }
    if (asking == null) {
      return;
    }
    if (carried != null && (problem != null || !reserved.isEmpty())) {
      carried.announceAtLast(asking, reserved, problem);
    } else {
      InboxLock.answer(asking, new Granted(granted));
    }
  }

  /** Ends a graph of which nothing more is wanted. */
  void discard(InboundGraph graph) {
    try {
      synchronized (lock) {
        graph.isDiscarded = true;
        if (!graph.isOpen()) {
          graphs.remove(graph);
        }
        for (Piece left = graph.pieces.poll(); left != null; left = graph.pieces.poll()) {
          window.free(left);
        }
      }
    } finally {
      lock.settle();
    }
    answerAsking();
  }

  /** Ends a graph of which nothing more can come. */
  void fail(InboundGraph graph, String reason) {
    try {
      synchronized (lock) {
        streams.fail(graph, reason);
      }
    } finally {
      lock.settle();
    }
  }

  /** Fails everybody who waits, here or at the other side. */
  public void close() {
    try {
      synchronized (lock) {
        streams.close();
        graphs.close();
        window.close(); // of which that has let go
      }
    } finally {
      lock.settle();
    }
    if (carried != null) {
      carried.close();
    }
  }
}
