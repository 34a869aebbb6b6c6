package org.ringwire.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.Dispatch;
import org.ringwire.EndReason;
import org.ringwire.LossReport;
import org.ringwire.Node;
import org.ringwire.Tls;
import org.ringwire.TlsNames;
import org.ringwire.engine.RawPeer;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.InitialisedClasses;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.TestCertificates;
import org.ringwire.testing.TestCertificates.Identity;
import org.ringwire.wire.FrameLayout;

/** What the Flight Recorder is told, and that nodes run without one. */
@ExtendWith(NodeWatcher.class)
class FlightEventsTest {

  record Ask(long number) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Block(byte[] bytes) {}

  private final Queue<RecordedEvent> events = new ConcurrentLinkedQueue<>();

  private RecordingStream record() {
    RecordingStream stream = new RecordingStream();
    stream.setReuse(false);
    for (String name :
        new String[] {
          "Connected", "ConnectionLost", "ConnectionDismissed", "SlowHandler", "FrameRejected"
        }) {
      stream.enable("org.ringwire." + name);
    }
    stream.enable("org.ringwire.SenderStall").withThreshold(Duration.ofMillis(1));
    stream.onEvent(event -> {
      if (event.getEventType().getName().startsWith("org.ringwire.")) {
        events.add(event);
      }
    });
    stream.setMaxAge(Duration.ofMinutes(1));
    stream.startAsync();
    FlightEvents.get().makeKnown(); // where nodes were opened before
    return stream;
  }

  private RecordedEvent event(String name, Predicate<RecordedEvent> which) {
    String type = "org.ringwire." + name;
    Predicate<RecordedEvent> found =
        event -> event.getEventType().getName().equals(type) && which.test(event);
    await(name, () -> events.stream().anyMatch(found));
    return events.stream().filter(found).findFirst().orElseThrow();
  }

  @Test
  void shouldTellTheRecorderWhatIsRare() throws Exception {
    try (RecordingStream stream = record()) {
      tellWhatIsRare();
      assertThat(stream.stop()).as("all was delivered").isTrue();
    }
    assertThat(events)
        .filteredOn(event -> event.getEventType().getName().endsWith("ConnectionLost"))
        .as("what ends in order is no loss")
        .hasSize(1);
  }

  private void tellWhatIsRare() throws Exception {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node receiver = nodes.open(1, settings -> settings.slowHandlerTime(Duration.ofMillis(20)));
      Node sender = nodes.open(2);
      CountDownLatch hold = new CountDownLatch(1);
      receiver.handle(
          Block.class,
          Dispatch.POOLED.inOrder(),
          (block, exchange) -> assertThat(hold.await(60, TimeUnit.SECONDS)).isTrue());
      Thread blocked =
          Thread.ofPlatform()
              .name("blocked")
              .start(() -> {
                for (int count = 0; count < 100; count++) {
                  sender.send(1, new Block(new byte[1000]));
                }
              });
      await( // for long: of what it takes, less is told where the receiver's timer starves
          "it waits",
          () ->
              sender.metrics().connections().stream()
                  .anyMatch(connection -> connection.blockedNs() > 1_000_000_000));
      hold.countDown();
      blocked.join();
      await("handled", () -> receiver.metrics().messagesHandled() == 100);
      try (RawPeer peer = RawPeer.join(receiver, 7)) {
        peer.send(RawPeer.frame(FrameLayout.HELLO, 0)).awaitEnd();
      }
      event("Connected", event -> event.getInt("nodeId") == 2 && event.getInt("peerId") == 1);
      RecordedEvent stall = event("SenderStall", event -> true);
      assertThat(stall.getDuration()).isGreaterThanOrEqualTo(Duration.ofMillis(150));
      assertThat(stall.getInt("nodeId")).isEqualTo(2);
      assertThat(stall.getInt("peerId")).isEqualTo(1);
      assertThat(stall.getThread().getJavaName()).isEqualTo("blocked");
      RecordedEvent slow = event("SlowHandler", event -> true);
      assertThat(slow.getString("messageType")).contains("Block");
      assertThat(slow.getInt("peerId")).isEqualTo(2);
      assertThat(slow.getDuration("took")).isGreaterThanOrEqualTo(Duration.ofMillis(50));
      RecordedEvent rejected = event("FrameRejected", event -> event.getInt("peerId") == 7);
      assertThat(rejected.getString("rule")).isEqualTo("FRAME_LENGTH");
      assertThat(rejected.getString("text")).contains("length");
      RecordedEvent lost = event("ConnectionLost", event -> event.getInt("peerId") == 7);
      assertThat(lost.getString("reason")).isEqualTo("RULE_BROKEN");
      assertThat(lost.getLong("accepted")).isZero();
    }
  }

  /** As many as a node counts, whatever it finds them by. */
  @Test
  void shouldTellOfWhoIsNotLetIn(@TempDir Path folder) throws Exception {
    TestCertificates authority = new TestCertificates("authority");
    try (TestNodes nodes = new TestNodes("tcp")) {
      Tls tls = authority.tls(folder, "default", 1);
      try (RecordingStream stream = record()) {
        Node node = nodes.open(1, settings -> settings.tls(tls));
        int port = Integer.parseInt(String.valueOf(node.address()).replaceFirst(".*:", ""));
        try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), port)) {
          stranger.getOutputStream().write("GET / HTTP/1.1".getBytes(StandardCharsets.US_ASCII));
          RecordedEvent health = event("FrameRejected", event -> event.getInt("peerId") == -1);
          assertThat(health.getString("rule")).isEqualTo("TLS");
          assertThat(health.getString("text")).startsWith("no TLS connection");
        }
        Identity three = authority.issue("three", TlsNames.of("default", 3));
        SSLContext context = TestCertificates.context(three, authority.certificate());
        try (Socket socket =
                context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
            RawPeer peer = RawPeer.over(socket)) {
          peer.send(RawPeer.hello(5, 9, "default").encode()).await(FrameLayout.REFUSE);
          RecordedEvent liar = event("FrameRejected", event -> event.getInt("peerId") == 5);
          assertThat(liar.getString("rule")).isEqualTo("AUTHENTICATION");
          assertThat(liar.getString("text")).contains("expected=[3] actual=5");
        }
        assertThat(stream.stop()).as("all was delivered").isTrue();
        assertThat(events)
            .filteredOn(event -> event.getEventType().getName().endsWith("FrameRejected"))
            .hasSize((int) node.metrics().framesRejected())
            .hasSize(2);
      }
    }
  }

  @Test
  void shouldTellOfDismissalsAndOfMessagesThatAreLostInGoodOrder() {
    try (RecordingStream _ = record()) {
      FlightEvents.get().ended(5, new LossReport(6, EndReason.DISMISSED, "not used", 10, 10, 0, 0));
      FlightEvents.get().ended(5, new LossReport(8, EndReason.PEER_CLOSED, "closed", 1, 1, 0, 0));
      FlightEvents.get().ended(5, new LossReport(9, EndReason.LINK_LOST, "cut", 3, 1, 1, 1));
      FlightEvents.get().ended(5, new LossReport(10, EndReason.NODE_CLOSED, "now", 4, 1, 2, 1));
      RecordedEvent dismissed = event("ConnectionDismissed", event -> true);
      assertThat(dismissed.getInt("nodeId")).isEqualTo(5);
      assertThat(dismissed.getInt("peerId")).isEqualTo(6);
      assertThat(dismissed.getLong("processed")).isEqualTo(10);
      RecordedEvent lost = event("ConnectionLost", event -> event.getInt("peerId") == 9);
      assertThat(lost.getLong("uncertain")).isEqualTo(1);
      RecordedEvent closed = event("ConnectionLost", event -> event.getInt("peerId") == 10);
      assertThat(closed.getString("reason")).isEqualTo("NODE_CLOSED");
      assertThat(closed.getLong("lost")).isEqualTo(2);
      assertThat(events).noneMatch(event -> event.getInt("peerId") == 8);
    }
  }

  /** Started by the test below. */
  static final class Program {

    private Program() {}

    public static void main(String... args) {
      Set<String> present = new LinkedHashSet<>();
      ModuleLayer.boot().modules().forEach(module -> present.add(module.getName()));
      for (String transport : new String[] {"loopback", "tcp"}) {
        try (TestNodes nodes = new TestNodes(transport)) {
          Node one = nodes.open(1);
          nodes.open(2).handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
          Ask answer = one.request(2, new Ask(42), Ask.class, PATIENCE);
          System.out.println(
              answer.number() + " " + one.metrics().connections().size() + " " + present);
        }
      }
    }
  }

  @Test
  void shouldRunWhereNoOtherModuleOfTheJdkIs() throws Exception {
    String output = JavaProgram.run(Program.class, "--limit-modules", "java.base");

    assertThat(output.lines()).containsExactly("42 1 [java.base]", "42 1 [java.base]");
  }

  /** Started by the test below. */
  static final class RecordingLate {

    private RecordingLate() {}

    public static void main(String... args) throws Exception {
      try (TestNodes nodes = new TestNodes("loopback")) {
        System.out.println("beginning");
        nodes.open(1).handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
        Ask _ = nodes.open(2).request(1, new Ask(42), Ask.class, PATIENCE);
        System.out.println("connected");
        CountDownLatch told = new CountDownLatch(1);
        try (RecordingStream stream = new RecordingStream()) {
          stream.onEvent("org.ringwire.Connected", event -> told.countDown());
          stream.startAsync();
          Ask _ = nodes.open(3).request(1, new Ask(43), Ask.class, PATIENCE);
          assertThat(told.await(60, TimeUnit.SECONDS)).as("was recorded").isTrue();
        }
        System.out.println("recorded");
      }
    }
  }

  /** To make a class known to the recorder takes longer than to open a node. */
  @Test
  void shouldNotUseTheRecorderBeforeItRecords() throws Exception {
    String output = JavaProgram.run(RecordingLate.class, "-Xlog:class+init=info");

    String event = "org/ringwire/flight/RecordedEvents$Connected";
    assertThat(InitialisedClasses.between("beginning", "connected", output))
        .contains("org/ringwire/flight/GuardedEvents")
        .doesNotContain(event);
    assertThat(InitialisedClasses.between("connected", "recorded", output)).contains(event);
  }

  /** Started by the test below. */
  static final class RecordingBesideNodes {

    private RecordingBesideNodes() {}

    public static void main(String... args) throws Exception {
      try (TestNodes nodes = new TestNodes("loopback")) {
        nodes.open(1).handle(Ask.class, (ask, exchange) -> exchange.reply(ask));
        Node two = nodes.open(2);
        CountDownLatch told = new CountDownLatch(1);
        try (RecordingStream stream = new RecordingStream()) {
          stream.onEvent("org.ringwire.Connected", event -> told.countDown());
          stream.startAsync();
          await("it is known", RecordingBesideNodes::isKnown);
          Ask _ = two.request(1, new Ask(43), Ask.class, PATIENCE);
          assertThat(told.await(60, TimeUnit.SECONDS)).as("was recorded").isTrue();
        }
        System.out.println("recorded");
      }
    }

    private static boolean isKnown() {
      return FlightRecorder.getFlightRecorder().getEventTypes().stream()
          .anyMatch(type -> type.getName().equals("org.ringwire.FrameRejected"));
    }
  }

  /** By the nodes that are open, though nothing happens to them. */
  @Test
  void shouldBeKnownToARecorderThatBeginsLater() throws Exception {
    assertThat(JavaProgram.run(RecordingBesideNodes.class)).contains("recorded");
  }
}
