package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.AuthenticationRequiredException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.engine.RawPeer.Frame;
import org.ringwire.engine.services.Transports;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.ForwardingTransport;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportProvider;
import org.ringwire.wire.FrameLayout;

/** A node listens on a name, of which the name server may say something else each time. */
@ExtendWith(NodeWatcher.class)
class ListenNameTest {

  private static final String NAME = "name.example:0";

  /** What the name is found to be when the node listens, and who connects as soon as it does. */
  private static final class Renaming extends ForwardingTransport {

    private final Transport real;
    private final String second;
    private final List<@Nullable Frame> answers;

    Renaming(Transport real, String second, List<@Nullable Frame> answers) {
      super(real);
      this.real = real;
      this.second = second;
      this.answers = answers;
    }

    @Override
    public boolean isLocal(String address) {
      return real.isLocal(address.equals(NAME) ? "127.0.0.1:0" : address);
    }

    @Override
    public String listen(String address, LinkAcceptor acceptor) throws IOException {
      String bound = real.listen(second, acceptor);
      String port = bound.substring(bound.lastIndexOf(':'));
      try (RawPeer peer = RawPeer.connect("127.0.0.1" + port)) {
        peer.send(RawPeer.hello(2, 3, "default").encode());
        answers.add(peer.lastBeforeEnd(FrameLayout.WELCOME));
      }
      return bound;
    }
  }

  private static TransportProvider saying(String second, List<@Nullable Frame> answers) {
    return ForwardingTransport.provider(
        "tcp", settings -> new Renaming(Transports.named("tcp").open(settings), second, answers));
  }

  private static Node open(String second, List<@Nullable Frame> answers) {
    NodeConfig config = NodeConfig.builder(1).listen(NAME).build();
    return MessagingNode.open(config, 1, saying(second, answers));
  }

  @Test
  void shouldNotListenWhereOthersCanConnectWhateverANameWasBefore() {
    List<@Nullable Frame> answers = new ArrayList<>();

    assertThatThrownBy(() -> open("0.0.0.0:0", answers).close())
        .isInstanceOf(AuthenticationRequiredException.class)
        .hasMessageContaining("address=" + NAME)
        .hasMessageContaining("0.0.0.0:");

    assertThat(answers).as("who was taken in meanwhile").containsExactly((Frame) null);
  }

  @Test
  void shouldListenWhereNobodyElseCanConnect() throws IOException {
    try (Node node = open("127.0.0.1:0", new ArrayList<>());
        RawPeer _ = RawPeer.join(node, 2)) {
      assertThat(Objects.requireNonNull(node.address())).startsWith("127.0.0.1:");
      assertThat(node.metrics().connections()).hasSize(1);
    }
  }
}
