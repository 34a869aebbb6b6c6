package org.ringwire.heap;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Writes blocks of graphs straight into memory that their receiver has announced, as remote memory
 * of InfiniBand does, so that they are not messages. Given to {@link HeapChannels#of(
 * org.ringwire.Node, HeapCodec, ChannelOptions, BlockCarrier)} on both nodes; where one has none,
 * or another kind, blocks are messages.
 *
 * <p>Any thread calls anything.
 */
public interface BlockCarrier {

  /**
   * What it is. Two carriers of the same kind understand each other's descriptors.
   *
   * @return a short name
   */
  String kind();

  /**
   * Lets a peer write into memory of this node.
   *
   * @param memory native; stays as it is until the result is closed
   * @param listener hears of what was written
   * @return what the peer needs, and the end of it
   * @throws org.ringwire.MessagingException if that cannot be; the peer is told, unless other
   *     memory was announced for the same request
   */
  Announcement announce(MemorySegment memory, Listener listener);

  /**
   * Memory of a peer that it has announced.
   *
   * @param nodeId the peer, whose word is not to be trusted
   * @param descriptor what it has sent
   * @return where blocks can be written
   * @throws IllegalArgumentException if that is no descriptor of memory of this peer
   */
  Target open(int nodeId, byte[] descriptor);

  /**
   * Hears of memory from which blocks will be written.
   *
   * @param memory native; shared; stays for some time
   */
  default void prepare(MemorySegment memory) {}

  /** Memory that a peer may write into until this is closed. */
  interface Announcement extends AutoCloseable {

    /**
     * What the peer needs.
     *
     * @return its bytes
     */
    byte[] descriptor();

    /**
     * Revokes it: when this returns nobody writes any more, and who tries fails. A second call does
     * nothing, unless the first has thrown: until one has not, the memory is given to nobody else.
     */
    @Override
    void close();
  }

  /** Hears of what a peer has written. */
  @FunctionalInterface
  interface Listener {

    /**
     * A peer says that it has written: this, and all that it began to write before, is in the
     * memory. May not block; called in the order in which the peer has written.
     *
     * @param nodeId the peer
     * @param tag what it gave, 0 to 65535
     */
    void written(int nodeId, int tag);
  }

  /** Memory of a peer. */
  interface Target {

    /**
     * Writes a block and tells the listener; returns when it is in the peer's memory.
     *
     * @param offset in the memory
     * @param block not empty
     * @param tag for the listener, 0 to 65535
     * @param timeout bounds the wait, after which nobody reads the block any more
     * @throws org.ringwire.MessagingException if it may not be there
     */
    void write(long offset, MemorySegment block, int tag, Duration timeout);

    /**
     * As {@link #write}, without waiting.
     *
     * @param offset in the memory
     * @param block not empty; stays as it is until the result ends
     * @param tag for the listener
     * @return ends when the block is in the peer's memory, or with a {@link
     *     org.ringwire.MessagingException}; ends in any case
     */
    CompletionStage<Void> writeAsync(long offset, MemorySegment block, int tag);
  }
}
