package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.verbs.types.CompletionOpcode;
import org.ringwire.infiniband.verbs.types.QueuePairState;
import org.ringwire.infiniband.verbs.types.SendFlags;
import org.ringwire.infiniband.verbs.types.SendOpcode;
import org.ringwire.infiniband.verbs.types.WorkStatus;
import org.ringwire.testing.NodeWatcher;

@Tag("rdma")
@Tag("rdma-slice")
@ExtendWith(DeviceTraffic.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(NodeWatcher.class)
final class RcQueuePairTest {

  private static final int ROUNDS = 300;
  private static final long[] SOMEWHERE = {512 << 10, 64};
  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz012345";

  private Loopback pair;

  @BeforeAll
  void connect() {
    pair = new Loopback();
  }

  @AfterAll
  void disconnect() {
    pair.close();
  }

  @Test
  void shouldScatterWhatWasGathered() {
    pair.memory().asSlice(0, 1024).fill((byte) 0);
    pair.receive(5, 0, 10, 100, 10, 200, 400);
    write(8000, ALPHABET);
    pair.request(SendOpcode.SEND_WITH_IMM, 1);
    for (int i = 0; i < 4; i++) {
      pair.range(8000 + 8 * i, 8);
    }
    pair.sends.immediate(0xcafe1234);
    pair.send(pair.one);

    WorkCompletions sent = pair.nextGood(pair.sent);
    assertThat(sent.id(0)).isEqualTo(1);
    assertThat(sent.opcode(0)).isEqualTo(CompletionOpcode.SEND);
    assertThat(sent.isReceive(0)).isFalse();
    WorkCompletions received = pair.nextGood(pair.received);
    assertThat(received.id(0)).isEqualTo(5);
    assertThat(received.opcode(0)).isEqualTo(CompletionOpcode.RECV);
    assertThat(received.isReceive(0)).isTrue();
    assertThat(received.length(0)).isEqualTo(32);
    assertThat(received.hasImmediate(0)).isTrue();
    assertThat(received.immediate(0)).isEqualTo(0xcafe1234);
    assertThat(received.queuePair(0)).isEqualTo(pair.other.number());
    assertThat(read(0, 10) + read(100, 10) + read(200, 12)).isEqualTo(ALPHABET);
    assertThat(read(212, 1)).isEqualTo("\0");
  }

  @Test
  void shouldSendNothingButImmediateData() {
    pair.receive(6);
    pair.request(SendOpcode.SEND_WITH_IMM, 2);
    pair.sends.immediate(-1);
    pair.send(pair.other);

    pair.nextGood(pair.sent);
    WorkCompletions received = pair.nextGood(pair.received);
    assertThat(received.length(0)).isZero();
    assertThat(received.immediate(0)).isEqualTo(-1);
    assertThat(received.queuePair(0)).isEqualTo(pair.one.number());
  }

  @Test
  void shouldWriteIntoMemoryOfThePeerAndTellIt() {
    pair.receive(7);
    write(9000, ALPHABET);
    pair.request(SendOpcode.RDMA_WRITE_WITH_IMM, 3);
    pair.range(9000, 32);
    pair.sends.immediate(42);
    pair.sends.remote(pair.at(20000), pair.region.remoteKey());
    pair.send(pair.one);

    assertThat(pair.nextGood(pair.sent).opcode(0)).isEqualTo(CompletionOpcode.RDMA_WRITE);
    WorkCompletions received = pair.nextGood(pair.received);
    assertThat(received.opcode(0)).isEqualTo(CompletionOpcode.RECV_RDMA_WITH_IMM);
    assertThat(received.id(0)).isEqualTo(7);
    assertThat(received.immediate(0)).isEqualTo(42);
    assertThat(received.length(0)).isEqualTo(32);
    assertThat(read(20000, 32)).isEqualTo(ALPHABET);
  }

  @Test
  void shouldReadMemoryOfThePeer() {
    write(10000, ALPHABET);
    pair.request(SendOpcode.RDMA_READ, 4);
    pair.range(30000, 16);
    pair.range(31000, 16);
    pair.sends.remote(pair.at(10000), pair.region.remoteKey());
    pair.send(pair.one);

    assertThat(pair.nextGood(pair.sent).opcode(0)).isEqualTo(CompletionOpcode.RDMA_READ);
    assertThat(read(30000, 16) + read(31000, 16)).isEqualTo(ALPHABET);
  }

  @Test
  void shouldChangeMemoryOfThePeerAtomically() {
    pair.memory().set(JAVA_LONG, 40000, 41);
    pair.request(SendOpcode.ATOMIC_FETCH_AND_ADD, 5);
    pair.range(40064, 8);
    pair.sends.atomic(pair.at(40000), pair.region.remoteKey(), 1, 0);
    pair.send(pair.one);
    assertThat(pair.nextGood(pair.sent).opcode(0)).isEqualTo(CompletionOpcode.FETCH_ADD);
    assertThat(pair.memory().get(JAVA_LONG, 40000)).isEqualTo(42);
    assertThat(pair.memory().get(JAVA_LONG, 40064)).isEqualTo(41);

    pair.request(SendOpcode.ATOMIC_CMP_AND_SWP, 6);
    pair.range(40064, 8);
    pair.sends.atomic(pair.at(40000), pair.region.remoteKey(), 42, 7);
    pair.send(pair.one);
    assertThat(pair.nextGood(pair.sent).opcode(0)).isEqualTo(CompletionOpcode.COMP_SWAP);
    assertThat(pair.memory().get(JAVA_LONG, 40000)).isEqualTo(7);
    assertThat(pair.memory().get(JAVA_LONG, 40064)).isEqualTo(42);
  }

  @Test
  void shouldTakeInlineBytesWhilePosting() {
    MemorySegment elsewhere = pair.arena.allocateFrom("inline!");
    pair.receive(8, 500, 64);
    pair.sends.clear();
    pair.sends.add(SendOpcode.SEND, 7, SendFlags.SIGNALED | SendFlags.INLINE);
    pair.sends.addRange(elsewhere.address(), 7, 0);
    pair.send(pair.one);
    elsewhere.fill((byte) 'x');

    pair.nextGood(pair.sent);
    pair.nextGood(pair.received);
    assertThat(read(500, 7)).isEqualTo("inline!");
    assertThat(pair.one.maxInline()).isGreaterThanOrEqualTo(128);
  }

  @Test
  void shouldPostChainsOfWhichOnlyTheLastIsSignalled() {
    long posts = pair.sends.posts();
    long bytes = pair.sends.postedBytes();
    pair.receives.clear();
    pair.sends.clear();
    for (int i = 0; i < 10; i++) {
      pair.receives.add(100 + i);
      pair.receives.addRange(pair.at(1000 + 100L * i), 100, pair.region.localKey());
      pair.sends.add(SendOpcode.SEND, i, 0);
      pair.range(8000, 3 + i);
    }
    assertThat(pair.receiveQueue.post(pair.receives, 0)).isEqualTo(10);
    pair.sends.addFlags(9, SendFlags.SIGNALED);
    pair.send(pair.one);

    assertThat(pair.nextGood(pair.sent).id(0)).isEqualTo(9);
    for (int i = 0; i < 10; i++) {
      WorkCompletions received = pair.nextGood(pair.received);
      assertThat(received.id(0)).isEqualTo(100 + i);
      assertThat(received.length(0)).isEqualTo(3 + i);
    }
    assertThat(pair.sends.posts() - posts).isEqualTo(1);
    assertThat(pair.sends.postedBytes() - bytes).isEqualTo(75);
  }

  @Test
  void shouldWaitForEvents() {
    try (EventPoll poll = new EventPoll(List.of(pair.channel), pair.device)) {
      pair.received.requestNotify(false);
      assertThat(poll.await(0)).isFalse();
      pair.receive(9, 0, 100);
      pair.request(SendOpcode.SEND, 8);
      pair.range(8000, 8);
      pair.send(pair.other);

      assertThat(poll.await(60_000)).isTrue();
      assertThat(poll.isChannelReady(0)).isTrue();
      assertThat(poll.isAsyncEventReady()).isFalse();
      assertThat(pair.channel.drain()).isEqualTo(1);
      assertThat(pair.channel.drain()).isZero();
      pair.nextGood(pair.received);
      pair.nextGood(pair.sent);
      assertThat(poll.await(0)).isFalse();
    }
  }

  @Test
  void shouldSayHowFarAChainWasPostedWhenTheQueueIsFull() {
    try (Loopback full = new Loopback(8)) {
      int tooMany = 32 * full.one.maxSendRequests(); // devices round up
      SendRequests many = new SendRequests(full.arena, tooMany, 1);
      for (int i = 0; i < tooMany; i++) {
        many.add(SendOpcode.SEND, i, SendFlags.SIGNALED);
      }
      // Nothing is received, so nothing completes: the queue stays full.
      int posted = full.one.post(many, 0);
      assertThat(posted).isBetween(full.one.maxSendRequests(), tooMany - 1);
      assertThat(many.postedRequests()).isEqualTo(posted);
      assertThat(full.one.post(many, posted)).isEqualTo(posted);

      full.one.toError();
      for (int i = 0; i < posted; i++) {
        WorkCompletions flushed = full.next(full.sent);
        assertThat(flushed.id(0)).isEqualTo(i);
        assertThat(flushed.status(0)).isEqualTo(WorkStatus.WR_FLUSH_ERR);
      }
    }
  }

  @Test
  void shouldFailForAWrongKey() {
    try (Loopback failing = new Loopback()) {
      failing.request(SendOpcode.RDMA_WRITE, 1);
      failing.range(0, 8);
      failing.sends.remote(failing.at(0), failing.region.remoteKey() ^ 0x5500);
      assertThat(failing.one.state()).isEqualTo(QueuePairState.RTS);
      failing.send(failing.one);
      assertThat(failing.next(failing.sent).status(0)).isEqualTo(WorkStatus.REM_ACCESS_ERR);
      assertThat(failing.one.state()).isEqualTo(QueuePairState.ERR);

      failing.send(failing.one);
      assertThat(failing.next(failing.sent).status(0)).isEqualTo(WorkStatus.WR_FLUSH_ERR);
    }
  }

  @Test
  void shouldAllocateNothingPerRequest() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    exchange(ROUNDS); // links the calls
    long before = threads.getCurrentThreadAllocatedBytes();
    exchange(ROUNDS);
    long perRound = (threads.getCurrentThreadAllocatedBytes() - before) / ROUNDS;
    assertThat(perRound).as("bytes for posting, polling, arming and draining").isZero();
  }

  private void exchange(int rounds) {
    for (int i = 0; i < rounds; i++) {
      pair.received.requestNotify(false);
      pair.receive(i, SOMEWHERE);
      pair.request(SendOpcode.SEND_WITH_IMM, i);
      pair.range(8000, 64);
      pair.sends.immediate(i);
      pair.send(pair.one);
      pair.nextGood(pair.sent);
      if (pair.nextGood(pair.received).immediate(0) != i) {
        throw new AssertionError("round " + i);
      }
      pair.channel.drain();
    }
  }

  @Test
  void shouldRefuseWhatIsClosed() {
    Loopback closed = new Loopback();
    closed.close();
    assertThat(closed.one.isClosed()).isTrue();
    assertThatThrownBy(() -> closed.one.toError()).isInstanceOf(IllegalStateException.class);
    closed.sends.clear();
    closed.one.close();
  }

  private void write(long offset, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, pair.memory(), offset, bytes.length);
  }

  private String read(long offset, int length) {
    byte[] bytes = new byte[length];
    MemorySegment.copy(pair.memory(), offset, MemorySegment.ofArray(bytes), 0, length);
    return new String(bytes, StandardCharsets.US_ASCII);
  }
}
