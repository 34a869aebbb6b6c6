package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Authentication;
import org.ringwire.Dispatch;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeClosedException;
import org.ringwire.NodeConfig;
import org.ringwire.NodeUnreachableException;
import org.ringwire.SendStatus;
import org.ringwire.codec.Message;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.engine.services.Transports;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.ForwardingTransport;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;

/** A node that cannot be opened leaves nothing open, whichever part of it fails; nor a link. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("the transport cannot connect")
class OpeningTest {

  private final AtomicInteger open = new AtomicInteger();

  /** Takes the name of what an inspectable node registers. */
  @Message(name = "org.ringwire.management.Inspect")
  record Namesake(long number) {}

  private record Counted(Transport real, AtomicInteger open) implements Transport {

    @Override
    public String listen(String address, LinkAcceptor acceptor) throws IOException {
      if (address.startsWith("error")) {
        throw new NoClassDefFoundError("on purpose");
      }
      return real.listen(address, acceptor);
    }

    @Override
    public void connect(String address, LinkHandler handler) {
      if (address.startsWith("error")) {
        throw new NoClassDefFoundError("on purpose");
      }
      if (address.startsWith("silent")) {
        return;
      }
      real.connect(address, handler);
    }

    @Override
    public boolean isLocal(String address) {
      return true;
    }

    @Override
    public void stopListening() {
      real.stopListening();
    }

    @Override
    public void close() {
      real.close();
      open.decrementAndGet();
    }
  }

  private TransportProvider counted() {
    TransportProvider real = Transports.named("tcp");
    return new TransportProvider() {
      @Override
      public String name() {
        return "tcp";
      }

      @Override
      public Transport open(TransportConfig config) {
        Transport opened = real.open(config);
        open.incrementAndGet();
        return new Counted(opened, open);
      }
    };
  }

  private static TransportProvider broken() {
    return new TransportProvider() {
      @Override
      public String name() {
        return "broken";
      }

      @Override
      public Transport open(TransportConfig config) {
        throw new NoClassDefFoundError("on purpose");
      }
    };
  }

  @Test
  void shouldSayThatItWasClosedBeforeItListens() {
    NodeConfig config = NodeConfig.builder(1).transport("loopback").listen("closed early").build();
    assertThatThrownBy(() -> Node.open(config, Node::close))
        .isInstanceOf(NodeClosedException.class);
  }

  @Test
  void shouldCloseTheTransportWhenANameIsTaken() {
    MessageCatalog catalog = new MessageCatalog();
    catalog.typeOf(Namesake.class);
    NodeConfig config = NodeConfig.builder(1).catalog(catalog).inspectable().build();
    assertThatThrownBy(() -> MessagingNode.open(config, 1, counted(), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("already in use");
    assertThat(open).hasValue(0);
  }

  @Test
  void shouldCloseTheTransportThatFailsToListen() {
    NodeConfig config = NodeConfig.builder(1).listen("error:1").build();
    assertThatThrownBy(() -> MessagingNode.open(config, 1, counted(), null))
        .isInstanceOf(NoClassDefFoundError.class);
    assertThat(open).hasValue(0);
  }

  @Test
  void shouldCloseTheTransportWhenTheLocalOneCannotBeOpened() {
    NodeConfig config = NodeConfig.builder(1).build();
    assertThatThrownBy(() -> MessagingNode.open(config, 1, counted(), broken()))
        .isInstanceOf(NoClassDefFoundError.class);
    assertThat(open).hasValue(0);
  }

  /** Its peers know the address from a former life, and send as soon as somebody listens. */
  @Test
  void shouldHaveItsHandlersBeforeAnybodyConnects() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node two = nodes.open(2);
      Node first = nodes.open(1);
      String address = first.address();
      first.close();
      NodeConfig again = nodes.builder(1).listen(address).build();
      AtomicInteger handled = new AtomicInteger();
      Node one =
          nodes.added(
              Node.open(
                  again,
                  node -> {
                    assertThat(node.address()).as("nobody listens yet").isNull();
                    assertThatThrownBy(() -> two.send(1, new Namesake(1), Duration.ofMillis(200)))
                        .isInstanceOf(MessagingException.class);
                    node.handle(Namesake.class, (message, exchange) -> handled.incrementAndGet());
                  }));
      assertThat(one.address()).isEqualTo(address);
      Awaiting.await("a connection", () -> two.trySend(1, new Namesake(2)) == SendStatus.ACCEPTED);
      Awaiting.await("the message", () -> handled.get() == 1);
      assertThat(one.metrics().unhandled()).isZero();
    }
  }

  /** Its peers know the address that it will have, and would find nobody there. */
  @Test
  void shouldTellPeersThatItDoesNotListenWhileItIsSetUp() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node two = nodes.open(2);
      two.handle(Namesake.class, (message, exchange) -> exchange.reply(message));
      Node first = nodes.open(1);
      String address = first.address();
      first.close();
      Node one =
          nodes.added(
              Node.open(
                  nodes.builder(1).listen(address).build(),
                  node -> {
                    Namesake sent = new Namesake(1);
                    assertThat(node.request(2, sent, Namesake.class, TestNodes.PATIENCE))
                        .isEqualTo(sent);
                    assertThatThrownBy(() -> node.send(1, sent))
                        .isInstanceOf(NodeUnreachableException.class)
                        .hasMessageContaining("does not listen yet");
                  }));
      assertThat(two.metrics().connectAttempts()).isZero();
      one.handle(Namesake.class, (message, exchange) -> {});
      one.send(1, new Namesake(2)); // to itself, as it listens now
      assertThat(one.metrics().connectFailures()).isZero();
    }
  }

  @Test
  void shouldCloseTheNodeThatCannotBeSetUp() {
    NodeConfig config = NodeConfig.builder(1).listen("127.0.0.1:0").build();
    Node[] given = new Node[1];
    assertThatThrownBy(() ->
            Node.open(
                config,
                node -> {
                  given[0] = node;
                  throw new IllegalStateException("on purpose");
                }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("on purpose");
    assertThat(given[0].whenClosed()).isDone();
    assertThat(given[0].address()).isNull();
    assertThatThrownBy(() -> Node.open(config, OpeningTest::throwIt))
        .as("what a lambda of another language may throw")
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> Node.open(config, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("setUp must not be null");
  }

  private static void throwIt(Node node) {
    OpeningTest.<RuntimeException>throwUnchecked(new IOException("on purpose"));
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> void throwUnchecked(Exception e) throws E {
    throw (E) e;
  }

  @Test
  void shouldSayWhatIsWrongWithAnAddressWhoeverMayConnect() {
    for (Authentication authentication :
        List.of(Authentication.localOnly(), Authentication.none())) {
      NodeConfig config =
          NodeConfig.builder(1).listen("127.0.0.1").authentication(authentication).build();
      assertThatThrownBy(() -> Node.open(config))
          .isInstanceOf(MessagingException.class)
          .hasMessageContaining("127.0.0.1");
    }
  }

  /** As when a thread of it finds no memory for anything. */
  @Test
  void shouldEndAnAttemptWhoseTransportTellsNothing() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Duration brief = Duration.ofMillis(100);
      NodeConfig config = nodes.builder(1).connectTimeout(brief).keepAlive(brief).build();
      Node one = nodes.added(MessagingNode.open(config, 1, counted(), null));
      nodes.directory().put(2, "silent:1");
      assertThatThrownBy(() -> one.send(2, new Namesake(1), brief))
          .isInstanceOf(MessagingException.class);
      Awaiting.await("its end", () -> one.metrics().connectFailures() == 1);
      nodes.open(2);
      Awaiting.await(
          "another attempt", () -> one.trySend(2, new Namesake(2)) == SendStatus.ACCEPTED);
      assertThat(one.close(brief).isComplete()).as("there was no link to account for").isTrue();
    }
  }

  /** Else nobody could ever connect to that node again. */
  @Test
  void shouldEndAnAttemptWhoseTransportThrows() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.added(MessagingNode.open(nodes.builder(1).build(), 1, counted(), null));
      nodes.directory().put(2, "error:1");
      assertThatThrownBy(() -> one.send(2, new Namesake(1)))
          .isInstanceOf(NodeUnreachableException.class)
          .hasMessageContaining("on purpose");
      assertThatThrownBy(() -> one.connect("error:1", TestNodes.PATIENCE))
          .isInstanceOf(NodeUnreachableException.class)
          .hasMessageContaining("on purpose");
      nodes.open(2);
      Awaiting.await(
          "another attempt", () -> one.trySend(2, new Namesake(2)) == SendStatus.ACCEPTED);
    }
    assertThat(open).hasValue(0);
  }

  /** Of all that can be wrong when a node is opened, callers catch one family. */
  @Test
  void shouldSayWhyTheTransportCannotBeOpened() {
    NodeConfig config = NodeConfig.builder(1).build();
    TransportProvider poor =
        ForwardingTransport.provider(
            "poor",
            settings -> {
              throw new UncheckedIOException("no files on purpose", new IOException());
            });
    assertThatThrownBy(() -> MessagingNode.open(config, 1, poor, null))
        .isInstanceOf(MessagingException.class)
        .hasMessage("cannot open the transport: transport=poor: no files on purpose");
  }

  @Test
  void shouldCloseBothTransportsWhenTheLocalOneIsNone() {
    NodeConfig config = NodeConfig.builder(1).build();
    assertThatThrownBy(() -> MessagingNode.open(config, 1, counted(), counted()))
        .isInstanceOf(MessagingException.class)
        .hasMessageContaining("not a transport for the peers of one machine");
    assertThat(open).hasValue(0);
  }

  @Test
  void shouldRefuseAHandlerThatIsNotThere() {
    try (Node node = Node.open(NodeConfig.builder(1).build())) {
      assertThatThrownBy(() -> node.handle(Namesake.class, null))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("handler must not be null");
      assertThatThrownBy(() -> node.handle(Namesake.class, null, (message, exchange) -> {}))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("dispatch must not be null");
      assertThatThrownBy(() -> new Dispatch(null, true))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("mode must not be null");
      assertThatThrownBy(() -> node.handle(null, (message, exchange) -> {}))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("type must not be null");
      node.handle(Namesake.class, (message, exchange) -> {}); // nothing was taken of the others
    }
  }

  @Test
  void shouldRefuseATypeOfResponseThatIsNotThere() {
    try (Node node = Node.open(NodeConfig.builder(1).build())) {
      Namesake message = new Namesake(1);
      assertThatThrownBy(() -> node.request(2, message, null, Duration.ofSeconds(1)))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("responseType must not be null");
      assertThatThrownBy(() -> node.requestAsync(2, message, null))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("responseType must not be null");
    }
  }

  /** Runs with a system property that is wrong. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      for (int time = 0; time < 2; time++) {
        try (Node _ = Node.open(NodeConfig.builder(1).build())) {
          System.out.println("opened");
        } catch (RuntimeException | Error e) {
          System.out.println(e);
        }
      }
    }
  }

  @Test
  void shouldNameTheSystemPropertyThatIsWrong() throws Exception {
    String expected =
        "java.lang.IllegalArgumentException: ringwire.maxNativeBytes must be a positive number of"
            + " bytes, such as 4g: value=lots";
    assertThat(JavaProgram.run(Program.class, "-Dringwire.maxNativeBytes=lots").lines())
        .containsExactly(expected, expected);
  }
}
