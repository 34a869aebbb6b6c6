package org.ringwire.engine;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.ringwire.BackPressureException;
import org.ringwire.ConnectionLostException;
import org.ringwire.MessagingException;
import org.ringwire.RequestTimeoutException;
import org.ringwire.SendStatus;
import org.ringwire.codec.MessageType;
import org.ringwire.engine.connection.Connection;
import org.ringwire.engine.connection.ConnectionState;
import org.ringwire.engine.connection.PeerSession;
import org.ringwire.engine.outbound.MessageSender;
import org.ringwire.engine.outbound.SendContext;
import org.ringwire.engine.request.ResponseTypes;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.transport.Link;
import org.ringwire.wire.FrameLayout;

/** How requests go out, and what is said of those that do not. Any thread. */
final class OutgoingRequests {

  private final NodeServices services;
  private final ResponseTypes responseTypes;

  OutgoingRequests(NodeServices services) {
    this.services = services;
    responseTypes = new ResponseTypes(services.config().catalog());
  }

  /** The response's codec must be known before it arrives. */
  void register(Class<?> responseType) {
    responseTypes.expect(Objects.requireNonNull(responseType, "responseType must not be null"));
  }

  /** Sends a request whose slot is open; ACCEPTED, BACK_PRESSURED (in time) or CLOSED. */
  SendStatus send(
      Connection connection, SendContext context, long id, Object message, long waitUntilNs) {
    MessageType<?> type = services.config().catalog().typeOf(message.getClass());
    MessageSender sender = connection.sender();
    return sender == null
        ? SendStatus.CLOSED
        : sender.send(
            context,
            type,
            MessagingNode.codec(type),
            message,
            FrameLayout.REQUEST,
            id,
            waitUntilNs);
  }

  /**
   * As {@link #send}.
   *
   * @param unwanted whether nobody wants the answer any more: then it waits for room no longer
   */
  SendStatus sendIfWanted(
      Connection connection, long id, Object message, long waitUntilNs, BooleanSupplier unwanted) {
    MessageType<?> type = services.config().catalog().typeOf(message.getClass());
    MessageSender sender = connection.sender();
    return sender == null
        ? SendStatus.CLOSED
        : sender.sendIfWanted(
            type,
            MessagingNode.codec(type),
            message,
            FrameLayout.REQUEST,
            id,
            waitUntilNs,
            unwanted);
  }

  /** Whether the connection ends in good order, so that another one may take the request. */
  static boolean mayGoElsewhere(Connection connection) {
    return connection.state() == ConnectionState.DRAINING
        || connection.state() == ConnectionState.CLOSED;
  }

  /** Who waits for the answer does not lead: a thread of the transport has to read it. */
  static void leaveReadingToTransport(Connection connection) {
    PeerSession session = connection.inbound();
    Link link = session == null ? null : session.link();
    if (link != null) {
      link.resumeReading();
    }
  }

  BackPressureException tooMany() {
    return new BackPressureException(
        "too many requests outstanding: maxRequests=" + services.config().maxRequests());
  }

  /** Before the request was accepted for sending. */
  static MessagingException lost(Connection connection) {
    return new ConnectionLostException(
        "connection lost: nodeId=" + connection.nodeId() + ": not sent: " + connection.cause(),
        null,
        false);
  }

  MessagingException notAccepted(Connection connection, SendStatus status, Object message) {
    MessageType<?> type = services.config().catalog().typeOf(message.getClass());
    MessageSender sender = connection.sender();
    String memory =
        sender == null
            ? null
            : sender.lacksMemory(type, MessagingNode.codec(type), message, FrameLayout.REQUEST);
    return new RequestTimeoutException(
        "request not accepted in time: nodeId="
            + connection.nodeId()
            + " messageType="
            + type.name()
            + " status="
            + status
            + (memory == null ? "" : ": " + memory),
        null,
        false);
  }
}
