package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.EndReason;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.connection.PeerSession.Phase;
import org.ringwire.engine.connection.link.SessionEnd;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.ProtocolException;

/** Whose fault it is that a link ends, for who reads of it. */
@ExtendWith(NodeWatcher.class)
class OwnFailureTest {

  private static SessionEnd endAfter(Throwable failure) {
    try (MessagingNode node = NowhereProvider.openNode()) {
      PeerSession session = NowhereProvider.accepted(node.connections());
      session.opened(new NotingLink(new ArrayList<>()));
      session.phase(Phase.READY);
      session.violated(failure);
      return session.ending();
    }
  }

  private static SessionEnd endAfterWriting(Throwable failure) {
    try (MessagingNode node = NowhereProvider.openNode()) {
      PeerSession session = NowhereProvider.accepted(node.connections());
      session.opened(new NotingLink(new ArrayList<>()));
      session.phase(Phase.READY);
      session.failed(failure);
      return session.ending();
    }
  }

  @Test
  void shouldNotBlameThePeerForWhatThisNodeHasFailedAt() {
    SessionEnd end = endAfter(new IllegalStateException("no heap"));
    assertThat(end.reason()).isEqualTo(EndReason.LINK_LOST);
    assertThat(end.cause()).isEqualTo("this node failed at what had come: no heap");
  }

  @Test
  void shouldSayOfAWriteThatFailsWhatTheMediumSays() {
    String text = "link broken: remote=10.0.0.1:7400: Broken pipe";
    assertThat(endAfterWriting(new IOException(text)).cause()).isEqualTo("write failed: " + text);
    assertThat(endAfterWriting(new IOException()).cause())
        .isEqualTo("write failed: java.io.IOException");
    assertThat(endAfterWriting(new IllegalStateException("no heap")).cause())
        .isEqualTo("write failed: java.lang.IllegalStateException: no heap");
  }

  @Test
  void shouldBlameThePeerForARuleThatItBreaks() {
    SessionEnd end =
        endAfter(new ProtocolException(ProtocolException.Reason.VALUE, "the kind is unknown"));
    assertThat(end.reason()).isEqualTo(EndReason.RULE_BROKEN);
    assertThat(end.cause()).isEqualTo("the peer broke a rule: the kind is unknown");
  }
}
