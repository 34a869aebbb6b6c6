package org.ringwire.transport;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One open channel to a peer: a stream of bytes in each direction. */
public interface Link {

  /**
   * Writes what the source offers until it offers nothing more or the medium takes no more. Never
   * blocks, whatever the interrupt status of the caller. Called by one thread at a time.
   *
   * @return true if all was taken; false if the medium is full, or a thread of the transport is to
   *     write the rest: then {@link LinkHandler#writable} is called once, by a thread of the
   *     transport, when it takes bytes again, and the caller writes again then, also if all it had
   *     is {@linkplain OutboundSource#sent sent}
   * @throws IOException if the link is broken; the caller closes it
   */
  boolean write(OutboundSource source) throws IOException;

  /**
   * The send ring gives back the memory that {@link Transport#allocateRing} has supplied, all of
   * which is completed: the medium may let go of what it has of it. Called in the place of {@link
   * #write}, by the one thread that might call that; never blocks.
   */
  default void ringRests() {}

  /**
   * Lets a thread that waits for input read the link itself, instead of waiting for a transport
   * thread to read and wake it. Input of this link then reaches the handler on this thread. Returns
   * when the condition holds, the deadline passes, the thread is interrupted or the link closes.
   *
   * <p>The condition is looked at before each wait and after each input; what else makes it true
   * calls {@link #wakeLeader}. After the return, a transport thread reads again: within a time that
   * the medium bounds by a few milliseconds, unless another thread leads by then, or at once after
   * {@link #resumeReading}. So a caller that leaves others waiting for what comes over this link,
   * or any that was led with it ({@link #leadsOthers}), lets one of them lead, or calls that.
   *
   * @param done must not block; called by this thread only
   * @param deadlineNs as {@link System#nanoTime}
   * @return false, at once, if this thread cannot lead: somebody else does, or the medium has no
   *     such way; true if it led, whatever ended it
   */
  default boolean lead(BooleanSupplier done, long deadlineNs) {
    return false;
  }

  /**
   * Whether who leads this link reads others meanwhile, so that who waits for their input waits for
   * the leader as well.
   */
  default boolean leadsOthers() {
    return false;
  }

  /** Makes a thread that leads look at its condition now, if there is one. Any thread. */
  default void wakeLeader() {}

  /**
   * Makes a transport thread read this link from now on, if nobody leads it, without the delay that
   * may follow {@link #lead}, and again if the handler had no room ({@link
   * LinkHandler#destination}). Costs next to nothing if it does already. Any thread.
   */
  default void resumeReading() {}

  /**
   * Lets this thread go on with what a {@link #write} that returned false has left to a thread of
   * the transport, since that one may be inside of a handler for long: {@link LinkHandler#writable}
   * is called by this thread, if only to find that the medium takes nothing still. Does nothing
   * where handlers never keep the thread that writes, or writing is handling. Any thread.
   */
  default void resumeWriting() {}

  /** Whether the handler may keep some of its input ({@link LinkHandler#hasRest}). */
  default boolean asksForRest() {
    return false;
  }

  /**
   * Whether what was written is {@linkplain OutboundSource#completed(long) completed} when the
   * medium finds time for it, after {@link #write} has returned, and {@link #tellOfCompletions} is
   * heard.
   */
  default boolean completesLate() {
    return false;
  }

  /**
   * Somebody waits for the room of what was written and is not completed, though the medium is not
   * full: {@link LinkHandler#writable} is called once more of it is, or if it is already. Any
   * thread.
   */
  default void tellOfCompletions() {}

  /**
   * Closes the link as soon as threads in it have left; {@link LinkHandler#closed} follows exactly
   * once, on a thread of the transport. Bytes written before are still delivered where the medium
   * can. Idempotent.
   */
  void close();

  /** The peer's address in the medium, for people. */
  String remote();

  /** Who the peer has proved to be, or null where the medium proves nothing. Any thread. */
  default @Nullable PeerIdentity peer() {
    return null;
  }
}
