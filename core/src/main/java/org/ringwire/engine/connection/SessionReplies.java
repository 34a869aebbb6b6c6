package org.ringwire.engine.connection;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ringwire.NodeListener;
import org.ringwire.engine.connection.link.DataPath;
import org.ringwire.engine.inbound.Replies;
import org.ringwire.engine.outbound.MessageSender;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FailureReason;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;

/**
 * Answers to what came in over a link: they take the connection's way out, which is another link
 * unless this one is shared. Any thread.
 */
final class SessionReplies implements Replies {

  private final PeerSession session;
  private final Connections connections;

  SessionReplies(PeerSession session, Connections connections) {
    this.session = session;
    this.connections = connections;
  }

  @Override
  public int peerId() {
    Connection owner = session.connection();
    return owner == null ? NodeListener.UNKNOWN_NODE : owner.nodeId();
  }

  @Override
  public void reply(long correlation, Object response) {
    Connection owner = session.connection();
    DataPath way = wayTo(owner);
    if (way == null) {
      dropped(owner);
    } else {
      try {
        Objects.requireNonNull(response, "response must not be null");
        way.respond(correlation, response);
      } catch (Throwable e) { // whatever it is: the requester waits for an answer
        fail(correlation, FailureReason.NOT_ENCODED, textOf(e));
        throw e;
      }
    }
  }

  /** An error is mostly not of this library, and may have no text. */
  private static String textOf(Throwable failure) {
    return failure instanceof Error error
        ? ErrorLog.textOf(error)
        : String.valueOf(failure.getMessage());
  }

  @Override
  public void fail(long correlation, FailureReason reason, String text) {
    Connection owner = session.connection();
    DataPath way = wayTo(owner);
    MessageSender messages = way == null ? null : way.sender();
    if (messages == null) {
      dropped(owner);
    } else if (!messages.responses().fail(ControlFrames.failure(correlation, reason, text))) {
      session.violated(
          new ProtocolException(
              Reason.LIMIT, "the peer asks and does not read what it is answered: " + text));
    }
  }

  @Override
  public void abandoned() {
    dropped(session.connection());
  }

  /**
   * The requester knows that it has ended; whoever closes this node wants to, if it did so then.
   */
  private void dropped(@Nullable Connection owner) {
    boolean before = owner != null && owner.isEnded() && !owner.ending().wasInClose();
    if (connections.isClosing() && !before) {
      connections.services().counters().unanswered.increment();
    }
  }

  /** The way that responses take to the peer, or null while there is none. */
  private static @Nullable DataPath wayTo(@Nullable Connection owner) {
    PeerSession data =
        owner == null || !owner.state().takesResponses() ? null : owner.dataSession();
    return data == null ? null : data.data();
  }
}
