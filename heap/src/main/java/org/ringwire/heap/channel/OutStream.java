package org.ringwire.heap.channel;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.RemoteHandlerException;
import org.ringwire.RequestTimeoutException;
import org.ringwire.heap.ChannelTimeoutException;
import org.ringwire.heap.GraphLostException;
import org.ringwire.heap.channel.ChannelMessages.Arrived;
import org.ringwire.heap.channel.ChannelMessages.Block;
import org.ringwire.heap.channel.ChannelMessages.Granted;
import org.ringwire.heap.channel.ChannelMessages.Open;
import org.ringwire.heap.channel.ChannelMessages.Opened;
import org.ringwire.heap.channel.ChannelMessages.Outcome;
import org.ringwire.heap.channel.ChannelMessages.Room;
import org.ringwire.heap.image.DeclaredClasses;
import org.ringwire.heap.image.Encoder;

/**
 * A stream at its sender: hands the blocks of graphs to the node, as far as the receiver has
 * granted room. For one thread at a time, but for what is marked.
 *
 * <p>The stream asks for room ahead of its need, when half of the window is used, so that a
 * receiver that reads is never waited for.
 */
final class OutStream implements Encoder.BlockSink {
  private static final int WINDOW_PARTS = 4;
  private static final int REASON_LENGTH = 500;

  /** Any thread. */
  final long id;

  /** Any thread. */
  final DeclaredClasses classes = new DeclaredClasses();

  private final Node node;
  private final int peer;
  private final Duration timeout;
  private final Encoder encoder;
  private int blockBytes;
  private long window;
  private long granted;
  private long sent;
  private @Nullable CompletableFuture<Granted> asked;
  private final ArrayDeque<CompletableFuture<Arrived>> outcomes = new ArrayDeque<>();
  private long graph;
  private int index;
  private int graphFlags;
  private boolean waits;
  private boolean isBroken;

  /** The graph that is being written, or 0; written by one thread, read by any. */
  private volatile long writing;

  OutStream(
      Node node, int peer, long id, Duration timeout, Function<DeclaredClasses, Encoder> encoders) {
    this.node = node;
    this.peer = peer;
    this.id = id;
    this.timeout = timeout;
    this.encoder = encoders.apply(classes);
  }

  /** Begins; at most so many bytes are put into a block. */
  void open(int mostBlockBytes) {
    isBroken = true; // until it is open
    Opened opened;
    try {
      opened = node.request(peer, new Open(id, ChannelMessages.VERSION), Opened.class, timeout);
    } catch (RemoteHandlerException e) {
      throw new GraphLostException(
          "the node takes no graphs; does it have heap channels? nodeId="
              + peer
              + ": "
              + e.getMessage(),
          e);
    } catch (RequestTimeoutException e) {
      throw late(e);
    }
    window = opened.window();
    granted = opened.granted();
    long most = window / WINDOW_PARTS - ChannelMessages.charge(0);
    if (most <= 0) {
      throw new GraphLostException("the window of the node is too small: window=" + window);
    }
    blockBytes = (int) Math.min(mostBlockBytes, most);
    isBroken = false;
  }

  /** Whether something of it was lost, so that a new one is needed. */
  boolean isBroken() {
    while (!isBroken && !outcomes.isEmpty() && outcomes.getFirst().isDone()) {
      isBroken = outcomes.removeFirst().isCompletedExceptionally();
    }
    return isBroken;
  }

  /** Asks for the outcome of a graph that was written. */
  CompletableFuture<Arrived> outcome(long number) {
    CompletableFuture<Arrived> outcome =
        node.requestAsync(peer, new Outcome(id, number), Arrived.class, timeout);
    outcomes.addLast(outcome);
    return outcome;
  }

  /** Whether a graph is being written. Any thread. */
  boolean isWriting(long number) {
    return writing == number;
  }

  /**
   * Writes a graph, or several as one.
   *
   * @param waitsForArrival whether this returns only when the receiver has all of it
   * @return its number
   */
  long write(@Nullable Object object, boolean isMany, boolean waitsForArrival) {
    graph++;
    index = 0;
    graphFlags = isMany ? ChannelMessages.MANY : 0;
    waits = waitsForArrival;
    writing = graph;
    try {
      if (isMany && object instanceof Iterable<?> all) {
        encoder.streamAll(all, blockBytes, this);
      } else {
        encoder.stream(object, blockBytes, this);
      }
      return graph;
    } catch (RuntimeException | Error e) {
      if (index == 0) {
        graph--; // nobody has heard of it
      } else if (!isBroken) {
        giveUp(e);
      }
      throw e;
    } finally {
      writing = 0;
    }
  }

  private void giveUp(Throwable cause) {
    String reason = String.valueOf(cause);
    String shortened = reason.substring(0, Math.min(REASON_LENGTH, reason.length()));
    MemorySegment text = MemorySegment.ofArray(shortened.getBytes(UTF_8));
    try {
      Block end = new Block(id, graph, index, ChannelMessages.GIVEN_UP, text, MemorySegment.NULL);
      node.send(peer, end, timeout);
    } catch (MessagingException e) {
      isBroken = true;
      cause.addSuppressed(e);
    }
  }

  @Override
  public void accept(MemorySegment head, @Nullable MemorySegment body, boolean isLast) {
    long length = head.byteSize();
    if (body != null) {
      send(head, body, isLast);
      return;
    }
    long at = 0;
    while (length - at > blockBytes) { // one piece of the graph is longer than a block
      send(head.asSlice(at, blockBytes), MemorySegment.NULL, false);
      at += blockBytes;
    }
    send(head.asSlice(at), MemorySegment.NULL, isLast);
  }

  private void send(MemorySegment head, MemorySegment body, boolean isLast) {
    int flags = graphFlags | (isLast ? ChannelMessages.LAST : 0);
    long charge = ChannelMessages.charge(head.byteSize() + body.byteSize());
    Block block = new Block(id, graph, index, flags, head, body);
    awaitRoom(charge);
    try {
      if (isLast && waits) {
        Arrived arrived = node.request(peer, block, Arrived.class, timeout);
        granted = Math.max(granted, arrived.granted());
      } else {
        node.send(peer, block, timeout);
      }
    } catch (RemoteHandlerException e) {
      isBroken = true;
      throw lost(e);
    } catch (RequestTimeoutException e) {
      isBroken = true;
      throw late(e);
    } catch (RuntimeException | Error e) {
      isBroken = true;
      throw e;
    }
    sent += charge;
    index++;
  }

  private ChannelTimeoutException late(RequestTimeoutException cause) {
    return new ChannelTimeoutException(
        "the node did not answer in time: nodeId=" + peer + " timeout=" + timeout, cause);
  }

  private GraphLostException lost(RemoteHandlerException cause) {
    return new GraphLostException(
        "a graph is lost: nodeId=" + peer + ": " + cause.getMessage(), cause);
  }

  private void awaitRoom(long charge) {
    CompletableFuture<Granted> request = asked;
    if (request != null && request.isDone()) {
      asked = null;
      if (!request.isCompletedExceptionally()) { // else what is sent next fails, too
        granted = Math.max(granted, request.resultNow().granted());
      }
    }
    if (sent + charge > granted) {
      awaitGrant(sent + charge);
    } else if (asked == null && sent + charge > granted - window / 2) {
      asked = node.requestAsync(peer, new Room(id, 0, false), Granted.class, timeout);
    }
  }

  private void awaitGrant(long wanted) {
    try {
      Granted answer = node.request(peer, new Room(id, wanted, true), Granted.class, timeout);
      granted = Math.max(granted, answer.granted());
    } catch (RequestTimeoutException e) { // the stream is as it was
      throw new ChannelTimeoutException(
          "the node has not read in time, and has no room for a graph: nodeId="
              + peer
              + " timeout="
              + timeout,
          e);
    } catch (RemoteHandlerException e) {
      isBroken = true;
      throw lost(e);
    } catch (RuntimeException | Error e) {
      isBroken = true;
      throw e;
    }
    if (granted < wanted) {
      isBroken = true;
      throw new GraphLostException("the node grants less than it was asked for: nodeId=" + peer);
    }
  }
}
