package org.ringwire.heap.channel;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.ringwire.RetainedExchange;
import org.ringwire.heap.image.Decoder;

/** A stream at its receiver. Guarded by the lock of its {@link Inbox}, but for the decoder. */
final class InStream {
  final long id;

  /** Used by whoever reads a graph, one at a time. */
  final Decoder decoder;

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

  /** Into which the sender may write. */
  final Map<Integer, ReceiveSegment> segments = new HashMap<>();

  /** Of a graph that the sender has given up: its number, its blocks, and why. */
  long givenUp;

  int givenUpAt;
  String givenUpWhy = "";

  /** Of those that wait for a graph to be complete. */
  final Map<Long, RetainedExchange> waiting = new HashMap<>();

  InStream(long id, Decoder decoder) {
    this.id = id;
    this.decoder = decoder;
  }
}
