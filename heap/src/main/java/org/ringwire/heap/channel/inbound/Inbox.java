package org.ringwire.heap.channel.inbound;

import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
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
  static final String NO_BLOCK = "its sender sent what is no block";
  static final String NO_MEMORY = "there was no memory for what has arrived: ";
  private static final Granted UNKNOWN = new Granted(ChannelMessages.NO_STREAM);
  private static final String WAITS = "waits"; // no problem, but no answer yet either

  private final long window;
  private final LongFunction<Decoder> decoders;
  private final Pool<Decoder> kept;
  private final InboxLock lock = new InboxLock(this::free);
  private final GraphQueue graphs;
  private final GraphMemory memory;

  private @Nullable CarriedInbox carried; // memory that blocks are written into, if there may be
  private @Nullable InStream stream;
  private long occupied;
  final EndedStream ended = new EndedStream();

  /**
   * An empty one.
   *
   * @param peer the node that sends
   * @param window bytes that may wait here
   * @param chunks memory for what waits
   * @param decoders makes one for the stream with a number
   * @param kept counts what these keep
   */
  public Inbox(
      int peer, long window, ChunkPool chunks, LongFunction<Decoder> decoders, Pool<Decoder> kept) {
    this.graphs = new GraphQueue(peer, lock.lock);
    this.window = window;
    this.decoders = decoders;
    this.kept = kept;
    this.memory = new GraphMemory(chunks);
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
    lock.lock();
    try {
      endStream("its sender began anew");
      problem = graphs.whyNoStream();
      if (problem == null) {
        stream = new InStream(open.stream(), decoders, kept);
        granted = window - occupied;
      }
    } finally {
      lock.unlockAtOnce();
    }
    if (problem != null) {
      exchange.fail(problem);
    } else {
      exchange.reply(new Opened(granted, window));
    }
  }

  /**
   * What has arrived of it as a whole stays. First what needs no heap; for the rest it is kept, and
   * ended once more by whoever comes next, if there is none.
   */
  void endStream(String reason) {
    InStream old = stream;
    if (old == null) {
      return;
    }
    if (!old.hasEnded) {
      old.end();
      graphs.ended(old);
      ended.end(old.id, reason);
      if (old.current != null) {
        lose(old, old.current, reason);
      }
    }
    old.endRequests(lock, ended.reason()); // of the first time
    List.copyOf(old.segments.values()).forEach(this::finish);
    stream = null;
  }

  private void lose(InStream in, InboundGraph graph, String reason) {
    graph.failure = reason;
    in.current = null;
    if (graph.isDiscarded) {
      graphs.remove(graph);
    }
    graphs.changed();
  }

  /** A sender has no more to write into a segment. */
  void finish(ReceiveSegment segment) {
    lock.retire(segment);
    segment.isFinal = true;
    segment.stream.segments.remove(segment.number);
  }

  InboxLock lock() {
    return lock;
  }

  /** Segments were revoked; without the lock. */
  private void free(List<ReceiveSegment> revoked) {
    lock.lock();
    try {
      for (ReceiveSegment segment : revoked) {
        if (segment.unread == 0 && carried != null && carried.recycle(segment)) {
          occupied -= segment.memory.byteSize();
        }
      }
    } finally {
      lock.unlock();
    }
    answerAsking();
  }

  /** The stream with a number, if that has not ended; with the lock, as what follows. */
  @Nullable InStream stream(long id) {
    InStream in = goingOn();
    return in == null || in.id != id ? null : in;
  }

  private @Nullable InStream goingOn() {
    if (stream != null && stream.hasEnded) {
      endStream("");
    }
    return stream;
  }

  /** Bytes of the window that are free. */
  long room() {
    return window - occupied;
  }

  void occupy(long bytes) {
    occupied += bytes;
  }

  /** A block arrives; inline, so in the order in which it was sent. */
  public void block(Block block, Exchange exchange) {
    String problem;
    long granted = 0;
    boolean isUnknown;
    RetainedExchange waiting = null;
    lock.lock();
    try {
      InStream in = stream(block.stream());
      problem = in == null ? ended.why(block.stream()) : take(in, block);
      isUnknown = in == null && !ended.isKnown(block.stream());
      if (in != null && problem == null) {
        granted = grant(in);
        if ((block.flags() & ChannelMessages.LAST) != 0) {
          waiting = in.waiting.remove(block.graph());
        }
      }
    } catch (InternalError e) {
      endStream("its sender has taken its memory away");
      throw e;
    } finally {
      lock.unlockAtOnce();
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

  private long grant(InStream in) {
    return in.received + window - occupied;
  }

  private @Nullable String take(InStream in, Block block) {
    BlockFront front = new BlockFront(block.graph(), block.index(), block.flags());
    if (front.isGivenUp()) {
      if (!in.giveUp(front, block.text())) {
        endStream(NO_BLOCK);
        return NO_BLOCK;
      }
      loseGivenUp(in); // or when all that was written before is known to be there
      return null;
    }
    long bytes = block.head().byteSize() + block.body().byteSize();
    long charge = ChannelMessages.charge(bytes);
    if (charge > room()) {
      endStream("its sender sent more than it was granted");
      return "more was sent than granted: window=" + window;
    }
    in.received += charge;
    return take(
        in,
        front,
        bytes,
        () -> {
          Piece piece = memory.add(block.head(), block.body());
          occupied += charge;
          return piece;
        });
  }

  /**
   * Puts a block in; says what is wrong with it, after which the stream has ended. With the lock.
   *
   * @param length the first of a graph has some, so that graphs take room
   * @param store makes the piece, if there is one that somebody wants
   */
  @Nullable String take(InStream in, BlockFront front, long length, Supplier<Piece> store) {
    if (front.index() == 0 && length == 0) {
      endStream(NO_BLOCK);
      return NO_BLOCK;
    }
    if (front.index() == 0 && in.current == null && front.graph() == in.lastBegun + 1) {
      InboundGraph begun = new InboundGraph(in, front.graph(), front.hasMany());
      graphs.add(begun);
      in.current = begun;
      in.lastBegun = front.graph();
    }
    InboundGraph graph = in.current;
    if (graph == null || graph.number != front.graph() || graph.blocks != front.index()) {
      endStream("blocks of it were lost");
      return "blocks of graphs were lost";
    }
    if (length > 0 && !graph.isDiscarded) {
      Piece stored = null;
      try {
        stored = store.get();
        graph.pieces.add(stored);
      } catch (InternalError e) { // what it is called for a block
        throw e;
      } catch (Throwable e) { // no memory; what comes behind this must not be taken for it
        if (stored != null) {
          free(stored);
        }
        endStream(NO_MEMORY + e);
        return NO_MEMORY + e;
      }
    }
    graph.blocks++;
    if (front.isLast()) {
      complete(in, graph);
    }
    loseGivenUp(in);
    graphs.changed();
    return null;
  }

  /** A sender says by message that it gives up, maybe before the notice of what it wrote comes. */
  private void loseGivenUp(InStream in) {
    InboundGraph graph = in.current;
    String reason = graph == null ? null : in.whyGivenUp(graph);
    if (graph != null && reason != null) {
      in.endAsking(lock, "the graph was given up");
      lose(in, graph, graphs.givenUp(graph, reason));
    }
  }

  private void complete(InStream in, InboundGraph graph) {
    graph.isComplete = true;
    in.current = null;
    in.lastGraph = graph.number;
    if (graph.isDiscarded) {
      graphs.remove(graph);
    }
  }

  /** A sender asks whether to go on with a stream; never waits. */
  public void check(Check check, Exchange exchange) {
    answerOrWait(check.stream(), _ -> null, Granted::new, UNKNOWN, exchange);
  }

  /** A sender asks for room; not inline, because the answer may have to wait for a reader. */
  public void room(Room room, Exchange exchange) {
    answerOrWait(
        room.stream(),
        in -> {
          long granted = grant(in);
          if (!room.isUrgent() || granted >= room.wanted()) {
            return null;
          }
          in.endAsking(lock, InStream.ASKED_ANEW);
          in.asking = exchange.retain();
          in.wanted = room.wanted();
          in.wantsSegments = false;
          return WAITS;
        },
        Granted::new,
        UNKNOWN,
        exchange);
  }

  /** A sender waits for a graph to have arrived; not inline, as above. */
  public void outcome(Outcome outcome, Exchange exchange) {
    answerOrWait(
        outcome.stream(),
        in -> {
          if (outcome.graph() <= in.lastGraph) {
            return null;
          }
          return in.await(outcome.graph(), exchange) ? WAITS : "too many wait for graphs";
        },
        Arrived::new,
        null,
        exchange);
  }

  /**
   * Answers with what is granted now, unless the request has to wait or has a problem.
   *
   * @param look under the lock: null, {@link #WAITS} if the exchange was retained, or the problem
   * @param unknown the answer if the stream is unknown, unless that is a problem
   */
  private void answerOrWait(
      long streamId,
      Function<InStream, @Nullable String> look,
      LongFunction<Object> answer,
      @Nullable Object unknown,
      Exchange exchange) {
    String problem;
    boolean isUnknown;
    long granted = 0;
    lock.lock();
    try {
      InStream in = stream(streamId);
      problem = in == null ? ended.why(streamId) : look.apply(in);
      isUnknown = in == null && !ended.isKnown(streamId);
      granted = in == null ? 0 : grant(in);
    } finally {
      lock.unlockAtOnce();
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
    lock.lock();
    try {
      free(piece);
    } finally {
      lock.unlock();
    }
    answerAsking();
  }

  private void free(Piece piece) {
    switch (piece.home()) {
      case GraphMemory.Chunk chunk -> {
        occupied -= ChannelMessages.charge(piece.bytes().byteSize());
        memory.release(chunk);
      }
      case ReceiveSegment segment -> {
        if (--segment.unread == 0 && segment.isFinal) {
          lock.retire(segment);
        }
      }
    }
  }

  /** A sender waits for room, and there may be some. */
  private void answerAsking() {
    RetainedExchange asking = null;
    List<ReceiveSegment> reserved = List.of();
    String problem = null;
    long granted = 0;
    lock.lock();
    try {
      InStream in = goingOn();
      if (in != null && in.asking != null) {
        granted = grant(in);
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
    } finally {
      lock.unlock();
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
    lock.lock();
    try {
      graph.isDiscarded = true;
      if (!graph.isOpen()) {
        graphs.remove(graph);
      }
      for (Piece left = graph.pieces.poll(); left != null; left = graph.pieces.poll()) {
        free(left);
      }
    } finally {
      lock.unlock();
    }
    answerAsking();
  }

  /** Ends a graph of which nothing more can come. */
  void fail(InboundGraph graph, String reason) {
    lock.lock();
    try {
      if (graph.isOpen() && stream != null && stream.current == graph) {
        endStream(reason);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Fails everybody who waits, here or at the other side. */
  public void close() {
    lock.lock();
    try {
      endStream(EndedStream.CLOSED);
      ended.close();
      graphs.close();
    } finally {
      lock.unlock();
    }
    if (carried != null) {
      carried.close();
    }
  }
}
