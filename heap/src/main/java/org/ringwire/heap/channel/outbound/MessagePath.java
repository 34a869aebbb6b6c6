package org.ringwire.heap.channel.outbound;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.ChannelTimeoutException;
import org.ringwire.heap.GraphLostException;
import org.ringwire.heap.channel.ChannelMessages;
import org.ringwire.heap.channel.ChannelMessages.Arrived;
import org.ringwire.heap.channel.ChannelMessages.Block;
import org.ringwire.heap.channel.ChannelMessages.Granted;
import org.ringwire.heap.channel.ChannelMessages.Opened;
import org.ringwire.heap.channel.ChannelMessages.Outcome;
import org.ringwire.heap.channel.ChannelMessages.Room;
import org.ringwire.heap.channel.ChannelsClosedException;

/**
 * Blocks as messages of the node, as far as the receiver has granted room. It asks for room ahead
 * of its need, when half of the window is used, so that a receiver that reads is never waited for.
 */
final class MessagePath implements BlockPath {
  private static final int WINDOW_PARTS = 4;

  private static final CompletableFuture<Object> NOTHING = CompletableFuture.completedFuture("");

  private final SenderEnd end;
  private final int blockBytes;
  private final long window;
  private long granted;
  private long sent;
  private @Nullable CompletableFuture<Granted> asked;
  private final ArrayDeque<CompletableFuture<Arrived>> outcomes = new ArrayDeque<>();
  private long graph;
  private int index;
  private int graphFlags;
  private boolean hasFailed;

  /** Of a graph that the node has, and the receiver may not: ends with its outcome. */
  private CompletableFuture<Object> arriving = NOTHING;

  /** At most so many bytes are put into a block. */
  MessagePath(SenderEnd end, Opened opened, int mostBlockBytes) {
    this.end = end;
    this.window = opened.window();
    this.granted = opened.granted();
    long most = window / WINDOW_PARTS - ChannelMessages.charge(0);
    if (most <= 0) {
      throw new GraphLostException("the window of the node is too small: window=" + window);
    }
    this.blockBytes = (int) Math.min(mostBlockBytes, most);
  }

  @Override
  public int blockBytes() {
    return blockBytes;
  }

  @Override
  public void begin(long number, int flags) {
    graph = number;
    graphFlags = flags;
    index = 0;
    arriving = NOTHING;
  }

  @Override
  public void send(MemorySegment head, MemorySegment body, boolean isLast, boolean waits) {
    long length = head.byteSize();
    long at = 0;
    while (length - at > blockBytes) { // one piece of the graph is longer than a block
      block(head.asSlice(at, blockBytes), MemorySegment.NULL, 0, false);
      at += blockBytes;
    }
    block(head.asSlice(at), body, isLast ? ChannelMessages.LAST : 0, waits);
  }

  private void block(MemorySegment head, MemorySegment body, int flags, boolean waits) {
    long charge = ChannelMessages.charge(head.byteSize() + body.byteSize());
    Block block = new Block(end.stream(), graph, index, graphFlags | flags, head, body);
    awaitRoom(charge);
    hasFailed = true; // until it is sent
    if (flags != 0 && waits) {
      granted = Math.max(granted, end.known(end.request(block, Arrived.class).granted()));
    } else {
      end.send(block);
      arriving = flags != 0 ? new CompletableFuture<>() : NOTHING;
    }
    hasFailed = false;
    sent += charge;
    index++;
  }

  private void awaitRoom(long charge) {
    CompletableFuture<Granted> request = asked;
    if (request != null && request.isDone()) {
      asked = null;
      if (!request.isCompletedExceptionally()) { // else what is sent next fails, too
        grant(request.resultNow());
      }
    }
    if (sent + charge > granted) {
      awaitGrant(sent + charge);
    } else if (asked == null && sent + charge > granted - window / 2) {
      asked = end.requestAsync(new Room(end.stream(), 0, false), Granted.class);
    }
  }

  private void awaitGrant(long wanted) {
    try {
      Room room = new Room(end.stream(), wanted, true);
      grant(end.requestRoom(room, Granted.class));
    } catch (ChannelTimeoutException | ChannelsClosedException e) {
      throw e; // the stream is as it was
    } catch (Throwable e) { // declared or not
      hasFailed = true;
      throw e;
    }
    if (granted < wanted) {
      hasFailed = true;
      throw new GraphLostException(
          "the node grants less than it was asked for: nodeId=" + end.peer());
    }
  }

  private void grant(Granted answer) {
    hasFailed |= answer.granted() == ChannelMessages.NO_STREAM;
    granted = Math.max(granted, end.known(answer.granted()));
  }

  @Override
  public int blocks() {
    return index;
  }

  @Override
  public CompletableFuture<?> giveUp(Block message) {
    end.send(message);
    return NOTHING;
  }

  @Override
  public CompletableFuture<?> outcome(long number) {
    CompletableFuture<Object> isKnown = arriving;
    try {
      CompletableFuture<Arrived> outcome =
          end.requestAsync(new Outcome(end.stream(), number), Arrived.class);
      Object _ = outcome.whenComplete((_, _) -> isKnown.complete(""));
      outcomes.addLast(outcome);
      return outcome;
    } catch (Throwable e) { // declared or not
      isKnown.cancel(false);
      throw e;
    }
  }

  /** Blocks wait in the node for their turn, and answers to the receiver may not. */
  @Override
  public CompletableFuture<?> underWay() {
    return arriving;
  }

  @Override
  public boolean hasFailed() {
    while (!hasFailed && !outcomes.isEmpty() && outcomes.getFirst().isDone()) {
      hasFailed = outcomes.removeFirst().isCompletedExceptionally();
    }
    return hasFailed;
  }

  @Override
  public void close() {
    outcomes.clear();
  }
}
