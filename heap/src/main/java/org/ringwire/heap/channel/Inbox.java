package org.ringwire.heap.channel;

import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.ringwire.Exchange;
import org.ringwire.RetainedExchange;
import org.ringwire.WaitInterruptedException;
import org.ringwire.heap.ChannelTimeoutException;
import org.ringwire.heap.channel.ChannelMessages.Arrived;
import org.ringwire.heap.channel.ChannelMessages.Block;
import org.ringwire.heap.channel.ChannelMessages.Granted;
import org.ringwire.heap.channel.ChannelMessages.Open;
import org.ringwire.heap.channel.ChannelMessages.Opened;
import org.ringwire.heap.channel.ChannelMessages.Outcome;
import org.ringwire.heap.channel.ChannelMessages.Room;
import org.ringwire.heap.image.Decoder;

/**
 * What one node has sent and nobody has read yet. Handlers of the node put in, on whatever thread
 * reads from the network; one reader at a time takes out.
 *
 * <p>Everything is guarded by one lock, which is held to copy a block, never while a graph is
 * decoded, and never while an answer is sent. A piece belongs to the reader from {@link #poll} to
 * {@link #release}; only then is its room granted again. So never more than the window is occupied,
 * whatever a sender does: what goes beyond it is refused, and fails the graph.
 */
public final class Inbox {
  private static final int MAX_WAITING = 1 << 16;
  private static final String ENDED = "the stream has ended";

  /** No problem, but no answer yet either. */
  private static final String WAITS = "waits";

  private final int peer;
  private final long window;
  private final LongFunction<Decoder> decoders;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<InboundGraph> graphs = new ArrayDeque<>();
  private final GraphMemory memory;

  /** Requests that nobody will answer, to be ended without the lock. */
  private final List<RetainedExchange> ended = new ArrayList<>();

  private @Nullable InStream stream;
  private long occupied;
  private boolean isClosed;

  /**
   * An empty one.
   *
   * @param peer the node that sends
   * @param window bytes that may wait here
   * @param chunkBytes bytes of memory that is allocated at once
   * @param decoders makes one for the stream with a number
   */
  public Inbox(int peer, long window, int chunkBytes, LongFunction<Decoder> decoders) {
    this.peer = peer;
    this.window = window;
    this.decoders = decoders;
    this.memory = new GraphMemory(chunkBytes);
  }

  // Handlers.

  /** A stream begins, and revokes what the one before was granted. */
  public void open(Open open, Exchange exchange) {
    if (open.version() != ChannelMessages.VERSION) {
      exchange.fail(
          "heap channels of another version: version="
              + open.version()
              + " here="
              + ChannelMessages.VERSION);
      return;
    }
    Decoder decoder = decoders.apply(open.stream());
    long granted = -1;
    lock.lock();
    try {
      endStream("its sender began anew");
      if (!isClosed) {
        stream = new InStream(open.stream(), decoder);
        granted = window - occupied;
      }
    } finally {
      unlock();
    }
    if (granted < 0) {
      exchange.fail("the heap channels of the node are closed");
    } else {
      exchange.reply(new Opened(granted, window));
    }
  }

  /** What has arrived of it as a whole stays. */
  private void endStream(String reason) {
    InStream old = stream;
    stream = null;
    if (old == null) {
      return;
    }
    if (old.current != null) {
      lose(old, old.current, reason);
    }
    ended.addAll(old.waiting.values());
    old.waiting.clear();
    endAsking(old);
  }

  private void endAsking(InStream in) {
    if (in.asking != null) {
      ended.add(in.asking);
      in.asking = null;
    }
  }

  private void lose(InStream in, InboundGraph graph, String reason) {
    graph.failure = reason;
    in.current = null;
    if (graph.isDiscarded) {
      graphs.remove(graph);
    }
    changed.signalAll();
  }

  /** Releases the lock, and then ends requests that nobody will answer. */
  private void unlock() {
    List<RetainedExchange> unanswered = ended.isEmpty() ? List.of() : List.copyOf(ended);
    ended.clear();
    lock.unlock();
    unanswered.forEach(RetainedExchange::close);
  }

  /** A block arrives; inline, so in the order in which it was sent. */
  public void block(Block block, Exchange exchange) {
    String problem;
    long granted = 0;
    RetainedExchange waiting = null;
    lock.lock();
    try {
      InStream in = stream;
      problem = in == null || in.id != block.stream() ? ENDED : take(in, block);
      if (in != null && problem == null) {
        granted = grant(in);
        if ((block.flags() & ChannelMessages.LAST) != 0) {
          waiting = in.waiting.remove(block.graph());
        }
      }
    } finally {
      unlock();
    }
    if (waiting != null) {
      answer(waiting, new Arrived(granted));
    }
    if (!exchange.isRequest()) {
      return;
    }
    if (problem == null) {
      exchange.reply(new Arrived(granted));
    } else {
      exchange.fail(problem);
    }
  }

  private long grant(InStream in) {
    return in.received + window - occupied;
  }

  /** Puts a block in; says what is wrong with it, after which the stream has ended. */
  private @Nullable String take(InStream in, Block block) {
    if (block.index() == 0 && in.current == null && block.graph() == in.lastBegun + 1) {
      in.current = new InboundGraph(in, block.graph(), (block.flags() & ChannelMessages.MANY) != 0);
      in.lastBegun = block.graph();
      graphs.addLast(in.current);
    }
    InboundGraph graph = in.current;
    if (graph == null || graph.number != block.graph() || graph.blocks != block.index()) {
      endStream("blocks of it were lost");
      return "blocks of graphs were lost";
    }
    if ((block.flags() & ChannelMessages.GIVEN_UP) != 0) {
      endAsking(in);
      lose(in, graph, "its sender gave it up: " + text(block));
      return null;
    }
    long bytes = block.head().byteSize() + block.body().byteSize();
    if (ChannelMessages.charge(bytes) > window - occupied) {
      endStream("its sender sent more than it was granted");
      return "more was sent than granted: window=" + window;
    }
    graph.blocks++;
    in.received += ChannelMessages.charge(bytes);
    if (bytes > 0 && !graph.isDiscarded) {
      graph.pieces.add(memory.add(block.head(), block.body()));
      occupied += ChannelMessages.charge(bytes);
    }
    if ((block.flags() & ChannelMessages.LAST) != 0) {
      complete(in, graph);
    }
    changed.signalAll();
    return null;
  }

  private void complete(InStream in, InboundGraph graph) {
    graph.isComplete = true;
    in.current = null;
    in.lastGraph = graph.number;
    if (graph.isDiscarded) {
      graphs.remove(graph);
    }
  }

  private static String text(Block block) {
    return new String(block.head().toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
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
          endAsking(in); // its sender has given up waiting for that
          in.asking = exchange.retain();
          in.wanted = room.wanted();
          return WAITS;
        },
        Granted::new,
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
          if (in.waiting.size() >= MAX_WAITING || in.waiting.containsKey(outcome.graph())) {
            return "too many wait for graphs";
          }
          in.waiting.put(outcome.graph(), exchange.retain());
          return WAITS;
        },
        Arrived::new,
        exchange);
  }

  /**
   * Answers with what is granted now, unless the request has to wait or has a problem.
   *
   * @param look under the lock: null, {@link #WAITS} if the exchange was retained, or the problem
   */
  private void answerOrWait(
      long streamId,
      Function<InStream, @Nullable String> look,
      LongFunction<Object> answer,
      Exchange exchange) {
    String problem = ENDED;
    long granted = 0;
    lock.lock();
    try {
      InStream in = stream;
      if (in != null && in.id == streamId) {
        problem = look.apply(in);
        granted = grant(in);
      }
    } finally {
      unlock();
    }
    if (problem == null) {
      exchange.reply(answer.apply(granted));
    } else if (!problem.equals(WAITS)) {
      exchange.fail(problem);
    }
  }

  private static void answer(RetainedExchange exchange, Object response) {
    try (exchange) {
      exchange.reply(response);
    }
  }

  // The reader.

  /** Whether a graph is there, or as much of one as there is room for. */
  public boolean isReadable() {
    lock.lock();
    try {
      InboundGraph first = graphs.peekFirst();
      return first != null && (!first.isOpen() || first.stream.asking != null);
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the first graph, or the beginning of it. */
  InboundGraph first(long deadlineNs) {
    lock.lock();
    try {
      InboundGraph first = firstWanted();
      while (first == null) {
        long leftNs = deadlineNs - System.nanoTime();
        if (leftNs <= 0) {
          throw new ChannelTimeoutException("no graph came in time: nodeId=" + peer);
        }
        await(leftNs);
        first = firstWanted();
      }
      return first;
    } finally {
      lock.unlock();
    }
  }

  /** What is still arriving although nobody wants it is in front. */
  private @Nullable InboundGraph firstWanted() {
    requireOpen();
    for (InboundGraph graph : graphs) {
      if (!graph.isDiscarded) {
        return graph;
      }
    }
    return null;
  }

  @SuppressWarnings("WaitNotInLoop") // its callers loop
  private void await(long leftNs) {
    try {
      changed.awaitNanos(leftNs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WaitInterruptedException("interrupted while waiting for a graph", e);
    }
    requireOpen();
  }

  private void requireOpen() {
    if (isClosed) {
      throw new IllegalStateException("the heap channels of the node are closed");
    }
  }

  /**
   * Takes a piece of a graph, if there is one within some time.
   *
   * @return null if there is none, but may be
   */
  GraphMemory.@Nullable Piece poll(InboundGraph graph, long waitNs) {
    lock.lock();
    try {
      long deadlineNs = System.nanoTime() + waitNs;
      while (graph.pieces.isEmpty() && graph.isOpen()) {
        long leftNs = deadlineNs - System.nanoTime();
        if (leftNs <= 0) {
          return null;
        }
        await(leftNs);
      }
      return graph.pieces.poll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether all of a graph was taken that will ever be there. */
  boolean isOver(InboundGraph graph) {
    lock.lock();
    try {
      return graph.pieces.isEmpty() && !graph.isOpen();
    } finally {
      lock.unlock();
    }
  }

  /** Gives a piece back that was read. */
  void release(GraphMemory.Piece piece) {
    InStream in;
    RetainedExchange asking = null;
    long granted = 0;
    lock.lock();
    try {
      free(piece);
      in = stream;
      if (in != null && in.asking != null && grant(in) >= in.wanted) {
        asking = in.asking;
        in.asking = null;
        granted = grant(in);
      }
    } finally {
      lock.unlock();
    }
    if (asking != null) {
      answer(asking, new Granted(granted));
    }
  }

  private void free(GraphMemory.Piece piece) {
    occupied -= ChannelMessages.charge(piece.bytes().byteSize());
    memory.release(piece);
  }

  /** Ends a graph of which nothing more is wanted. */
  void discard(InboundGraph graph) {
    List<GraphMemory.Piece> unread = new ArrayList<>();
    lock.lock();
    try {
      graph.isDiscarded = true;
      if (!graph.isOpen()) {
        graphs.remove(graph);
      }
      unread.addAll(graph.pieces);
      graph.pieces.clear();
    } finally {
      lock.unlock();
    }
    unread.forEach(this::release);
  }

  /** Ends a graph of which nothing more can come. */
  void fail(InboundGraph graph, String reason) {
    lock.lock();
    try {
      if (graph.isOpen()) {
        InStream in = stream;
        if (in != null && in.current == graph) {
          endStream(reason);
        }
      }
    } finally {
      unlock();
    }
  }

  /** Fails everybody who waits, here or at the other side. */
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      endStream("the heap channels were closed");
      changed.signalAll();
    } finally {
      unlock();
    }
  }

  /** Of a wait that is bounded by a timeout: when it is over. */
  static long deadline(Duration timeout) {
    return System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
  }
}
