package org.ringwire.heap.channel.inbound;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.BlockCarrier.Announcement;

/**
 * Memory of this node that one sender writes blocks into, from its start to its end. Guarded by the
 * lock of its {@link Inbox}, but for its announcement, which has one of its own.
 */
final class ReceiveSegment implements Piece.Home {
  private static final System.Logger LOGGER = System.getLogger("org.ringwire.heap");

  final InStream stream;
  final int number;
  final MemorySegment memory;

  /** Where the sender is. */
  long filled;

  /** Where the sender ends. */
  long end;

  /** Blocks that nobody has read. */
  int unread;

  /** Its sender has no more to write into it. */
  boolean isFinal;

  /** Its room belongs to others. */
  boolean isFreed;

  /** Waits in the {@link InboxLock} to be revoked, with the one that came before it. */
  boolean isRetired;

  @Nullable ReceiveSegment retiredBefore;

  private @Nullable Announcement announcement; // guarded by this, as the next two
  private boolean isBeingAnnounced;
  private boolean isRevoked;

  ReceiveSegment(InStream stream, int number, MemorySegment memory) {
    this.stream = stream;
    this.number = number;
    this.memory = memory;
    this.end = memory.byteSize();
  }

  /**
   * It is going to be announced; {@link #announced} follows. Whoever is to write into it finds
   * nothing in it that another has written: a notice may be of what was not.
   *
   * @return false if it was revoked before: the memory may be another segment's by now
   */
  synchronized boolean beginAnnouncing() {
    if (isRevoked) {
      return false;
    }
    memory.fill((byte) 0);
    isBeingAnnounced = true;
    return true;
  }

  /**
   * The sender may write from now on.
   *
   * @param now null if that cannot be
   * @return false if it was revoked meanwhile, in vain: the caller has it revoked again, until when
   *     nobody else has the memory
   */
  synchronized boolean announced(@Nullable Announcement now) {
    isBeingAnnounced = false;
    announcement = now;
    return !isRevoked;
  }

  /**
   * Ends the announcement; when this returns true the sender writes nothing more. If it cannot be
   * ended, or has only begun, nobody else may have the memory; another call tries again.
   */
  synchronized boolean revoke() {
    isRevoked = true;
    if (isBeingAnnounced) {
      return false;
    }
    try {
      if (announcement != null) {
        announcement.close();
        announcement = null;
      }
      return true;
    } catch (Throwable e) { // whatever the carrier throws: others are to be revoked, too
      LOGGER.log(
          System.Logger.Level.WARNING,
          "a carrier of heap channels does not revoke memory; its room is not used any more: bytes="
              + memory.byteSize(),
          e);
      return false;
    }
  }
}
