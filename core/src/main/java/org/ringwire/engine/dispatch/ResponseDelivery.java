package org.ringwire.engine.dispatch;

import java.lang.foreign.MemorySegment;
import org.ringwire.MessagingException;
import org.ringwire.RemoteHandlerException;
import org.ringwire.codec.Reader;
import org.ringwire.engine.inbound.LinkType;
import org.ringwire.engine.inbound.LinkTypes;
import org.ringwire.engine.request.PendingRequest;
import org.ringwire.engine.request.PendingRequests;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FailureReason;
import org.ringwire.wire.FrameLayout;

/**
 * Hands what the peer of one link has answered to the requests that wait for it. A response is
 * decoded where the transport has put it; whatever is wrong with one concerns its request alone.
 *
 * <p>Reading thread only.
 */
final class ResponseDelivery {

  /** While a longer answer is decoded nobody should wait for this thread to write. */
  private static final int LONGEST_OF_ROUND = 16 << 10;

  private final NodeServices services;
  private final InboundSession session;
  private final LinkTypes types;
  private final AnswerRound answers;
  private final Reader reader = new Reader();

  /**
   * @param types what the peer has told of
   * @param answers the link's, which whoever reads something else ends
   */
  ResponseDelivery(
      NodeServices services, InboundSession session, LinkTypes types, AnswerRound answers) {
    this.services = services;
    this.session = session;
    this.types = types;
    this.answers = answers;
  }

  /** A response: completes its request on this thread. */
  void response(MemorySegment memory, long offset, long header) {
    long correlation = ControlFrames.correlation(memory, offset);
    PendingRequests requests = services.requests();
    PendingRequest pending = requests.find(correlation);
    if (pending == null || !pending.belongsTo(session.connection())) {
      requests.countLate();
      return;
    }
    if (FrameLayout.length(header) <= LONGEST_OF_ROUND) {
      answers.begin(session.connection());
    } else {
      answers.end(); // decoding may take its time
    }
    LinkType type = types.get(FrameLayout.type(header));
    Class<?> expected = pending.responseType();
    Object response = null;
    RuntimeException failure = null;
    try {
      response = decodeResponse(type, memory, offset, header);
      if (!expected.isInstance(response)) {
        failure =
            new MessagingException(
                "response of another type: expected="
                    + expected.getName()
                    + " actual="
                    + response.getClass().getName());
      }
    } catch (MessagingException e) {
      failure = e;
    }
    if (!requests.end(correlation, failure == null ? response : null, failure)) {
      requests.countLate();
    }
  }

  private Object decodeResponse(LinkType type, MemorySegment memory, long offset, long header) {
    if (type.resolve(services.config().catalog()) == null) {
      throw new MessagingException(
          "response of a type that this node does not know; register it before the request:"
              + " messageType="
              + type.name());
    }
    int head = FrameLayout.HEADER_LENGTH + FrameLayout.CORRELATION_LENGTH;
    reader.wrap(memory, offset + head, FrameLayout.length(header) - head);
    reader.copyViews(true);
    Object response;
    try {
      response = type.decode(reader, -1);
    } catch (Throwable e) { // an Error or an undeclared exception, too, concerns this request alone
      throw new MessagingException(
          "response does not decode: messageType=" + type.name() + ": " + ErrorLog.textOf(e), e);
    }
    if (reader.remaining() != 0) {
      throw new MessagingException(
          "response with bytes left over: messageType="
              + type.name()
              + " remaining="
              + reader.remaining());
    }
    return response;
  }

  /** A request of ours has failed at the peer. */
  void failure(MemorySegment memory, long offset, long header) {
    long correlation = ControlFrames.correlation(memory, offset);
    PendingRequest pending = services.requests().find(correlation);
    String text =
        "nodeId=" + session.peerId() + ": " + ControlFrames.failureText(memory, offset, header);
    boolean mayBeHandled = FailureReason.of(FrameLayout.type(header)).mayBeHandled();
    if (pending == null
        || !pending.belongsTo(session.connection())
        || !services
            .requests()
            .end(correlation, null, new RemoteHandlerException(text, null, mayBeHandled))) {
      services.requests().countLate();
    }
  }
}
