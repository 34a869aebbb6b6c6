package org.ringwire.engine.inbound;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.ringwire.Dispatch;
import org.ringwire.Handler;
import org.ringwire.codec.MessageType;

/** The handlers of a node, by message type. Any thread. */
public final class Registrations {

  private final ConcurrentHashMap<MessageType<?>, Registration> byType = new ConcurrentHashMap<>();

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
}
