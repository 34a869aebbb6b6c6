package org.ringwire;

/** An exchange that outlives its handler; see {@link Exchange#retain()}. Closing twice is fine. */
public interface RetainedExchange extends Exchange, AutoCloseable {

  /**
   * Gives the message's memory and credit back. A request that was not answered by then fails at
   * its sender.
   */
  @Override
  void close();
}
