package org.ringwire.wire.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.ring.ReceiveBuffer;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.FrameRecorder;
import org.ringwire.wire.FrameStream;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;
import org.ringwire.wire.WirePools;

@ExtendWith(NodeWatcher.class)
class FrameAssemblerTest {

  private static final int LIMIT = 64 << 20;

  private final ReceiveBufferPool pool = WirePools.open();
  private final FrameRecorder recorder = new FrameRecorder();
  private final FrameAssembler assembler = new FrameAssembler(recorder, LIMIT, pool);

  @AfterEach
  void returnsEveryBuffer() {
    assembler.close();
    WirePools.close(pool);
  }

  @Test
  void shouldHandOutCompleteFramesInPlace() {
    MemorySegment stream = new FrameStream().message(0).message(5).message(80).segment();
    List<Long> offsets = new ArrayList<>();
    List<MemorySegment> memories = new ArrayList<>();
    FrameAssembler inPlace =
        new FrameAssembler(
            (memory, offset, header) -> {
              memories.add(memory);
              offsets.add(offset);
            },
            LIMIT,
            pool);

    inPlace.received(stream, 0, stream.byteSize());

    assertThat(offsets).containsExactly(0L, 8L, 24L);
    assertThat(memories).allSatisfy(memory -> assertThat(memory).isSameAs(stream));
    assertThat(inPlace.takeFrameBuffer()).isNull();
    assertThat(inPlace.receivedBytes()).isEqualTo(stream.byteSize());
    assertThat(inPlace.pendingBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 7})
  void shouldReadFramesAtAnyAlignment(int alignment) {
    FrameStream stream = new FrameStream().message(13).message(0).message(100);
    byte[] shifted = new byte[stream.bytes().length + alignment];
    System.arraycopy(stream.bytes(), 0, shifted, alignment, stream.bytes().length);

    assembler.received(
        MemorySegment.ofArray(shifted), alignment, shifted.length - (long) alignment);

    assertThat(recorder.bytes()).isEqualTo(stream.bytes());
  }

  @Test
  void shouldJoinAFrameThatArrivesByteByByte() {
    byte[] stream = new FrameStream().message(3).message(0).message(40).bytes();

    deliver(assembler, stream, 1);

    assertThat(recorder.bytes()).isEqualTo(stream);
    assertThat(recorder.count()).isEqualTo(3);
    assertThat(assembler.receivedBytes()).isEqualTo(stream.length);
  }

  @Test
  void shouldReadTheRestOfALongFrameWhereItBelongs() {
    byte[] stream = new FrameStream().message(1).message(3_000_000).message(2).bytes();

    int position = pump(assembler, stream, 100_000);

    assertThat(position).isEqualTo(stream.length);
    assertThat(recorder.bytes()).isEqualTo(stream);
  }

  @Test
  void shouldOfferNoDestinationForAShortRest() {
    byte[] stream = new FrameStream().message(FrameAssembler.DESTINATION_LENGTH).bytes();

    assertThat(assembler.destination()).isNull();
    assembler.received(MemorySegment.ofArray(stream), 0, 9);

    assertThat(assembler.destination()).isNull();
    assertThat(assembler.pendingBytes()).isEqualTo(9);
  }

  @Test
  void shouldTakeChunksEvenWhereItOfferedADestination() {
    byte[] stream = new FrameStream().message(500_000).bytes();
    assembler.received(MemorySegment.ofArray(stream), 0, 100);
    assertThat(assembler.destination()).isNotNull();

    assembler.received(MemorySegment.ofArray(stream), 100, stream.length - 100);

    assertThat(recorder.bytes()).isEqualTo(stream);
  }

  @Test
  void shouldRefuseMoreBytesThanTheDestinationHadRoomFor() {
    byte[] stream = new FrameStream().message(500_000).bytes();
    assembler.received(MemorySegment.ofArray(stream), 0, 100);
    ByteBuffer destination = assembler.destination();
    assertThat(destination).isNotNull();
    int room = destination.remaining();

    assertThatIllegalStateException().isThrownBy(() -> assembler.receivedInDestination(room + 1));
    assertThatIllegalStateException().isThrownBy(() -> assembler.receivedInDestination(-1));
  }

  @Test
  void shouldHandOverTheBufferOfACollectedFrame() {
    byte[] stream = new FrameStream().message(100_000).message(9).bytes();
    List<ReceiveBuffer> taken = new ArrayList<>();
    FrameAssembler[] self = new FrameAssembler[1];
    self[0] =
        new FrameAssembler(
            (memory, offset, header) -> {
              ReceiveBuffer buffer = self[0].takeFrameBuffer();
              if (buffer != null) {
                assertThat(offset).isZero();
                taken.add(buffer);
              }
              assertThat(self[0].takeFrameBuffer()).isNull();
            },
            LIMIT,
            pool);
    self[0].received(MemorySegment.ofArray(stream), 0, 10);
    self[0].received(MemorySegment.ofArray(stream), 10, stream.length - 10);
    self[0].close();

    assertThat(taken).hasSize(1);
    assertThat(pool.outstanding()).isEqualTo(1);
    assertThat(FrameLayout.readHeader(taken.get(0).segment(), 0))
        .isEqualTo(FrameLayout.header(FrameLayout.MESSAGE, 0, 100_008));
    taken.get(0).release();
  }

  @Test
  void shouldTakeLittleMemoryForALengthThatIsOnlyAnnounced() {
    byte[] start = FrameStream.header(FrameLayout.header(FrameLayout.MESSAGE, 1, LIMIT));
    List<FrameAssembler> open = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      FrameAssembler one = new FrameAssembler(recorder, LIMIT, pool);
      one.received(MemorySegment.ofArray(start), 0, start.length);
      assertThat(one.destination()).isNotNull();
      open.add(one);
    }

    assertThat(pool.outstanding()).isEqualTo(1000);
    assertThat(pool.outstandingBytes()).isLessThanOrEqualTo(1000L * FrameAssembler.PROMPT_LENGTH);
    open.forEach(FrameAssembler::close);
    assertThat(pool.outstanding()).isZero();
  }

  @Test
  void shouldGrowNoFasterThanBytesArrive() {
    byte[] stream = new FrameStream().message(20 << 20).bytes();
    int at = 0;
    while (at < stream.length) {
      int length = Math.min(10_000, stream.length - at);
      assembler.received(MemorySegment.ofArray(stream), at, length);
      at += length;
      assertThat(pool.outstandingBytes())
          .isLessThanOrEqualTo(Math.max(FrameAssembler.PROMPT_LENGTH, 8L * at));
    }
    assertThat(recorder.bytes()).isEqualTo(stream);
  }

  @Test
  void shouldReadALongFrameIntoABufferThatLiesIdleAndHoldsAllOfIt() {
    byte[] stream = new FrameStream().message(1_000_000).bytes();
    pool.acquire(stream.length).release();
    long acquiredBefore = pool.acquired();

    int position = pump(assembler, stream, 100_000);

    assertThat(position).isEqualTo(stream.length);
    assertThat(recorder.bytes()).isEqualTo(stream);
    assertThat(pool.acquired() - acquiredBefore).isEqualTo(1);
  }

  @Test
  void shouldDeliverWhatWasWholeWhenTheStreamEndsWithinAFrame() {
    byte[] stream = new FrameStream().message(10).message(10).message(1000).bytes();

    assembler.received(MemorySegment.ofArray(stream), 0, 200);
    assertThat(assembler.pendingBytes()).isEqualTo(200 - 48);
    assertThat(pool.outstanding()).isEqualTo(1);
    assembler.close();
    assembler.close();

    assertThat(recorder.count()).isEqualTo(2);
    assertThat(pool.outstanding()).isZero();
  }

  @Test
  void shouldIgnoreWhatComesAfterTheEnd() {
    byte[] stream = new FrameStream().message(10).bytes();
    assembler.close();
    assembler.maxFrameLength(LIMIT);

    assembler.received(MemorySegment.ofArray(stream), 0, stream.length);
    assembler.receivedInDestination(5);

    assertThat(recorder.count()).isZero();
    assertThat(assembler.receivedBytes()).isZero();
    assertThat(assembler.destination()).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 9, 12})
  void shouldStopWhenTheConsumerClosesIt(int firstPiece) {
    byte[] stream = new FrameStream().message(8).message(8).message(3).bytes();
    List<Long> seen = new ArrayList<>();
    FrameAssembler[] self = new FrameAssembler[1];
    self[0] =
        new FrameAssembler(
            (memory, offset, header) -> {
              seen.add(header);
              self[0].close();
              self[0].maxFrameLength(LIMIT); // opens nothing again
              assertThat(FrameLayout.readHeader(memory, offset)).isEqualTo(header);
            },
            LIMIT,
            pool);

    self[0].received(MemorySegment.ofArray(stream), 0, firstPiece);
    self[0].received(MemorySegment.ofArray(stream), firstPiece, stream.length - firstPiece - 3);

    assertThat(seen).hasSize(1);
    assertThat(self[0].pendingBytes()).isZero();
  }

  @Test
  void shouldKeepNoPartOfAFrameWhenTheConsumerHasClosedIt() {
    byte[] stream = new FrameStream().message(8).message(8).bytes();
    FrameAssembler[] self = new FrameAssembler[1];
    self[0] = new FrameAssembler((memory, offset, header) -> self[0].close(), LIMIT, pool);

    self[0].received(MemorySegment.ofArray(stream), 0, 16 + 3);

    assertThat(self[0].pendingBytes()).isZero();
  }

  @Test
  void shouldApplyANewLimitToTheNextFrameOfTheSamePiece() {
    byte[] stream = new FrameStream().message(8).message(5000).message(8).bytes();
    FrameRecorder frames = new FrameRecorder();
    FrameAssembler[] self = new FrameAssembler[1];
    self[0] =
        new FrameAssembler(
            (memory, offset, header) -> {
              frames.frame(memory, offset, header);
              self[0].maxFrameLength(frames.count() == 1 ? 5008 : 15);
            },
            16,
            pool);

    assertThatThrownBy(() -> self[0].received(MemorySegment.ofArray(stream), 0, stream.length))
        .isInstanceOfSatisfying(
            ProtocolException.class, e -> assertThat(e.reason()).isEqualTo(Reason.FRAME_LENGTH))
        .hasMessageContaining("length=16")
        .hasMessageContaining("limit=15");
    assertThat(frames.count()).isEqualTo(2);
  }

  @Test
  void shouldEndWithTheExceptionOfTheConsumer() {
    byte[] stream = new FrameStream().message(8).message(100).message(8).bytes();
    int[] calls = {0};
    FrameAssembler failing =
        new FrameAssembler(
            (memory, offset, header) -> {
              calls[0]++;
              throw new IllegalStateException("consumer");
            },
            LIMIT,
            pool);
    failing.received(MemorySegment.ofArray(stream), 0, 12);

    assertThatIllegalStateException()
        .isThrownBy(() -> failing.received(MemorySegment.ofArray(stream), 12, 50))
        .withMessage("consumer");
    failing.received(MemorySegment.ofArray(stream), 62, stream.length - 62);

    assertThat(calls[0]).isEqualTo(1);
    assertThat(pool.outstanding()).isZero();
  }

  @Test
  void shouldValidateTheLimit() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> assembler.maxFrameLength(7))
        .withMessageContaining("maxFrameLength=7");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> assembler.maxFrameLength(Integer.MAX_VALUE));
  }

  private static void deliver(FrameAssembler assembler, byte[] stream, int piece) {
    for (int at = 0; at < stream.length; at += piece) {
      assembler.received(MemorySegment.ofArray(stream), at, Math.min(piece, stream.length - at));
    }
  }

  /** Delivers as a transport would that uses destinations. */
  private static int pump(FrameAssembler assembler, byte[] stream, int piece) {
    int at = 0;
    while (at < stream.length) {
      ByteBuffer destination = assembler.destination();
      int length = Math.min(piece, stream.length - at);
      if (destination == null) {
        assembler.received(MemorySegment.ofArray(stream), at, length);
      } else {
        length = Math.min(length, destination.remaining());
        destination.put(stream, at, length);
        assembler.receivedInDestination(length);
      }
      at += length;
    }
    return at;
  }
}
