package org.ringwire;

/** Receives the messages of one type. Called by the threads that its {@link Dispatch} names. */
@FunctionalInterface
public interface Handler<T> {

  /**
   * Handles one message. An exception is counted and reported; if the message was a request its
   * sender receives a {@link RemoteHandlerException}. The next message is handled as usual.
   *
   * @param message a new object, or one that its codec reuses as soon as this method returns
   * @param exchange valid during the call only, unless {@link Exchange#retain()} was called
   */
  void handle(T message, Exchange exchange) throws Exception;
}
