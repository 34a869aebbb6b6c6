package org.ringwire.heap.channel.inbound;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** A graph that is arriving or waits to be read. Guarded by the lock of its {@link Inbox}. */
final class InboundGraph {
  final InStream stream;
  final long number;
  final boolean hasMany;

  /** Links, since an array that cannot grow for want of heap loses all that is in it. */
  final Queue<Piece> pieces = new ConcurrentLinkedQueue<>();

  int blocks;
  boolean isComplete;

  /** Nobody wants what is still to come. */
  boolean isDiscarded;

  /** Why there will be no more, though it is not complete. */
  @Nullable String failure;

  /** How long the reason of its sender is in that, if its sender gave it up. */
  int givenUpChars;

  InboundGraph(InStream stream, long number, boolean hasMany) {
    this.stream = stream;
    this.number = number;
    this.hasMany = hasMany;
  }

  /** Whether anything more may arrive. */
  boolean isOpen() {
    return !isComplete && failure == null;
  }
}
