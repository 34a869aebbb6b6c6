package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.testing.NodeWatcher;

/**
 * A process that was stopped finds the beginnings of connections that its peer has given up since,
 * each with its end, and answers each of them by a link of its own.
 */
@ExtendWith(NodeWatcher.class)
class StoppedPeerTest {

  private static final Duration GIVES_UP = Duration.ofMillis(200);
  private static final long PAUSE_NS = 5_000_000;
  private static final int GIVEN_UP = 4;

  /** Looks in a row without a new attempt: one that waits for a processor is not over. */
  private static final int SETTLED = 10;

  record Ask(long number) {}

  record Answer(long number) {}

  private final AtomicBoolean stopped = new AtomicBoolean();

  /** Sends whatever becomes of it. */
  private Thread sendTo(Node node, int peerId) {
    return Thread.ofPlatform()
        .start(() -> {
          for (long number = 0; !stopped.get(); number++) {
            try {
              node.send(peerId, new Ask(number), GIVES_UP);
            } catch (MessagingException _) {
              // the peer is stopped, or has just gone on
            }
            LockSupport.parkNanos(PAUSE_NS);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldBeConnectedSoonAfterThePeerGoesOn(boolean goesOnSending) throws Exception {
    try (TestNodes nodes = new TestNodes("tcp");
        StoppedPeer stoppedPeer = new StoppedPeer()) {
      NodeDirectory.Mutable directory = NodeDirectory.mutable().put(2, stoppedPeer.address());
      Node one = nodes.open(1, it -> it.peers(directory).connectTimeout(GIVES_UP));
      Node two = nodes.open(2);
      answer(two);
      Thread sender = sendTo(one, 2);
      await("attempts are given up", () -> one.metrics().connectFailures() >= GIVEN_UP);
      if (!goesOnSending) {
        stopped.set(true);
        sender.join();
      }

      stoppedPeer.resume(two.address());

      await("an answer", () -> isAnswered(one));
      long attempts = settledAttempts(one, two);
      for (int number = 0; number < 100; number++) {
        assertThat(one.request(2, new Ask(number), Answer.class, PATIENCE))
            .isEqualTo(new Answer(number));
      }
      assertThat(attempts(one, two)).as("nobody connects any more").isEqualTo(attempts);
      stopped.set(true);
      sender.join();
    }
  }

  private static void answer(Node node) {
    node.handle(
        Ask.class,
        Dispatch.INLINE,
        (ask, exchange) -> {
          if (exchange.isRequest()) {
            exchange.reply(new Answer(ask.number()));
          }
        });
  }

  private static boolean isAnswered(Node node) {
    try {
      return node.request(2, new Ask(0), Answer.class, GIVES_UP).number() == 0;
    } catch (MessagingException _) {
      return false;
    }
  }

  private static long attempts(Node one, Node two) {
    return one.metrics().connectAttempts() + two.metrics().connectAttempts();
  }

  /** What is still under way of the attempts that were given up comes to its end. */
  private static long settledAttempts(Node one, Node two) {
    long[] last = {-1};
    int[] equal = {0};
    await(
        "no new attempts",
        () -> {
          long before = last[0];
          last[0] = attempts(one, two);
          equal[0] = last[0] == before ? equal[0] + 1 : 0;
          LockSupport.parkNanos(GIVES_UP.toNanos());
          return equal[0] == SETTLED;
        });
    return last[0];
  }

  /** The peer of one that goes on sends, too: both connect, and each answers the other. */
  @Test
  void shouldBeConnectedSoonWhereBothConnect() throws Exception {
    try (TestNodes nodes = new TestNodes("tcp");
        StoppedPeer stoppedPeer = new StoppedPeer()) {
      NodeDirectory.Mutable directory = NodeDirectory.mutable().put(2, stoppedPeer.address());
      Node one = nodes.open(1, it -> it.peers(directory).connectTimeout(GIVES_UP));
      Node two = nodes.open(2);
      one.handle(Ask.class, Dispatch.INLINE, (_, _) -> {});
      answer(two);
      Thread sender = sendTo(one, 2);
      await("attempts are given up", () -> one.metrics().connectFailures() >= GIVEN_UP);
      Thread other = sendTo(two, 1);
      stoppedPeer.resume(two.address());

      await("an answer", () -> isAnswered(one));
      long attempts = settledAttempts(one, two);
      assertThat(one.request(2, new Ask(7), Answer.class, PATIENCE)).isEqualTo(new Answer(7));
      assertThat(attempts(one, two)).as("nobody connects any more").isEqualTo(attempts);
      stopped.set(true);
      sender.join();
      other.join();
    }
  }
}
