package org.ringwire.heap.channel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.Message;
import org.ringwire.heap.image.memory.LostMemory;

/**
 * What heap channels say to each other. A <em>stream</em> is what one sender sends to one receiver
 * until something of it is lost; its number is drawn at random. Positions count the bytes of its
 * blocks, each as {@link #charge} says.
 */
@SuppressWarnings("exports") // of this module, to the codecs of the core
public final class ChannelMessages {
  /** Of the messages and of images. */
  public static final int VERSION = 1;

  /** The block is the last of its graph. */
  public static final int LAST = 1;

  /** There is no more of the graph; the head says why. Always in a message. */
  public static final int GIVEN_UP = 2;

  /** The image has many graphs. */
  public static final int MANY = 4;

  /** In place of what is granted: the receiver knows nothing of the stream, and took nothing. */
  public static final long NO_STREAM = -1;

  /** Told to a request of which its sender does not wait for the answer any more. */
  public static final String ASKED_ANEW = "its sender has asked anew";

  /** What the front of a block costs the receiver, in memory, beside its bytes. */
  private static final int BLOCK_COST = 64;

  /** More of a reason is not kept. */
  private static final long MOST_REASON_BYTES = 2048;

  private ChannelMessages() {}

  /** What a block takes of the window. */
  public static long charge(long bytes) {
    return bytes + BLOCK_COST;
  }

  /** Begins a stream, and ends the one before. Answered by {@link Opened}. */
  @Message(name = "ringwire.heap.open")
  public record Open(long stream, int version) {

    /** Why it is not understood here, unless it is. */
    public @Nullable String problem() {
      return version == VERSION
          ? null
          : "heap channels of another version: version=" + version + " here=" + VERSION;
    }
  }

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
      long stream, long graph, int index, int flags, MemorySegment head, MemorySegment body) {

    /**
     * Why the graph was given up.
     *
     * @throws InternalError if its sender has taken its memory away
     */
    public String text() {
      MemorySegment text = head.asSlice(0, Math.min(head.byteSize(), MOST_REASON_BYTES));
      byte[] bytes = text.toArray(ValueLayout.JAVA_BYTE);
      LostMemory.check();
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  /** The whole graph is in the receiver's memory, unless the stream is unknown there. */
  @Message(name = "ringwire.heap.arrived")
  public record Arrived(long granted) {}

  /**
   * Asks how far the stream may go. Answered by {@link Granted}: at once, or, if it is urgent, when
   * there is room up to the wanted position.
   */
  @Message(name = "ringwire.heap.room")
  public record Room(long stream, long wanted, boolean isUrgent) {}

  /**
   * Asks whether a stream is known, before it is used after a pause. Answered by {@link Granted}.
   */
  @Message(name = "ringwire.heap.check")
  public record Check(long stream) {}

  /** How far the stream may go, unless it is unknown. */
  @Message(name = "ringwire.heap.granted")
  public record Granted(long granted) {}

  /**
   * Asks for memory that blocks can be written into: the paper's heap request. Answered by {@link
   * Announced}: at once, or, if it is urgent, when there is some.
   *
   * @param carrier its kind
   * @param bytes how much is wanted
   * @param known the highest number of a segment that the sender has heard of; announcements of
   *     others were lost
   */
  @Message(name = "ringwire.heap.request")
  public record HeapRequest(long stream, String carrier, long bytes, boolean isUrgent, int known) {}

  /**
   * Memory that blocks can be written into.
   *
   * @param isPossible false if the receiver has no carrier of that kind
   */
  @Message(name = "ringwire.heap.announced")
  public record Announced(boolean isPossible, List<Offer> offers) {}

  /**
   * A segment of memory.
   *
   * @param number in its stream
   * @param descriptor for the carrier
   */
  @SuppressWarnings("ArrayRecordComponent") // read once
  public record Offer(int number, long length, byte[] descriptor) {}

  /** No more is written into some segments: the paper's heap truncate. */
  @Message(name = "ringwire.heap.truncate")
  public record Truncate(long stream, List<Truncated> segments) {}

  /**
   * A segment into which nothing more is written.
   *
   * @param used bytes of it that were
   */
  public record Truncated(int number, long used) {}

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
