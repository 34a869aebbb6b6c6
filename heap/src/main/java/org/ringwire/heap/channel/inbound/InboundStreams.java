package org.ringwire.heap.channel.inbound;

import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.channel.BlockFront;
import org.ringwire.heap.image.Decoder;
import org.ringwire.heap.image.Pool;

/**
 * The streams of one sender, of which one at a time goes on: how it begins, which blocks belong to
 * which of its graphs, and how it ends. Blocks come in order or not at all, so one that is not the
 * next ends its stream, whichever way it has come. Guarded by the lock of the {@link Inbox}, which
 * whoever calls has; what an end leaves to be done without it is left to the lock.
 */
final class InboundStreams {
  static final String NO_BLOCK = "its sender sent what is no block";
  static final String NO_MEMORY = "there was no memory for what has arrived: ";

  private final InboxLock lock;
  private final GraphQueue graphs;
  private final ReceiveWindow window;
  private final LongFunction<Decoder> decoders;
  private final Pool<Decoder> kept;
  private final EndedStream ended = new EndedStream();
  private @Nullable InStream stream;

  /**
   * None yet.
   *
   * @param graphs where those that arrive wait to be read
   * @param window where their pieces are
   * @param decoders makes one for the stream with a number
   * @param kept counts what these keep
   */
  InboundStreams(
      InboxLock lock,
      GraphQueue graphs,
      ReceiveWindow window,
      LongFunction<Decoder> decoders,
      Pool<Decoder> kept) {
    this.lock = lock;
    this.graphs = graphs;
    this.window = window;
    this.decoders = decoders;
    this.kept = kept;
  }

  /** One begins, and the one before has ended; says why not, unless it does. */
  @Nullable String begin(long id) {
    end("its sender began anew");
    String problem = graphs.whyNoStream();
    if (problem == null) {
      stream = new InStream(id, decoders, kept);
    }
    return problem;
  }

  /** That with a number, if it has not ended. */
  @Nullable InStream find(long id) {
    InStream in = goingOn();
    return in == null || in.id != id ? null : in;
  }

  /** The one that has not ended, if there is one. */
  @Nullable InStream goingOn() {
    if (stream != null && stream.hasEnded) {
      end("");
    }
    return stream;
  }

  /** What to tell who goes on with a stream that is not there. */
  String whyNone(long id) {
    return ended.why(id);
  }

  /** Whether there was all of a graph of a stream that is not there any more. */
  boolean hasArrived(long id, long graph) {
    return ended.hasArrived(id, graph);
  }

  /** Whether a stream that is not there was there last; else nothing of it was taken. */
  boolean isKnown(long id) {
    return ended.isKnown(id);
  }

  // The graphs of the stream.

  /**
   * Puts a block in; says what is wrong with it, after which the stream has ended.
   *
   * @param length the first of a graph has some, so that graphs take room
   * @param store makes the piece, if there is one that somebody wants
   */
  @Nullable String take(InStream in, BlockFront front, long length, Supplier<Piece> store) {
    if (front.index() == 0 && length == 0) {
      end(NO_BLOCK);
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
      end("blocks of it were lost");
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
          window.free(stored);
        }
        end(NO_MEMORY + e);
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

  /**
   * The sender gives a graph up; says what is wrong with that, after which the stream has ended.
   */
  @Nullable String giveUp(InStream in, BlockFront front, String reason) {
    if (!in.giveUp(front, reason)) {
      end(NO_BLOCK);
      return NO_BLOCK;
    }
    in.endAsking(lock, "the graph was given up"); // now: what it asks for later is for the next
    loseGivenUp(in); // or when all that was written before is known to be there
    return null;
  }

  /** A sender says by message that it gives up, maybe before the notice of what it wrote comes. */
  private void loseGivenUp(InStream in) {
    InboundGraph graph = in.current;
    String reason = graph == null ? null : in.whyGivenUp(graph);
    if (graph != null && reason != null) {
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

  private void lose(InStream in, InboundGraph graph, String reason) {
    graph.failure = reason;
    in.current = null;
    if (graph.isDiscarded) {
      graphs.remove(graph);
    }
    graphs.changed();
  }

  // The end.

  /**
   * What has arrived of the stream as a whole stays. First what needs no heap; for the rest it is
   * kept, and ended once more by whoever comes next, if there is none.
   */
  void end(String reason) {
    InStream old = stream;
    if (old == null) {
      return;
    }
    if (!old.hasEnded) {
      old.end();
      graphs.ended(old);
      ended.end(old.id, old.lastGraph, reason);
      if (old.current != null) {
        lose(old, old.current, reason);
      }
    }
    old.endRequests(lock, ended.reason()); // of the first time
    for (ReceiveSegment each : List.copyOf(old.segments.values())) {
      finish(each);
    }
    stream = null;
  }

  /** Nothing more comes of a graph: ends its stream, if there should. */
  void fail(InboundGraph graph, String reason) {
    if (graph.isOpen() && stream != null && stream.current == graph) {
      end(reason);
    }
  }

  /** A sender has no more to write into a segment. */
  void finish(ReceiveSegment segment) {
    lock.retire(segment);
    segment.isFinal = true;
    segment.stream.segments.remove(segment.number);
  }

  /** Ends the one that goes on; none begins any more. */
  void close() {
    end(EndedStream.CLOSED);
    ended.close();
  }
}
