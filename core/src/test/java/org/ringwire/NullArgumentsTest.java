package org.ringwire;

import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.discovery.DnsDirectory;
import org.ringwire.management.NodeManagement;
import org.ringwire.testing.NodeWatcher;

/** What is not there is named, whatever else is wrong, and before anything is begun. */
@ExtendWith(NodeWatcher.class)
@SuppressWarnings("NullAway") // that is what it is about
class NullArgumentsTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  record Ping(long id) {}

  private static final class PingCodec implements Codec<Ping> {

    @Override
    public int length(Ping ping) {
      return Long.BYTES;
    }

    @Override
    public void encode(Ping ping, Writer writer) {
      writer.putLong(ping.id());
    }

    @Override
    public Ping decode(Reader reader) {
      return new Ping(reader.getLong());
    }
  }

  private static void refuses(String name, ThrowingCallable call) {
    assertThatNullPointerException().isThrownBy(call).withMessage(name + " must not be null");
  }

  @Test
  void shouldNameTheMessageThatIsNotThereThoughNobodyCanBeReached() {
    try (Node node = Node.open(NodeConfig.builder(1).build())) {
      refuses("message", () -> node.send(2, null));
      refuses("message", () -> node.send(2, null, TIMEOUT));
      refuses("message", () -> node.trySend(2, null));
      refuses("message", () -> node.send(Set.of(2), null));
      refuses("message", () -> node.request(2, null, Ping.class, TIMEOUT));
      refuses("message", () -> node.requestAsync(2, null, Ping.class, TIMEOUT));
    }
  }

  @Test
  void shouldNameTheReceiversThatAreNotThere() {
    try (Node node = Node.open(NodeConfig.builder(1).build())) {
      refuses("nodeIds", () -> node.send((Set<Integer>) null, new Ping(1)));
      Set<Integer> ids = new HashSet<>(Arrays.asList(2, null));
      refuses("a node id", () -> node.send(ids, new Ping(1)));
    }
  }

  @Test
  void shouldNameTheSecretAndTheCertificateThatAreNotThere() {
    refuses("secret", () -> Authentication.sharedSecret(null));
    refuses("cluster", () -> TlsNames.of(null, 1));
    refuses("certificate", () -> TlsNames.nodeIds(null, "orders"));
    refuses("certificate", () -> TlsNames.all(null));
  }

  @Test
  void shouldNameWhatIsNotThereOfACatalog() {
    MessageCatalog catalog = new MessageCatalog();
    refuses("lookup", () -> new MessageCatalog(null));
    refuses("type", () -> catalog.register((Class<Ping>) null, new PingCodec()));
    refuses("type", () -> catalog.register(7, (Class<Ping>) null, new PingCodec()));
    refuses("codec", () -> catalog.register(Ping.class, null));
    refuses("codec", () -> catalog.register(7, Ping.class, null));
    refuses("type", () -> catalog.typeOf(null));
    refuses("name", () -> catalog.byName(null));
  }

  @Test
  void shouldNameWhatIsNotThereOfADirectory() {
    refuses("addresses", () -> NodeDirectory.of(null));
    Map<Integer, String> addresses = new HashMap<>();
    addresses.put(null, "127.0.0.1:7400");
    refuses("a node id", () -> NodeDirectory.of(addresses));
    refuses("pattern", () -> DnsDirectory.hosts(null));
    refuses("service", () -> DnsDirectory.services(null, "node-{id}", TIMEOUT));
    refuses("hosts", () -> DnsDirectory.services("_ringwire._tcp.example.org", null, TIMEOUT));
    refuses(
        "server",
        () -> DnsDirectory.services("_ringwire._tcp.example.org", "node-{id}", TIMEOUT, null));
  }

  @Test
  void shouldNameTheNodeOrItsSettingsThatAreNotThere() {
    refuses("config", () -> Node.open(null));
    refuses("node", () -> NodeManagement.register(null));
  }
}
