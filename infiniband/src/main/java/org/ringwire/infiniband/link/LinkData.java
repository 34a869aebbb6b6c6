package org.ringwire.infiniband.link;

/**
 * What carries the data of a link, as its {@link LinkEnd} needs it: a queue pair, or a stream over
 * datagrams. Only the thread that drives ends calls it, but for {@link #isConnected}.
 */
public interface LinkData {

  /** What became of a farewell. */
  enum Farewell {
    /** It is on its way. */
    SAID,
    /** There is no room for it yet. */
    LATER,
    /** It cannot be said. */
    IMPOSSIBLE
  }

  /** Whether there is any way to the peer: otherwise only {@link #release} follows. Any thread. */
  boolean isConnected();

  /** Whether nothing can be sent any more. */
  boolean isBroken();

  /** Whether all that was sent has been delivered; connected only. */
  boolean isDrained();

  /** Says that this is the orderly end; connected only. */
  Farewell sayFarewell();

  /** Sends no more, and makes the device give back what it has; connected only. */
  void stop();

  /**
   * Whether the device has given back all, after {@link #stop}.
   *
   * @param late whether there is no time left: then nothing is read of the memory after this call
   */
  boolean isGivenBack(boolean late);

  /**
   * Whether the device has also given back what the link might have received into, which others
   * will need; when nothing is outstanding of what was sent. Stops what is not stopped.
   */
  boolean isReceivingOver();

  /**
   * Gives up what belongs to the link, which nobody is inside of, nor will be. Called again if
   * there was no heap for it.
   */
  void release();

  /**
   * The transport does not wait any longer: nothing is read of the memory after this call.
   *
   * @param isUsed whether somebody is inside of the link, who may use what belongs to it
   */
  void giveUp(boolean isUsed);
}
