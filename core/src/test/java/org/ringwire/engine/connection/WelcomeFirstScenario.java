package org.ringwire.engine.connection;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ringwire.SendStatus;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.RawPeer;
import org.ringwire.testing.Awaiting;
import org.ringwire.wire.FrameLayout;

/**
 * A peer is welcomed, and sent to, while another thread still writes what came before, as the
 * question for a proof.
 */
public final class WelcomeFirstScenario extends HandshakeScenario {

  record Note(long number) {}

  /** By reflection. */
  public WelcomeFirstScenario() {}

  /** Whether the peer hears that before what it is sent. */
  @Override
  boolean holds(MessagingNode node, Connections connections) {
    PeerSession in = NowhereProvider.accepted(connections);
    List<Integer> kinds = new CopyOnWriteArrayList<>();
    in.opened(new NotingLink(kinds));
    SendStatus[] sent = new SendStatus[1];
    between(() -> {
      connections.admissions().hello(in, RawPeer.hello(3, 77, "default"));
      sent[0] = node.trySend(3, new Note(1));
    });
    in.pipe().drain();

    Awaiting.await("the message", () -> kinds.contains(FrameLayout.MESSAGE));
    in.closed(null);
    return sent[0] == SendStatus.ACCEPTED && kinds.getFirst() == FrameLayout.WELCOME;
  }
}
