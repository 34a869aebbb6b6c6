package org.ringwire.engine.inbound;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.ringwire.Dispatch;
import org.ringwire.Handler;
import org.ringwire.codec.MessageType;

/**
 * The handlers of a node, by message type. Any thread.
 *
 * <p>When the node has closed none is called any more: who is about to call one looks at {@code
 * ended} first. It is written after the last connection has ended, so that what is thrown away then
 * is told to no peer as processed.
 */
public final class Registrations {

  private final ConcurrentHashMap<MessageType<?>, Registration> byType = new ConcurrentHashMap<>();
  private volatile boolean ended;

  @SuppressWarnings("unchecked") // a handler of ? super T gets messages that T's codec has made
  public <T> void add(MessageType<T> type, Dispatch dispatch, Handler<? super T> handler) {
    Registration registration = new Registration((Handler<Object>) handler, dispatch);
    if (byType.putIfAbsent(type, registration) != null) {
      throw new IllegalStateException("the type has a handler: messageType=" + type.name());
    }
  }

  @Nullable Registration find(MessageType<?> type) {
    return byType.get(type);
  }

  /** From now on no handler is called; those that run go on. */
  public void end() {
    ended = true;
  }

  /** Whether messages that have arrived are thrown away. */
  public boolean haveEnded() {
    return ended;
  }
}
