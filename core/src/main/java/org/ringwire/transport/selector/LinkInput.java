package org.ringwire.transport.selector;

import java.io.IOException;

/**
 * What a {@link LinkReader} reads. One thread at a time, the one that has the role of reading; what
 * one does is seen by the next.
 */
public interface LinkInput {

  /** Result of {@link #read}: the handler wants nothing for now. */
  long NO_ROOM = -2;

  /**
   * Hands to the handler what is there, up to a limit; never blocks.
   *
   * @param own where bytes may be put that are not in memory yet; the handler gets them there
   * @return number of bytes, 0 if there is nothing for now, or {@link #NO_ROOM}
   */
  long read(ReadBuffer own) throws IOException;

  /** The link's channel has something for this thread; {@link #read} follows. */
  default void heard() throws IOException {}

  /**
   * How often to look before looking at the clock, and at what else a thread that spins has to look
   * at: many times where a look costs next to nothing, once where it is a system call.
   */
  default int looks() {
    return 1;
  }

  /**
   * Waits for input, a wake-up, an interrupt, or the end of a time; {@link #read} follows.
   *
   * @param timeoutNs at least 1
   */
  default void await(LeaderSeat seat, long timeoutNs) throws IOException {
    seat.await(timeoutNs);
  }

  /**
   * Nobody looks at this input from now on, until the link's channel tells that there is some.
   *
   * @return false if there is some already, of which the channel may not tell
   */
  default boolean rest() throws IOException {
    return true;
  }

  /**
   * Whether there is some of which the channel does not tell, as nobody has called {@link #rest}.
   */
  default boolean isPending() {
    return false;
  }

  /**
   * Whether the channel tells of input only while somebody waits for it, or nobody looks. Then an
   * I/O thread that watches it is not disturbed by what a leader finds that looks.
   */
  default boolean wakesOnlyWhoWaits() {
    return false;
  }

  /** Whether there is no more input, ever. */
  boolean isEnded();
}
