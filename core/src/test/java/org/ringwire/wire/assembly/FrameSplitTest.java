package org.ringwire.wire.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.FrameRecorder;
import org.ringwire.wire.FrameStream;
import org.ringwire.wire.WirePools;

/** However a stream is cut into pieces, the same frames come out. */
@ExtendWith(NodeWatcher.class)
class FrameSplitTest {

  private static final int LIMIT = 64 << 20;

  private final ReceiveBufferPool pool = WirePools.open();

  @AfterEach
  void returnsEveryBuffer() {
    WirePools.close(pool);
  }

  @Test
  void shouldSurviveOneCutAtEveryByte() {
    FrameStream frames = mixed();
    byte[] stream = frames.bytes();
    for (int cut = 0; cut <= stream.length; cut++) {
      FrameRecorder recorder = new FrameRecorder();
      try (FrameAssembler assembler = new FrameAssembler(recorder, LIMIT, pool)) {
        MemorySegment memory = MemorySegment.ofArray(stream);
        assembler.received(memory, 0, cut);
        int before = recorder.count();
        assembler.received(memory, cut, stream.length - cut);

        assertThat(recorder.bytes()).isEqualTo(stream);
        assertThat(before).isEqualTo(wholeFrames(stream, cut));
        assertThat(assembler.pendingBytes()).isZero();
      }
    }
  }

  @Test
  void shouldSurviveTwoCutsAtEveryPairOfBytes() {
    byte[] stream = new FrameStream().message(0).message(9).message(17).message(0).bytes();
    MemorySegment memory = MemorySegment.ofArray(stream);
    for (int first = 0; first <= stream.length; first++) {
      for (int second = first; second <= stream.length; second++) {
        FrameRecorder recorder = new FrameRecorder();
        try (FrameAssembler assembler = new FrameAssembler(recorder, LIMIT, pool)) {
          assembler.received(memory, 0, first);
          assembler.received(memory, first, second - first);
          assembler.received(memory, second, stream.length - second);
          assertThat(recorder.bytes()).isEqualTo(stream);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 8, 9, 13, 64})
  void shouldSurvivePiecesOfOneLength(int piece) {
    byte[] stream = mixed().bytes();
    FrameRecorder recorder = new FrameRecorder();
    try (FrameAssembler assembler = new FrameAssembler(recorder, LIMIT, pool)) {
      for (int at = 0; at < stream.length; at += piece) {
        assembler.received(MemorySegment.ofArray(stream), at, Math.min(piece, stream.length - at));
      }
      assertThat(recorder.bytes()).isEqualTo(stream);
      assertThat(assembler.receivedBytes()).isEqualTo(stream.length);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldSurviveRandomPiecesOfFramesUpToSeveralMebibytes(long seed) {
    Random random = new Random(seed);
    FrameStream frames =
        new FrameStream()
            .messages(random, 200, 2000)
            .messages(random, 8, 4 << 20)
            .messages(random, 200, 100_000);
    byte[] stream = frames.bytes();
    FrameRecorder recorder = new FrameRecorder();
    try (Arena arena = Arena.ofConfined();
        FrameAssembler assembler = new FrameAssembler(recorder, LIMIT, pool)) {
      MemorySegment chunk = arena.allocate(300_000);
      int at = 0;
      while (at < stream.length) {
        at += deliverPiece(assembler, stream, at, random, chunk);
      }
      assertThat(recorder.count()).isEqualTo(frames.count());
      assertThat(recorder.bytes()).isEqualTo(stream);
    }
  }

  /** A piece in native memory, or in the destination if there is one and chance wills it. */
  private static int deliverPiece(
      FrameAssembler assembler, byte[] stream, int at, Random random, MemorySegment chunk) {
    int bound = random.nextInt(8) == 0 ? 20 : 300_000;
    int length = Math.min(1 + random.nextInt(bound), stream.length - at);
    ByteBuffer destination = random.nextInt(4) == 0 ? null : assembler.destination();
    if (destination == null) {
      MemorySegment source = MemorySegment.ofArray(stream).asSlice(at, length);
      MemorySegment.copy(source, 0, chunk, 0, length);
      assembler.received(chunk, 0, length);
      chunk.asSlice(0, length).fill((byte) 0xDD); // nobody may look at it again
    } else {
      length = Math.min(length, destination.remaining());
      destination.put(stream, at, length);
      assembler.receivedInDestination(length);
    }
    return length;
  }

  private static FrameStream mixed() {
    return new FrameStream()
        .message(0)
        .message(1)
        .message(0)
        .message(7)
        .message(8)
        .add(FrameStream.frame(FrameLayout.REQUEST, 3, new byte[8]))
        .add(FrameStream.frame(FrameLayout.CREDIT, 0, new byte[24]))
        .message(300)
        .add(FrameStream.frame(FrameLayout.PING, 0, new byte[8]))
        .message(80)
        .message(0);
  }

  private static int wholeFrames(byte[] stream, int end) {
    MemorySegment memory = MemorySegment.ofArray(stream);
    int count = 0;
    long at = 0;
    while (at + 8 <= end) {
      at += FrameLayout.occupied(FrameLayout.length(FrameLayout.readHeader(memory, at)));
      count += at <= end ? 1 : 0;
    }
    return count;
  }
}
