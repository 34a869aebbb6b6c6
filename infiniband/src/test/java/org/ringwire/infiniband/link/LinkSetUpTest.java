package org.ringwire.infiniband.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.connect.Exchange;
import org.ringwire.infiniband.connect.ExchangeFormat;
import org.ringwire.infiniband.connect.ExchangeReader;
import org.ringwire.infiniband.connect.Terms;
import org.ringwire.infiniband.device.SetUpThreads;
import org.ringwire.infiniband.verbs.types.Gid;
import org.ringwire.infiniband.verbs.types.Mtu;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;

/** What peers say of their ends over TCP, and what is done about it. */
@Tag("rdma-classes")
@ExtendWith(NodeWatcher.class)
class LinkSetUpTest {

  private static final long PATIENCE_S = 60;
  private static final Terms TERMS =
      new Terms(1, 2, 3, Gid.parse("::ffff:10.99.0.1"), Mtu.MTU_4096, 4, 65536, 5);

  private final Engineless engineless = new Engineless();

  @AfterEach
  void close() {
    engineless.close();
  }

  /** A connection over TCP: keeps what is sent. */
  private static final class Connection implements Link {

    final BlockingQueue<Exchange> sent = new LinkedBlockingQueue<>();
    private final ExchangeReader reader = new ExchangeReader();
    private volatile @Nullable LinkSetUp endsWhenItHears; // as a peer does that is refused

    @Override
    public boolean write(OutboundSource source) throws IOException {
      OutboundRanges ranges = new OutboundRanges(1);
      long count = source.next(ranges);
      for (int i = 0; i < ranges.count(); i++) {
        MemorySegment memory = ranges.segment(i);
        reader.read(memory, ranges.offset(i), ranges.length(i), sent::add);
      }
      source.sent(count);
      LinkSetUp heard = endsWhenItHears;
      if (heard != null) {
        heard.closed(null);
      }
      return true;
    }

    Exchange next() throws InterruptedException {
      Exchange message = sent.poll(PATIENCE_S, TimeUnit.SECONDS);
      assertThat(message).isNotNull();
      return message;
    }

    @Override
    public void close() {}

    @Override
    public String remote() {
      return "peer";
    }
  }

  /** A link that somebody wants to open from the other side, over this connection. */
  private EndingLink accepted(Connection connection) {
    return begun(connection, null, "peer");
  }

  private EndingLink begun(Connection connection, @Nullable String address, String remote) {
    List<EndingLink> before = new ArrayList<>();
    engineless.register.forEach(before::add);
    LinkSetUp setUp = engineless.register.begin(engineless.newLink().handler, address, remote);
    assertThat(setUp).isNotNull();
    for (EndingLink link : engineless.register) {
      if (!before.contains(link)) {
        link.terms = TERMS;
        setUp.opened(connection);
        return link;
      }
    }
    throw new AssertionError("no link");
  }

  private static void offer(EndingLink link) {
    byte[] bytes = ExchangeFormat.encode(new Exchange.Offer(TERMS));
    link.life.setUp().received(MemorySegment.ofArray(bytes), 0, bytes.length);
  }

  /** Anybody who can connect may name an address that nobody has, before he says who he is. */
  @Test
  void shouldSetUpOthersWhileAnAddressIsLookedFor() throws InterruptedException {
    CountDownLatch reachable = new CountDownLatch(1);
    List<Connection> strangers = new ArrayList<>();
    for (int i = 0; i < SetUpThreads.MOST - 1; i++) {
      strangers.add(new Connection());
      EndingLink link = accepted(strangers.getLast());
      link.reachable = reachable;
      offer(link); // returns, though nobody answers
    }
    Connection connection = new Connection();
    offer(accepted(connection));

    assertThat(connection.next()).isEqualTo(new Exchange.Answer(TERMS));
    assertThat(strangers).allMatch(stranger -> stranger.sent.isEmpty());
    reachable.countDown();
    for (Connection stranger : strangers) {
      assertThat(stranger.next()).isEqualTo(new Exchange.Answer(TERMS));
    }
  }

  /** Else one who names such addresses again and again would keep everybody from connecting. */
  @Test
  void shouldLetOthersHaveTheirTurnHoweverManyAddressesSomebodyNames() throws InterruptedException {
    List<EndingLink> strangers = new ArrayList<>();
    for (int i = 0; i < 3 * SetUpThreads.MOST; i++) {
      strangers.add(begun(new Connection(), null, "192.0.2.9:" + (1000 + i)));
      strangers.getLast().reachable = new CountDownLatch(1);
      offer(strangers.getLast());
    }
    Connection connection = new Connection();
    offer(begun(connection, null, "192.0.2.1:1000"));

    strangers.getFirst().reachable.countDown(); // the first of those that have a thread

    assertThat(connection.next()).isEqualTo(new Exchange.Answer(TERMS));
    assertThat(strangers.getLast().calls).isEmpty();
    strangers.forEach(each -> each.reachable.countDown());
  }

  /** What this side opens does not wait for strangers, however many there are. */
  @Test
  void shouldOpenLinksWhileStrangersHaveAllThreads() throws InterruptedException {
    CountDownLatch reachable = new CountDownLatch(1);
    for (int i = 0; i < 2 * SetUpThreads.MOST; i++) {
      EndingLink link = accepted(new Connection());
      link.reachable = reachable;
      offer(link);
    }
    Connection connection = new Connection();
    EndingLink own = begun(connection, "there:1", "there:1");
    assertThat(connection.next()).isEqualTo(new Exchange.Offer(TERMS));
    byte[] bytes = ExchangeFormat.encode(new Exchange.Answer(TERMS));

    own.life.setUp().received(MemorySegment.ofArray(bytes), 0, bytes.length);

    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (!own.calls.contains("ready") && System.nanoTime() - deadlineNs < 0) {
      Thread.onSpinWait();
    }
    assertThat(own.calls).containsExactly("connected", "ready");
    reachable.countDown();
  }

  /** Others may have all that links share for a moment: that is no reason not to connect. */
  @Test
  void shouldSayThatItIsReadyAsSoonAsThereIsRoom() throws InterruptedException {
    EndingLink own = answeredWithoutRoom();

    own.hasRoom = true;

    Awaiting.await("the opener is ready", () -> own.calls.contains("ready"));
    assertThat(own.calls).startsWith("connected", "no room").endsWith("ready");
    assertThat(own.life.isClosing()).isFalse();
  }

  @Test
  void shouldNotWaitForRoomForALinkThatHasEnded() throws InterruptedException {
    EndingLink own = answeredWithoutRoom();

    own.close();

    Awaiting.await("nobody is inside", own.life::isClosed);
    assertThat(own.calls).doesNotContain("ready");
  }

  private EndingLink answeredWithoutRoom() throws InterruptedException {
    Connection connection = new Connection();
    EndingLink own = begun(connection, "there:1", "there:1");
    own.hasRoom = false;
    assertThat(connection.next()).isEqualTo(new Exchange.Offer(TERMS));
    byte[] bytes = ExchangeFormat.encode(new Exchange.Answer(TERMS));
    own.life.setUp().received(MemorySegment.ofArray(bytes), 0, bytes.length);
    Awaiting.await("it has looked again", () -> own.calls.size() > 2);
    return own;
  }

  @Test
  void shouldSayWhyAnEndCannotBeMade() throws InterruptedException {
    Connection connection = new Connection();
    EndingLink link = accepted(connection);
    link.terms = null;

    offer(link);

    assertThat(connection.next()).isEqualTo(new Exchange.Refusal("this link only ends"));
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (!link.life.isClosing() && System.nanoTime() - deadlineNs < 0) {
      Thread.onSpinWait();
    }
    assertThat(link.life.ended()).hasMessage("this link only ends");
  }

  /** It is the reason, not that the peer, who has heard it, went away. */
  @Test
  void shouldKeepTheReasonOfARefusalThatThePeerHearsAtOnce() throws InterruptedException {
    Connection connection = new Connection();
    EndingLink link = accepted(connection);
    link.connected = false;
    link.terms = null;
    connection.endsWhenItHears = link.life.setUp();

    offer(link);

    assertThat(connection.next()).isInstanceOf(Exchange.Refusal.class);
    assertThat(link.life.isClosing()).isTrue();
    assertThat(link.life.ended()).hasMessage("this link only ends");
  }

  /** Nobody looks for an address for a link that has ended. */
  @Test
  void shouldPassOverALinkThatHasEndedMeanwhile() throws InterruptedException {
    CountDownLatch reachable = new CountDownLatch(1);
    for (int i = 0; i < SetUpThreads.MOST; i++) {
      EndingLink link = accepted(new Connection());
      link.reachable = reachable;
      offer(link);
    }
    EndingLink late = accepted(new Connection());
    offer(late);
    late.close();
    Connection connection = new Connection();
    EndingLink last = accepted(connection);
    offer(last);
    assertThat(connection.sent).isEmpty();

    reachable.countDown();

    assertThat(connection.next()).isEqualTo(new Exchange.Answer(TERMS));
    assertThat(late.calls).doesNotContain("connected");
    assertThat(last.calls).contains("connected");
  }
}
