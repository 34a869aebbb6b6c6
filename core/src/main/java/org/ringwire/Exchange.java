package org.ringwire;

/**
 * What a handler knows of the message that it handles, and its way to answer. Valid during the call
 * of the handler only; {@link #retain()} gives one that lives longer. A retained exchange may be
 * used from any thread.
 */
public interface Exchange {

  /** Id of the node that sent the message. */
  int source();

  /** Whether the sender waits for a response. */
  boolean isRequest();

  /**
   * Answers a request. Never blocks an inline handler: the requester has reserved the space.
   *
   * <p>That this returns does not say that the answer arrives. It goes nowhere, and nothing is
   * thrown, if the requester waits no longer, since its deadline is over or it has cancelled the
   * request, or if the connection has ended: then the requester has a {@link
   * ConnectionLostException}, or is gone itself.
   *
   * <p>Whatever this throws but {@link IllegalStateException}, the requester is told that there is
   * no response, and cannot be answered again.
   *
   * @throws IllegalStateException if the message is no request or was answered already; and when
   *     its handler has returned and has left the request open, or retained it. That an exchange is
   *     used after it was answered, or after the handler of a message that is no request, is not
   *     always seen: by then it may be that of another message
   * @throws NullPointerException if there is no response
   * @throws EncodingException if the response's codec failed, or it is longer than one of the two
   *     nodes allows
   * @throws MemoryLimitException if the requester does not read its responses ({@code
   *     maxBufferedBytes})
   * @throws IllegalArgumentException if no codec can be made for the response's class
   */
  void reply(Object response);

  /**
   * Ends a request with an error: its sender receives a {@link RemoteHandlerException}. If it waits
   * no longer, or the connection has ended, it goes nowhere, as a {@link #reply}.
   *
   * @throws IllegalStateException as {@link #reply}
   * @throws NullPointerException if there is no reason; the requester is told so, too
   */
  void fail(String reason);

  /**
   * Keeps the exchange, and memory that views of the message point to, valid after the handler
   * returned; the message counts as processed when it is closed. Whoever calls this must close it.
   *
   * <p>The message keeps its part of the window of its sender. If it has a component that is a
   * {@link java.lang.foreign.MemorySegment}, or its codec was written by hand, it also keeps the
   * piece of memory that it came in, 4 to 64 KiB, which it may share with others that came next to
   * it, and which counts in no budget: to keep many of those, copy what is needed instead.
   *
   * @throws IllegalStateException in an inline handler, after the handler has returned, or a second
   *     time
   */
  RetainedExchange retain();
}
