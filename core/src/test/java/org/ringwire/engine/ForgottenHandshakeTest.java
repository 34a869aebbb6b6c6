package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Authentication;
import org.ringwire.Node;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.Bytes32;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.Handshake;
import org.ringwire.wire.Hello;
import org.ringwire.wire.TypeAnnouncement;

/** What a HELLO announces may take a megabyte: nobody keeps it as long as there is the link. */
@ExtendWith(NodeWatcher.class)
class ForgottenHandshakeTest {

  private static final Authentication SECRET =
      Authentication.sharedSecret("the secret of this cluster".getBytes(StandardCharsets.UTF_8));

  record Ask(long number) {}

  /** How many objects of a class are in use. */
  private static long count(Class<?> type) {
    try {
      Object histogram =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "gcClassHistogram",
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
      return String.valueOf(histogram)
          .lines()
          .map(line -> line.trim().split("\\s+"))
          .filter(words -> words.length > 3 && words[3].equals(type.getName()))
          .mapToLong(words -> Long.parseLong(words[1]))
          .sum();
    } catch (JMException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldKeepOfAHandshakeWhatTheLinkNeedsAndNothingElse() {
    long hellosBefore = count(Hello.class);
    long typesBefore = count(TypeAnnouncement.class);
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1, settings -> settings.authentication(SECRET));
      Node two = nodes.open(2, settings -> settings.authentication(SECRET));
      one.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      assertThat(two.request(1, new Ask(3), Ask.class, PATIENCE)).isEqualTo(new Ask(3));
      await("no HELLO is kept", () -> count(Hello.class) <= hellosBefore);
      await(
          "of each link what its peer has announced is kept",
          () -> count(TypeAnnouncement.class) <= typesBefore + 2);
    }
  }

  @Test
  void shouldKeepNothingOfTheHelloOfALinkThatItHasLetGoOf() throws IOException {
    long typesBefore = count(TypeAnnouncement.class);
    try (TestNodes nodes = new TestNodes("tcp");
        ServerSocket mute = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      Node two = nodes.open(2);
      two.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      String nowhere = "127.0.0.1:" + mute.getLocalPort();
      Node one =
          nodes.open(
              1,
              settings ->
                  settings
                      .peers(id -> id == 2 ? nowhere : nodes.directory().address(id))
                      .connectTimeout(Duration.ofSeconds(2)));
      one.handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
      assertThat(two.request(1, new Ask(3), Ask.class, PATIENCE)).isEqualTo(new Ask(3));
      await(
          "of the one link what each side has announced is kept",
          () -> count(TypeAnnouncement.class) <= typesBefore + 2);
    }
  }

  /** A HELLO of many short announcements, by one who does not know the secret. */
  private static byte[] strangersHello() {
    List<TypeAnnouncement> types = new ArrayList<>();
    for (int id = 0; id < 10_000; id++) {
      types.add(new TypeAnnouncement(id, "t" + id, 0, new byte[0]));
    }
    Hello open = RawPeer.hello(99, 9, "default");
    return new Hello(
            open.minVersion(),
            open.maxVersion(),
            open.features(),
            open.cluster(),
            open.nodeId(),
            open.expectedNodeId(),
            open.incarnation(),
            open.expectedIncarnation(),
            open.hasListener(),
            open.shared(),
            open.inquiry(),
            Handshake.SHARED_SECRET,
            Bytes32.of(new byte[Bytes32.LENGTH]),
            open.limits(),
            types)
        .encode();
  }

  @Test
  void shouldKeepNoMoreThanItsBytesOfAHelloThatIsNotProved() throws IOException {
    byte[] hello = strangersHello();
    long typesBefore = count(TypeAnnouncement.class);
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node node =
          nodes.open(
              1, settings -> settings.authentication(SECRET).connectTimeout(Duration.ofHours(1)));
      try (RawPeer stranger = RawPeer.connect(node)) {
        stranger.send(hello).await(FrameLayout.CHALLENGE);
        await("nothing else is kept", () -> count(TypeAnnouncement.class) <= typesBefore);
      }
    }
  }
}
