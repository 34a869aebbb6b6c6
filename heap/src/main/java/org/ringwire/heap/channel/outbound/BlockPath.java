package org.ringwire.heap.channel.outbound;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import org.ringwire.heap.channel.ChannelMessages.Block;

/** How the blocks of a stream get to its receiver. For one thread at a time. */
sealed interface BlockPath extends AutoCloseable permits MessagePath, CarriedPath {

  /** How long a block may be. */
  int blockBytes();

  /** A graph begins. */
  void begin(long graph, int flags);

  /**
   * Sends bytes of the graph as blocks; they may be changed when this returns.
   *
   * @param head the first ones
   * @param body the other ones
   * @param isLast whether there are no more
   * @param waits whether this returns only when the receiver has all, if there are no more
   * @throws RuntimeException if that was not possible; if nothing {@link #hasFailed} the stream
   *     goes on with another graph
   */
  void send(MemorySegment head, MemorySegment body, boolean isLast, boolean waits);

  /** How many blocks of the graph were sent. */
  int blocks();

  /**
   * Says that there is no more of the graph.
   *
   * @param message says so
   * @return ends when no block of the next graph can overtake that
   */
  CompletableFuture<?> giveUp(Block message);

  /** Ends when a graph that was sent is in the receiver's memory. */
  CompletableFuture<?> outcome(long graph);

  /**
   * Ends when no block is on its way that a message could overtake. If nobody waits for the graph
   * that was sent last, that may be known only after {@link #outcome}.
   */
  CompletableFuture<?> underWay();

  /** Whether something was lost, so that a new stream is needed. */
  boolean hasFailed();

  /** Nothing is sent any more. */
  @Override
  void close();
}
