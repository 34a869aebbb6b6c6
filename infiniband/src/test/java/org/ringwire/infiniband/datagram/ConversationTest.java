package org.ringwire.infiniband.datagram;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.LateStart;
import org.ringwire.infiniband.simulated.SimulatedLibrary;
import org.ringwire.testing.NodeWatcher;

/** Two ends over a network that loses, doubles, reorders and damages, in virtual time. */
@ExtendWith(NodeWatcher.class)
class ConversationTest {

  private static final long US = TimeUnit.MICROSECONDS.toNanos(1);

  private static SimulatedEnd[] ends(SimulatedNetwork network, SplittableRandom random) {
    SimulatedEnd one = new SimulatedEnd(network, random.nextLong());
    SimulatedEnd two = new SimulatedEnd(network, random.nextLong());
    one.peer = two;
    two.peer = one;
    return new SimulatedEnd[] {one, two};
  }

  private static void run(SimulatedNetwork network, SimulatedEnd[] ends, long mostSteps) {
    for (long step = 0; network.step(ends[0], ends[1]); step++) {
      assertThat(step).as("steps").isLessThan(mostSteps);
    }
  }

  private static void assertComplete(String why, SimulatedEnd from, SimulatedEnd to) {
    assertThat(to.received).as(why).isEqualTo(from.toSend);
    assertThat(from.released).as(why).isEqualTo(from.toSend);
    assertThat(from.conversation.outstanding()).as(why).isZero();
    assertThat(to.mostHeld).as(why).isLessThan(SendWindow.MOST);
  }

  @Test
  void shouldSendNothingTwiceIfNothingIsLost() {
    SplittableRandom random = new SplittableRandom(1);
    SimulatedNetwork network = new SimulatedNetwork(random, 0, 0, 0, 20 * US, 0);
    SimulatedEnd[] ends = ends(network, random);
    ends[0].toSend = 1_000_000;
    run(network, ends, 1_000_000);
    assertComplete("clean", ends[0], ends[1]);
    assertThat(ends[0].conversation.repetitions()).isZero();
    long segments = 1_000_000 / (SimulatedEnd.MOST_CONTENT / 2);
    assertThat(network.sent()).as("with acknowledgements").isLessThan(segments * 2);
  }

  /** Whatever the network does: every byte once and in order, both ways, all of it released. */
  @Test
  void shouldCarryEverythingThroughEveryKindOfFault() {
    long base = System.nanoTime();
    for (int round = 0; round < 150; round++) {
      long seed = base + round;
      SplittableRandom random = new SplittableRandom(seed);
      SimulatedNetwork network =
          new SimulatedNetwork(
              random,
              random.nextDouble(0.4),
              random.nextDouble(0.3),
              random.nextDouble(0.2),
              random.nextLong(1, 2000) * US,
              random.nextBoolean() ? 0 : random.nextLong(1, 5000) * US);
      SimulatedEnd[] ends = ends(network, random);
      ends[0].toSend = random.nextInt(100_000);
      ends[1].toSend = random.nextInt(20_000);
      run(network, ends, 2_000_000);
      assertComplete("seed=" + seed, ends[0], ends[1]);
      assertComplete("seed=" + seed, ends[1], ends[0]);
    }
  }

  /** What follows a lost segment finds it, so the timer is for the last ones only. */
  @Test
  void shouldRecoverFromLossWithoutTimeouts() {
    SplittableRandom random = new SplittableRandom(7);
    long latencyNs = 100 * US;
    SimulatedNetwork network = new SimulatedNetwork(random, 0.02, 0, 0, latencyNs, 0);
    SimulatedEnd[] ends = ends(network, random);
    ends[0].toSend = 2_000_000;
    long startNs = network.nowNs;
    run(network, ends, 5_000_000);
    assertComplete("two of a hundred", ends[0], ends[1]);
    double segments = 2_000_000 / (SimulatedEnd.MOST_CONTENT / 2.0);
    assertThat(ends[0].conversation.repetitions() / segments).isBetween(0.01, 0.04);
    long roundTrips = (network.nowNs - startNs) / (2 * latencyNs);
    assertThat(roundTrips)
        .as("segments of a window of five or more")
        .isLessThan((long) segments / 5);
  }

  @Test
  void shouldSendAgainLittleIfDatagramsOnlyChangePlacesWithTheirNeighbours() {
    SplittableRandom random = new SplittableRandom(9);
    SimulatedNetwork network = new SimulatedNetwork(random, 0, 0.1, 0, 500 * US, US / 100);
    SimulatedEnd[] ends = ends(network, random);
    ends[0].toSend = 500_000;
    run(network, ends, 2_000_000);
    assertComplete("reordered", ends[0], ends[1]);
    double segments = 500_000 / (SimulatedEnd.MOST_CONTENT / 2.0);
    assertThat(ends[0].conversation.repetitions() / segments).isLessThan(0.03);
  }

  /** Numbers on the wire have 32 bits. */
  @Test
  void shouldExpandNumbersNearTheirBoundary() {
    for (long near : new long[] {0, 5, (1L << 32) - 3, (1L << 32) + 3, 7L << 32}) {
      for (long offset = Math.max(-near, -300); offset < 300; offset++) {
        assertThat(Sequence.expand((int) (near + offset), near)).isEqualTo(near + offset);
      }
    }
  }

  /** Of numbers and of microseconds, both of which take an hour or more to come there. */
  @Test
  void shouldCarryEverythingWhereWhatIsOnTheWireWraps() throws Exception {
    long base = System.nanoTime();
    for (int round = 0; round < 8; round++) {
      long seed = base + round;
      SplittableRandom random = new SplittableRandom(seed);
      long jitterNs = random.nextLong(1, 5000) * US;
      SimulatedNetwork network = new SimulatedNetwork(random, 0.2, 0.2, 0.1, 500 * US, jitterNs);
      network.nowNs = (1L << Integer.SIZE) * US - random.nextLong(50_000 * US);
      SimulatedEnd[] ends = ends(network, random);
      long boundary = round % 2 == 0 ? 1L << Integer.SIZE : 1L << (Integer.SIZE - 1);
      beginAt(boundary - random.nextInt(300), ends[0], ends[1]);
      beginAt(boundary - random.nextInt(100), ends[1], ends[0]);
      ends[0].toSend = 50_000;
      ends[1].toSend = 10_000;
      run(network, ends, 2_000_000);
      assertComplete("seed=" + seed, ends[0], ends[1]);
      assertComplete("seed=" + seed, ends[1], ends[0]);
    }
  }

  private static void beginAt(long number, SimulatedEnd from, SimulatedEnd to) throws Exception {
    Object sending = LateStart.part(from.conversation, "sending");
    LateStart.set(sending, number, "next", "acknowledged", "released");
    LateStart.set(LateStart.part(to.conversation, "receiving"), number, "next", "end");
  }

  @Test
  void shouldWaitForRoomInThePort() {
    SplittableRandom random = new SplittableRandom(3);
    SimulatedNetwork network = new SimulatedNetwork(random, 0.1, 0, 0, 20 * US, 0);
    SimulatedEnd[] ends = ends(network, random);
    ends[0].toSend = 20_000;
    for (int step = 0; step < 1_000_000 && ends[0].released < ends[0].toSend; step++) {
      ends[0].room = random.nextInt(3);
      ends[1].room = random.nextInt(3);
      boolean _ = network.step(ends[0], ends[1]);
    }
    assertComplete("little room", ends[0], ends[1]);
  }

  @Test
  void shouldLetTheTimerGoWhenNothingIsOutstanding() {
    SplittableRandom random = new SplittableRandom(5);
    SimulatedNetwork network = new SimulatedNetwork(random, 0, 0, 0, 20 * US, 0);
    SimulatedEnd[] ends = ends(network, random);
    assertThat(ends[0].conversation.deadlineNs()).isEqualTo(Conversation.NEVER);
    ends[0].toSend = 1;
    ends[0].pump(network.nowNs);
    assertThat(ends[0].conversation.deadlineNs()).isNotEqualTo(Conversation.NEVER);
    run(network, ends, 100);
    assertThat(ends[0].conversation.deadlineNs()).isEqualTo(Conversation.NEVER);
    assertThat(ends[1].conversation.deadlineNs()).isEqualTo(Conversation.NEVER);
    assertThat(ends[0].conversation.slots()).as("an idle link is small").isEqualTo(4);
  }

  /** Links are many, and each may have had much to send once. */
  @Test
  void shouldKeepFewSegmentsWhenFewAreSentAfterMany() {
    SplittableRandom random = new SplittableRandom(6);
    SimulatedNetwork network = new SimulatedNetwork(random, 0, 0, 0, 20 * US, 0);
    SimulatedEnd[] ends = ends(network, random);
    ends[0].toSend = 100_000;
    ends[0].pump(network.nowNs);
    run(network, ends, 100_000);
    assertThat(ends[0].conversation.outstanding()).isZero();
    assertThat(ends[0].conversation.slots()).isGreaterThan(4);
    for (int i = 0; i < 10; i++) {
      ends[0].toSend++;
      ends[0].pump(network.nowNs);
      run(network, ends, 100);
    }
    assertThat(ends[0].conversation.slots()).isEqualTo(4);
  }

  /** Else what was released with the last one would never be reported. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldReleaseSegmentsThoughThereIsNoHeapForFewerOfThem(@TempDir Path folder)
      throws Exception {
    assertThat(SimulatedLibrary.compile(folder).run(List.of("-Xmx48m"), NoHeapWindowProgram.class))
        .contains("released: true true true", "fewer: true");
  }

  /**
   * What the peer holds ahead of its turn, and then tells nothing more of because that is lost: it
   * is asked for again until it is acknowledged with all before it.
   */
  @Test
  void shouldGoOnAskingForAnAcknowledgementAfterALateBitmap() {
    SimulatedEnd end = endThatHasSentThree();
    assertThat(end.conversation.outstanding()).isEqualTo(3);
    assertThat(end.conversation.heard(acknowledgement(2, 0), 1)).isTrue();
    assertThat(end.conversation.heard(acknowledgement(0, 0b10), 2)).isTrue(); // 2 is held: late
    assertGoesOnAsking(end);
  }

  /** The peer sends while it takes what it had held, and its acknowledgement of that is lost. */
  @Test
  void shouldGoOnAskingWhereTheOldestWasNamedBefore() {
    SimulatedEnd end = endThatHasSentThree();
    assertThat(end.conversation.heard(acknowledgement(1, 0b1), 1)).isTrue(); // 2 is held
    assertThat(end.conversation.heard(acknowledgement(2, 0), 2)).isTrue(); // and so is it still
    assertGoesOnAsking(end);
  }

  private static SimulatedEnd endThatHasSentThree() {
    SplittableRandom random = new SplittableRandom(1);
    SimulatedNetwork network = new SimulatedNetwork(random, 0, 0, 0, 20 * US, 0);
    SimulatedEnd end = ends(network, random)[0];
    for (int number = 0; number < 3; number++) {
      end.toSend = end.prepared + 1;
      end.pump(0);
    }
    return end;
  }

  private static void assertGoesOnAsking(SimulatedEnd end) {
    long deadlineNs = end.conversation.deadlineNs();
    assertThat(deadlineNs).isNotEqualTo(Conversation.NEVER);
    end.pump(deadlineNs);
    assertThat(end.conversation.repetitions()).isPositive();
    assertThat(end.conversation.heard(acknowledgement(3, 0), deadlineNs + 1)).isTrue();
    end.pump(deadlineNs + 1);
    assertThat(end.conversation.outstanding()).isZero();
    assertThat(end.conversation.deadlineNs()).isEqualTo(Conversation.NEVER);
  }

  private static Datagram acknowledgement(int next, long bitmap) {
    Datagram datagram = new Datagram();
    datagram.kind = Datagram.ACKNOWLEDGEMENT;
    datagram.next = next;
    datagram.window = SendWindow.MOST;
    datagram.words[0] = bitmap;
    datagram.wordCount = bitmap == 0 ? 0 : 1;
    return datagram;
  }

  @Test
  void shouldTellHowLongThePeerHasBeenSilent() {
    SplittableRandom random = new SplittableRandom(5);
    SimulatedNetwork network = new SimulatedNetwork(random, 1, 0, 0, 20 * US, 0);
    SimulatedEnd[] ends = ends(network, random);
    ends[0].toSend = 1;
    long startNs = network.nowNs;
    while (network.nowNs - startNs < TimeUnit.MINUTES.toNanos(1)) {
      assertThat(network.step(ends[0], ends[1])).isTrue();
    }
    assertThat(ends[0].conversation.silenceNs(network.nowNs))
        .isGreaterThanOrEqualTo(TimeUnit.MINUTES.toNanos(1));
    assertThat(network.sent()).as("one a second, in the end").isLessThan(80);
    ends[0].conversation.abandon();
    assertThat(ends[0].conversation.releasable()).isNotNull();
    ends[0].conversation.release();
    assertThat(ends[0].conversation.releasable()).isNull();
    assertThat(ends[0].conversation.deadlineNs()).isEqualTo(Conversation.NEVER);
  }

  /** What the peer has said meanwhile lies behind what others have, and is not read yet. */
  @Test
  void shouldNotTakeItsOwnPauseForSilenceOfThePeer() {
    SplittableRandom random = new SplittableRandom(8);
    SimulatedNetwork network = new SimulatedNetwork(random, 1, 0, 0, 20 * US, 0);
    SimulatedEnd end = ends(network, random)[0];
    end.toSend = 1;
    end.pump(network.nowNs);
    long pausedNs = TimeUnit.MINUTES.toNanos(1);
    network.nowNs += pausedNs;
    end.pump(network.nowNs);
    assertThat(end.conversation.silenceNs(network.nowNs)).isLessThan(TimeUnit.SECONDS.toNanos(1));
    assertThat(end.conversation.repetitions()).as("asked again").isEqualTo(1);
    network.nowNs = end.conversation.deadlineNs();
    end.pump(network.nowNs);
    assertThat(end.conversation.silenceNs(network.nowNs)).isLessThan(TimeUnit.SECONDS.toNanos(1));
  }

  /** A peer that knows the token and says anything: nothing is thrown, and little is kept. */
  @Test
  void shouldBearAnyDatagramOfAGenuinePeer() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 200; round++) {
      SimulatedNetwork network = new SimulatedNetwork(random, 0.3, 0, 0, 20 * US, 0);
      SimulatedEnd[] ends = ends(network, random);
      ends[0].toSend = 50_000;
      ends[0].trust(77);
      Datagram head = new Datagram();
      for (int i = 0; i < 1000; i++) {
        network.nowNs += random.nextLong(3_000_000);
        ends[0].pump(network.nowNs);
        head.kind = random.nextInt(6);
        head.number = random.nextBoolean() ? random.nextInt() : random.nextInt(600);
        head.next = random.nextBoolean() ? random.nextInt() : random.nextInt(600);
        head.window = random.nextInt(1 << 16);
        head.sentUs = random.nextInt();
        head.echoUs = random.nextInt();
        head.wordCount = head.kind == Datagram.ACKNOWLEDGEMENT ? random.nextInt(5) : 0;
        for (int word = 0; word < head.wordCount; word++) {
          head.words[word] = random.nextLong();
        }
        // A farewell without content: what is wrong with the stream is not what this is about.
        head.address(0xfedc, head.wordCount * Long.BYTES);
        byte[] bytes = new byte[Datagram.LENGTH + head.wordCount * Long.BYTES];
        long token = random.nextInt(20) == 0 ? random.nextLong() : 77;
        int _ = head.write(MemorySegment.ofArray(bytes), 0, token);
        ends[0].arrived(bytes, network.nowNs);
        assertThat(ends[0].conversation.slots()).as("seed=%s", seed).isLessThanOrEqualTo(256);
        assertThat(ends[0].mostHeld).as("seed=%s", seed).isLessThan(256);
      }
    }
  }
}
