package org.ringwire.heap;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.ringwire.Dispatch;
import org.ringwire.Exchange;
import org.ringwire.Node;
import org.ringwire.heap.channel.ChannelMessages.Block;
import org.ringwire.heap.channel.ChannelMessages.Check;
import org.ringwire.heap.channel.ChannelMessages.ClassInquiry;
import org.ringwire.heap.channel.ChannelMessages.HeapRequest;
import org.ringwire.heap.channel.ChannelMessages.Inquiry;
import org.ringwire.heap.channel.ChannelMessages.Open;
import org.ringwire.heap.channel.ChannelMessages.Outcome;
import org.ringwire.heap.channel.ChannelMessages.Room;
import org.ringwire.heap.channel.ChannelMessages.Truncate;
import org.ringwire.heap.channel.OwnThreads;
import org.ringwire.heap.channel.inbound.CarriedInbox;
import org.ringwire.heap.channel.inbound.ChunkPool;
import org.ringwire.heap.channel.inbound.Inbox;
import org.ringwire.heap.channel.outbound.Outbox;

/**
 * The heap channels of a node, one to each other node that has them, too. Over every transport,
 * beside all other messages of the node.
 *
 * {@snippet :
 * HeapCodec codec = HeapCodec.builder().acceptPackage("com.example.orders").build();
 * try (Node node = Node.open(config);
 *     HeapChannels channels = HeapChannels.of(node, codec)) {
 *   HeapChannel channel = channels.to(2);
 *   channel.writeObject(order);                 // returns when it is in the memory of node 2
 *   Order answer = (Order) channel.readObject();
 * }
 * }
 *
 * <p>Any thread. What a node holds for others is bounded by the window times the number of nodes
 * that send, and by some 230 bytes of heap for each block that waits: of graphs of a few bytes, a
 * window is full of 300,000 and they take 66 MiB. A channel is kept until it, or all of them, are
 * closed.
 */
public final class HeapChannels implements AutoCloseable {
  private final Node node;
  private final HeapCodec codec;
  private final ChannelOptions options;
  private final @Nullable BlockCarrier carrier;
  private final ChunkPool chunks;
  private final ChunkPool segments;
  private final Executor elsewhere = new OwnThreads();
  private final Map<Integer, HeapChannel> channels = new ConcurrentHashMap<>();

  /** Those that are closed while somebody goes on writing, whose readers may ask. */
  private final Set<HeapChannel> leaving = ConcurrentHashMap.newKeySet();

  private volatile boolean isClosed;
  private volatile boolean isNodeClosed;

  private HeapChannels(
      Node node, HeapCodec codec, ChannelOptions options, @Nullable BlockCarrier carrier) {
    this.node = node;
    this.codec = codec;
    this.options = options;
    this.carrier = carrier;
    this.chunks = ChunkPool.of(options.blockBytes(), options.windowBytes());
    this.segments = CarriedInbox.segments(options.windowBytes());
  }

  /** What a message does to a channel. */
  private interface Action<C, M> {
    void run(C end, M message, Exchange exchange);
  }

  /**
   * Lets a node send and receive graphs, with {@link ChannelOptions#DEFAULT}.
   *
   * @param node is not owned; to be closed after this
   * @param codec says what is accepted, for all channels
   * @return the channels of the node
   * @throws IllegalStateException if the node has channels already, also if they were closed
   */
  public static HeapChannels of(Node node, HeapCodec codec) {
    return of(node, codec, ChannelOptions.DEFAULT);
  }

  /**
   * Lets a node send and receive graphs.
   *
   * @param node is not owned; to be closed after this
   * @param codec says what is accepted, for all channels
   * @param options for all channels
   * @return the channels of the node
   * @throws IllegalStateException if the node has channels already, also if they were closed
   */
  public static HeapChannels of(Node node, HeapCodec codec, ChannelOptions options) {
    return open(node, codec, options, null);
  }

  /**
   * Lets a node send and receive graphs, whose blocks are not messages but are written straight
   * into memory of their receiver, where that has a carrier of the same kind.
   *
   * @param node is not owned; to be closed after this
   * @param codec says what is accepted, for all channels
   * @param options for all channels
   * @param carrier is not owned; to be closed after this
   * @return the channels of the node
   * @throws IllegalStateException if the node has channels already, also if they were closed
   */
  public static HeapChannels of(
      Node node, HeapCodec codec, ChannelOptions options, BlockCarrier carrier) {
    Objects.requireNonNull(carrier, "carrier must not be null");
    return open(node, codec, options, carrier);
  }

  private static HeapChannels open(
      Node node, HeapCodec codec, ChannelOptions options, @Nullable BlockCarrier carrier) {
    Objects.requireNonNull(node, "node must not be null");
    Objects.requireNonNull(codec, "codec must not be null");
    Objects.requireNonNull(options, "options must not be null");
    FirstClasses.prepareForChannels();
    HeapChannels channels = new HeapChannels(node, codec, options, carrier);
    try {
      channels.handleMessages();
    } catch (IllegalStateException e) { // its messages have handlers, which stay for ever
      throw new IllegalStateException("the node has heap channels already: nodeId=" + node.id(), e);
    }
    CompletableFuture<Void> _ = node.whenClosed().thenRun(channels::nodeClosed);
    return channels;
  }

  /** None by the pool, all of whose threads may be in handlers that wait for graphs. */
  private void handleMessages() {
    in(Open.class, Dispatch.INLINE, Inbox::open);
    in(Block.class, Dispatch.INLINE, Inbox::block);
    in(Check.class, Dispatch.INLINE, Inbox::check);
    in(Room.class, Dispatch.BLOCKING, Inbox::room);
    in(Outcome.class, Dispatch.BLOCKING, Inbox::outcome);
    node.handle(
        HeapRequest.class,
        Dispatch.BLOCKING,
        (message, exchange) -> of(exchange).carriedInbox().request(message, exchange));
    node.handle(Truncate.class, Dispatch.BLOCKING, this::truncate);
    out(Inquiry.class, Inquiry::stream, Outbox::inquiry);
    out(ClassInquiry.class, ClassInquiry::stream, Outbox::classes);
  }

  private <M> void in(Class<M> type, Dispatch dispatch, Action<Inbox, M> action) {
    node.handle(
        type, dispatch, (message, exchange) -> action.run(of(exchange).inbox(), message, exchange));
  }

  /**
   * One that comes after the channel was closed begins none: its sender may be gone by then, and
   * nobody would close it.
   */
  private void truncate(Truncate message, Exchange exchange) {
    HeapChannel channel = channels.get(exchange.source());
    if (channel != null) {
      channel.carriedInbox().truncate(message, exchange);
    }
  }

  /** Whoever asks for a stream that no channel has is told so by none: no channel begins. */
  private <M> void out(Class<M> type, ToLongFunction<M> stream, Action<Outbox, M> action) {
    node.handle(
        type,
        Dispatch.INLINE,
        (message, exchange) -> {
          Outbox writer = writer(exchange.source(), stream.applyAsLong(message));
          if (writer == null) {
            exchange.fail(Outbox.ENDED);
          } else {
            action.run(writer, message, exchange);
          }
        });
  }

  private @Nullable Outbox writer(int nodeId, long stream) {
    HeapChannel channel = channels.get(nodeId);
    if (channel != null && channel.outbox().hasStream(stream)) {
      return channel.outbox();
    }
    for (HeapChannel closed : leaving) {
      if (closed.nodeId() == nodeId && closed.outbox().hasStream(stream)) {
        return closed.outbox();
      }
    }
    return null;
  }

  private HeapChannel of(Exchange exchange) {
    return to(exchange.source());
  }

  /**
   * The channel to a node; nothing is sent until it is used.
   *
   * @param nodeId 0 to 65535
   * @return always the same for the same node, until it is closed
   */
  public HeapChannel to(int nodeId) {
    if (nodeId < 0 || nodeId > Node.MAX_ID) {
      throw new IllegalArgumentException(
          "nodeId must be in 0.." + Node.MAX_ID + ": nodeId=" + nodeId);
    }
    HeapChannel channel =
        channels.computeIfAbsent(
            nodeId,
            id -> new HeapChannel(this, node, id, codec, options, chunks, segments, carrier));
    if (isNodeClosed) {
      channel.reader().nodeClosed();
    }
    if (isClosed) {
      channel.end();
    }
    return channel;
  }

  /** What runs that the threads which cause it may not wait for. */
  Executor elsewhere() {
    return elsewhere;
  }

  /** Another channel to the same node may have taken its place already. */
  void leave(HeapChannel channel) {
    leaving.add(channel); // first, so that it is always found
    channels.remove(channel.nodeId(), channel);
  }

  /** Nobody writes to it any more, and nothing of it is on its way. */
  void left(HeapChannel channel) {
    leaving.remove(channel);
  }

  /** Those who wait for a graph to begin need not wait any more. */
  private void nodeClosed() {
    isNodeClosed = true;
    for (HeapChannel each : channels.values()) {
      each.reader().nodeClosed();
    }
  }

  /**
   * Ends all channels, and the waits of those that read or wait for room to write, with an {@link
   * IllegalStateException}; the other side is told that the rest of such a graph will not come. A
   * graph for which there is room is written to its end. What was not read is gone, and so is all
   * that was kept for other nodes. The node stays open.
   */
  @Override
  public void close() {
    isClosed = true; // first, so that whatever channel a message still makes has ended
    for (HeapChannel channel : channels.values()) {
      channel.end(); // may be repeated where there was no heap: all of them are known until then
    }
    chunks.close();
    segments.close();
    for (HeapChannel channel : channels.values()) {
      channel.close();
    }
  }
}
