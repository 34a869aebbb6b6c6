package org.ringwire.heap.channel.outbound;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.heap.BlockCarrier;
import org.ringwire.heap.BlockCarrier.Target;
import org.ringwire.heap.ChannelTimeoutException;
import org.ringwire.heap.GraphLostException;
import org.ringwire.heap.channel.BlockFront;
import org.ringwire.heap.channel.CarriedBlock;
import org.ringwire.heap.channel.ChannelMessages;
import org.ringwire.heap.channel.ChannelMessages.Announced;
import org.ringwire.heap.channel.ChannelMessages.Arrived;
import org.ringwire.heap.channel.ChannelMessages.Block;
import org.ringwire.heap.channel.ChannelMessages.HeapRequest;
import org.ringwire.heap.channel.ChannelMessages.Offer;
import org.ringwire.heap.channel.ChannelMessages.Truncate;
import org.ringwire.heap.channel.ChannelMessages.Truncated;
import org.ringwire.heap.channel.ChannelsClosedException;

/**
 * Blocks that are written into memory which the receiver has announced, one segment after the
 * other, each from its start to its end. The receiver is asked for more before there is none, for
 * as much again as the graph has had so far; what a graph has not used goes back after it, but for
 * one segment.
 */
final class CarriedPath implements BlockPath {
  private static final int STAGED_BLOCKS = 4;
  private static final int MOST_AHEAD = 4;
  private static final int KEPT = 1;

  private final SenderEnd end;
  private final BlockCarrier carrier;
  private final long window;
  private final int blockBytes;
  private final StagingRing staging;
  private final ArrayDeque<Announcement> next = new ArrayDeque<>();
  private @Nullable Announcement current;
  private long filled;
  private @Nullable CompletableFuture<Announced> asked;

  /** Request that no graph waits for: who empties this has its answer. */
  private final AtomicReference<@Nullable CompletableFuture<Announced>> unclaimed =
      new AtomicReference<>();

  private boolean isUnclaimed;
  private int known;
  private boolean wasDenied;
  private long graph;
  private long graphBytes;
  private int index;
  private int graphFlags;
  private boolean hasFailed;

  /** A segment of the receiver. */
  private record Announcement(int number, long length, Target target) {}

  private CarriedPath(SenderEnd end, BlockCarrier carrier, long window, int mostBlockBytes) {
    this.end = end;
    this.carrier = carrier;
    this.window = window;
    this.blockBytes = (int) Math.min(mostBlockBytes, CarriedBlock.LONGEST_SEGMENT);
    long room = CarriedBlock.end(0, blockBytes);
    this.staging = new StagingRing(end, STAGED_BLOCKS * room);
  }

  /**
   * Asks for the first segment.
   *
   * @return null if the receiver has no such carrier
   */
  static @Nullable CarriedPath open(
      SenderEnd end, BlockCarrier carrier, long window, int mostBlockBytes) {
    HeapRequest first = new HeapRequest(end.stream(), carrier.kind(), 1, false, 0);
    Announced announced = end.request(first, Announced.class);
    if (!announced.isPossible()) {
      return null;
    }
    CarriedPath path = new CarriedPath(end, carrier, window, mostBlockBytes);
    try {
      carrier.prepare(path.staging.memory());
      path.accept(announced);
      return path;
    } catch (Throwable e) { // declared or not
      path.close();
      throw e;
    }
  }

  @Override
  public int blockBytes() {
    return blockBytes;
  }

  @Override
  public void begin(long number, int flags) {
    graph = number;
    graphFlags = flags;
    graphBytes = 0;
    index = 0;
    if (isUnclaimed && unclaimed.getAndSet(null) == null) {
      asked = null; // its answer has come, and what it announced was given back
    }
    isUnclaimed = false;
  }

  @Override
  public void send(MemorySegment head, MemorySegment body, boolean isLast, boolean waits) {
    if (staging.hasFailed()) {
      hasFailed = true;
      throw new GraphLostException("blocks of graphs were lost: nodeId=" + end.peer());
    }
    long left = head.byteSize() + body.byteSize();
    long at = 0;
    do {
      Announcement segment = awaitRoom();
      askAhead(segment, isLast);
      long room = Math.min(blockBytes, segment.length - filled - CarriedBlock.HEAD);
      long part = Math.min(left, room);
      boolean ends = isLast && part == left;
      hasFailed = true; // until it is written
      MemorySegment block = staging.claim(CarriedBlock.HEAD + part);
      int flags = graphFlags | (ends ? ChannelMessages.LAST : 0);
      CarriedBlock.write(block, new BlockFront(graph, index, flags), part);
      copy(head, body, at, block, part);
      write(segment.target, block, ends && waits);
      hasFailed = false;
      filled = CarriedBlock.end(filled, part);
      graphBytes += part;
      index++;
      at += part;
      left -= part;
    } while (left > 0);
    if (isLast) {
      truncate();
    }
  }

  /** A part of what the two are one after the other. */
  private static void copy(
      MemorySegment head, MemorySegment body, long from, MemorySegment block, long bytes) {
    long first = Math.clamp(head.byteSize() - from, 0, bytes);
    if (first > 0) {
      MemorySegment.copy(head, from, block, CarriedBlock.HEAD, first);
    }
    if (first < bytes) {
      long at = from + first - head.byteSize();
      MemorySegment.copy(body, at, block, CarriedBlock.HEAD + first, bytes - first);
    }
  }

  private void write(Target target, MemorySegment block, boolean waits) {
    int tag = CarriedBlock.tag(filled);
    if (waits) {
      try {
        target.write(filled, block, tag, end.timeout());
      } catch (MessagingException e) { // maybe since a receiver that missed a block has revoked all
        staging.checkNothingLost();
        throw e;
      }
      staging.awaitAll();
    } else {
      staging.wrote(block, target.writeAsync(filled, block, tag));
    }
  }

  // Room.

  private Announcement awaitRoom() {
    CompletableFuture<Announced> request = asked;
    if (request != null && request.isDone()) {
      take(request);
    }
    Announcement segment = current;
    if (segment == null || segment.length - filled < CarriedBlock.LEAST_ROOM) {
      current = null;
      if (next.isEmpty()) {
        awaitSegments();
      }
      segment = next.removeFirst();
      current = segment;
      filled = 0;
      wasDenied = false;
    }
    return segment;
  }

  private void askAhead(Announcement segment, boolean isLast) {
    long most = Math.min(MOST_AHEAD * segment.length, window / 2);
    long ahead = Math.min(Math.max(isLast ? 0 : graphBytes, segment.length / 2), most);
    long left = segment.length - filled;
    for (Announcement other : next) {
      left += other.length;
    }
    if (asked == null && !wasDenied && left < ahead) {
      asked = end.requestAsync(request(ahead - left, false), Announced.class);
    }
  }

  private HeapRequest request(long bytes, boolean isUrgent) {
    return new HeapRequest(end.stream(), carrier.kind(), bytes, isUrgent, known);
  }

  /** There is no room at all. */
  private void awaitSegments() {
    CompletableFuture<Announced> request = asked;
    try {
      if (request != null) {
        awaitAnswer(request);
        take(request);
      }
      if (next.isEmpty()) {
        accept(end.requestRoom(request(1, true), Announced.class));
      }
    } catch (ChannelTimeoutException | ChannelsClosedException e) {
      throw e; // the stream is as it was
    } catch (Throwable e) { // declared or not
      hasFailed = true;
      throw e;
    }
    if (next.isEmpty()) {
      hasFailed = true;
      throw new GraphLostException("the node announces no memory: nodeId=" + end.peer());
    }
  }

  /** The receiver answers at once; but it may stand still, and closing ends that wait, too. */
  private void awaitAnswer(CompletableFuture<Announced> request) {
    try {
      Object _ = end.roomWait().await(request);
    } catch (ExecutionException e) {
      return; // the request says so itself
    }
  }

  private void take(CompletableFuture<Announced> request) {
    asked = null;
    if (request.isCompletedExceptionally()) {
      wasDenied = true; // and the next request, when there is no room at all, says why
    } else {
      Announced announced = request.resultNow();
      wasDenied = announced.offers().isEmpty();
      accept(announced);
    }
  }

  private void accept(Announced announced) {
    for (Offer offer : announced.offers()) {
      try {
        next.addLast(announcement(offer));
      } catch (IllegalArgumentException e) {
        hasFailed = true;
        throw new GraphLostException("the node announces no memory: nodeId=" + end.peer(), e);
      }
      known = offer.number();
    }
  }

  private Announcement announcement(Offer offer) {
    long length = offer.length();
    if (length < CarriedBlock.LEAST_ROOM || length > CarriedBlock.LONGEST_SEGMENT) {
      throw new IllegalArgumentException("no such segment: length=" + length);
    }
    return new Announcement(offer.number(), length, carrier.open(end.peer(), offer.descriptor()));
  }

  /** Gives back what a graph has asked for and not used, also if the answer comes after it. */
  private void truncate() {
    CompletableFuture<Announced> request = asked;
    if (request != null && request.isDone()) {
      take(request);
    } else if (request != null) {
      isUnclaimed = true;
      unclaimed.set(request);
      Object _ = request.thenAccept(late -> end.elsewhere().execute(() -> giveBack(request, late)));
    }
    List<Truncated> unused = new ArrayList<>();
    for (Announcement announced : next) {
      unused.add(new Truncated(announced.number, 0));
    }
    if (unused.size() > KEPT) {
      giveUp(unused.subList(KEPT, unused.size()));
    }
  }

  /** The last ones; where that cannot be said it is later, as it is no error of the graph. */
  private void giveUp(List<Truncated> unused) {
    try {
      end.send(new Truncate(end.stream(), unused));
    } catch (MessagingException e) {
      return;
    }
    for (int i = 0; i < unused.size(); i++) {
      next.removeLast();
    }
  }

  /** What was announced after a graph, unless another one has begun. Any thread. */
  private void giveBack(CompletableFuture<Announced> request, Announced late) {
    if (!unclaimed.compareAndSet(request, null)) {
      return;
    }
    List<Truncated> unused = new ArrayList<>();
    for (Offer offer : late.offers()) {
      unused.add(new Truncated(offer.number(), 0));
    }
    try {
      if (!unused.isEmpty()) {
        end.send(new Truncate(end.stream(), unused));
      }
    } catch (MessagingException e) {
      return; // it is given back with the stream
    }
  }

  // The end of graphs, and of the stream.

  @Override
  public int blocks() {
    return index;
  }

  /** By message, since there may be no room: so blocks, which are none, have to wait. */
  @Override
  public CompletableFuture<?> giveUp(Block message) {
    return end.requestAsync(message, Arrived.class);
  }

  @Override
  public CompletableFuture<?> outcome(long number) {
    return staging.outcome();
  }

  @Override
  public CompletableFuture<?> underWay() {
    return staging.outcome();
  }

  @Override
  public boolean hasFailed() {
    hasFailed |= staging.hasFailed();
    return hasFailed;
  }

  @Override
  public void close() {
    staging.close();
  }
}
