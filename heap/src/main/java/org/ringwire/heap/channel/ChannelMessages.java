package org.ringwire.heap.channel;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.ringwire.codec.Message;

/**
 * What heap channels say to each other. A <em>stream</em> is what one sender sends to one receiver
 * until something of it is lost; its number is drawn at random. Positions count the bytes of its
 * blocks, each as {@link #charge} says.
 */
@SuppressWarnings("exports") // of this module, to the codecs of the core
public final class ChannelMessages {
  /** Of the messages and of images. */
  static final int VERSION = 1;

  /** The block is the last of its graph. */
  static final int LAST = 1;

  /** There is no more of the graph; the head says why. */
  static final int GIVEN_UP = 2;

  /** The image has many graphs. */
  static final int MANY = 4;

  /** What the front of a block costs the receiver, in memory, beside its bytes. */
  private static final int BLOCK_COST = 64;

  private ChannelMessages() {}

  /** What a block takes of the window. */
  static long charge(long bytes) {
    return bytes + BLOCK_COST;
  }

  /** Begins a stream, and ends the one before. Answered by {@link Opened}. */
  @Message(name = "ringwire.heap.open")
  public record Open(long stream, int version) {}

  /** How far the stream may go, and how much the receiver keeps at most of it. */
  @Message(name = "ringwire.heap.opened")
  public record Opened(long granted, long window) {}

  /**
   * A part of the image of a graph. The last one may be a request, answered by {@link Arrived}.
   *
   * @param graph counted from 1 in its stream
   * @param index of the block, from 0
   * @param flags of the constants above
   * @param head its first bytes
   * @param body the other ones
   */
  @Message(name = "ringwire.heap.block")
  public record Block(
      long stream, long graph, int index, int flags, MemorySegment head, MemorySegment body) {}

  /** The whole graph is in the receiver's memory. */
  @Message(name = "ringwire.heap.arrived")
  public record Arrived(long granted) {}

  /**
   * Asks how far the stream may go. Answered by {@link Granted}: at once, or, if it is urgent, when
   * there is room up to the wanted position.
   */
  @Message(name = "ringwire.heap.room")
  public record Room(long stream, long wanted, boolean isUrgent) {}

  /** How far the stream may go. */
  @Message(name = "ringwire.heap.granted")
  public record Granted(long granted) {}

  /** Waits for a graph to be in the receiver's memory. Answered by {@link Arrived}. */
  @Message(name = "ringwire.heap.outcome")
  public record Outcome(long stream, long graph) {}

  /** Asks a sender whether it is writing a graph. Answered by {@link WritingState}. */
  @Message(name = "ringwire.heap.inquiry")
  public record Inquiry(long stream, long graph) {}

  /** Whether the graph is being written; if not, all of it was. */
  @Message(name = "ringwire.heap.state")
  public record WritingState(boolean isWriting) {}

  /** Asks a sender for what it has declared. Answered by {@link Declarations}. */
  @Message(name = "ringwire.heap.classes")
  public record ClassInquiry(long stream, int number) {}

  /** Descriptions of classes from the number on that was asked for. */
  @Message(name = "ringwire.heap.declarations")
  public record Declarations(List<String> descriptions) {}
}
