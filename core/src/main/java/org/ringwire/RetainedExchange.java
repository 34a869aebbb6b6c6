package org.ringwire;

/**
 * An exchange that outlives its handler; see {@link Exchange#retain()}. Closing twice is fine. It
 * may outlive the connection, and its requester, too: then {@link #reply} and {@link #fail} go
 * nowhere, without an exception, and it must be closed nevertheless.
 */
public interface RetainedExchange extends Exchange, AutoCloseable {

  /**
   * Gives the message's memory and credit back. A request that was not answered by then fails at
   * its sender.
   */
  @Override
  void close();
}
