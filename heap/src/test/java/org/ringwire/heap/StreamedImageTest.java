package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.EncodingException;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.BlockSource;
import org.ringwire.heap.image.Decoder;
import org.ringwire.heap.image.Encoder;
import org.ringwire.heap.image.classes.DeclaredClasses;
import org.ringwire.testing.NodeWatcher;

/** Images in blocks, without a network: cut anywhere, damaged anyhow. */
@ExtendWith(NodeWatcher.class)
class StreamedImageTest {
  private static final int BLOCK = 4096;
  private static final long LIMIT = 4L << 20;

  private final DeclaredClasses classes = new DeclaredClasses();
  private final HeapCodec codec =
      HeapCodec.builder().acceptPackage("org.ringwire.heap").maxBytes(LIMIT).build();
  private final Encoder encoder = codec.channelEncoder(classes);

  private Decoder decoder() {
    return codec.channelDecoder(number -> classes.from(number, 1));
  }

  private List<byte[]> blocksOf(@Nullable Object graph) {
    return blocksOf(graph, encoder);
  }

  private static List<byte[]> blocksOf(@Nullable Object graph, Encoder encoder) {
    List<byte[]> blocks = new ArrayList<>();
    boolean[] last = new boolean[1];
    encoder.stream(
        graph,
        BLOCK,
        (head, body, isLast) -> {
          assertThat(last[0]).isFalse();
          last[0] = isLast;
          byte[] front = head.toArray(ValueLayout.JAVA_BYTE);
          blocks.add(front);
          if (body != null) {
            assertThat(head.byteSize() + body.byteSize()).isLessThanOrEqualTo(BLOCK);
            blocks.add(body.toArray(ValueLayout.JAVA_BYTE));
          }
        });
    assertThat(last[0]).isTrue();
    return blocks;
  }

  /** Gives blocks, each in memory that is gone when the next one is asked for. */
  private static BlockSource source(List<byte[]> blocks) {
    List<byte[]> left = new ArrayList<>(blocks);
    left.removeIf(block -> block.length == 0);
    MemorySegment[] before = {MemorySegment.NULL};
    return () -> {
      before[0].fill((byte) 0x55);
      if (left.isEmpty()) {
        return null;
      }
      byte[] block = left.removeFirst();
      before[0] = Arena.ofAuto().allocate(block.length);
      MemorySegment.copy(block, 0, before[0], ValueLayout.JAVA_BYTE, 0, block.length);
      return before[0];
    };
  }

  private static byte[] joined(List<byte[]> blocks) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    blocks.forEach(all::writeBytes);
    return all.toByteArray();
  }

  private static List<byte[]> cut(byte[] image, Random random, int most) {
    List<byte[]> pieces = new ArrayList<>();
    for (int at = 0; at < image.length; ) {
      int end = Math.min(image.length, at + 1 + random.nextInt(most));
      pieces.add(Arrays.copyOfRange(image, at, end));
      at = end;
    }
    return pieces;
  }

  @Test
  void shouldUnderstandImagesHoweverTheyAreCut() {
    Random random = new Random(1);
    Decoder decoder = decoder();
    for (int seed = 0; seed < 200; seed++) {
      Object graph = RandomGraphs.graph(seed, 1 + random.nextInt(200));
      List<byte[]> blocks = blocksOf(graph);
      assertThat(Graphs.difference(graph, decoder.decode(source(blocks)))).isNull();

      List<byte[]> pieces = cut(joined(blocks), random, 1 << random.nextInt(10));
      assertThat(Graphs.difference(graph, decoder.decode(source(pieces))))
          .as("seed %d", seed)
          .isNull();
    }
  }

  /** What lies in front of a block is not part of the image, and looks like other tags here. */
  @Test
  void shouldNotLookInFrontOfABlock() {
    Object[] graph = new Samples.Point[20];
    Arrays.setAll(graph, i -> i % 2 == 0 ? new Samples.Point(i, i) : null);
    HeapCodec plain =
        HeapCodec.builder().acceptPackage("org.ringwire.heap").detectCycles(false).build();
    byte[] image = joined(blocksOf(graph, plain.channelEncoder(classes)));
    MemorySegment memory = Arena.ofAuto().allocate(2L * image.length);
    for (int cut = 1; cut < image.length; cut++) {
      List<MemorySegment> blocks = new ArrayList<>();
      for (byte[] piece :
          List.of(Arrays.copyOf(image, cut), Arrays.copyOfRange(image, cut, image.length))) {
        MemorySegment block = memory.asSlice(blocks.isEmpty() ? 1 : cut + 2, piece.length);
        MemorySegment.copy(piece, 0, block, ValueLayout.JAVA_BYTE, 0, piece.length);
        blocks.add(block); // one byte of zero in front, which is the tag of null
      }
      memory.set(ValueLayout.JAVA_BYTE, cut + 1, (byte) 0);
      Decoder decoder = plain.channelDecoder(number -> classes.from(number, 1));
      Object copy = decoder.decode(() -> blocks.isEmpty() ? null : blocks.removeFirst());
      assertThat(Graphs.difference(graph, copy)).as("cut=%d", cut).isNull();
    }
  }

  @Test
  void shouldCarryArraysOfEveryKindThatAreLongerThanBlocks() {
    Object[] graph = {
      new boolean[10_000],
      new byte[10_001],
      new char[5003],
      new short[5001],
      new int[300_000],
      new long[5000],
      new float[2000],
      new double[3000],
      "x".repeat(20_000),
      new byte[BLOCK],
      new byte[BLOCK - 20]
    };
    Random random = new Random(2);
    for (int i = 0; i < 300_000; i++) {
      ((int[]) graph[4])[i] = random.nextInt();
    }
    ((boolean[]) graph[0])[9999] = true;
    random.nextBytes((byte[]) graph[1]);
    List<byte[]> blocks = blocksOf(graph);

    assertThat(Graphs.difference(graph, decoder().decode(source(blocks)))).isNull();
    List<byte[]> pieces = cut(joined(blocks), random, 5000);
    assertThat(Graphs.difference(graph, decoder().decode(source(pieces)))).isNull();
  }

  @Test
  void shouldDeclareAClassOnce() {
    Object graph = new Samples.Circle(1);
    int first = joined(blocksOf(graph)).length;
    int second = joined(blocksOf(graph)).length;

    assertThat(second).isEqualTo(4 + 1 + 8);
    assertThat(first).isGreaterThan(second + 40);
  }

  @Test
  void shouldSurviveDamage() {
    int count = Boolean.getBoolean("ringwire.nightly") ? 1_000_000 : 3000;
    Random random = new Random(3);
    Object graph = RandomGraphs.graph(11, 150);
    byte[] image = joined(blocksOf(graph));
    int refused = 0;
    for (int i = 0; i < count; i++) {
      byte[] damaged = image.clone();
      for (int k = random.nextInt(4); k >= 0; k--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      if (random.nextInt(4) == 0) {
        damaged = Arrays.copyOf(damaged, random.nextInt(damaged.length));
      }
      try {
        Graphs.walk(decoder().decode(source(cut(damaged, random, 1000))));
      } catch (DecodingException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(count / 3);
  }

  /** As a sender may whose remote writes do not end with a block. */
  @Test
  void shouldSurviveMemoryThatChangesWhileItIsDecoded() throws InterruptedException {
    int count = Boolean.getBoolean("ringwire.nightly") ? 1_000_000 : 5000;
    Object[] pairs = new Samples.Pair[200];
    Arrays.setAll(pairs, i -> new Samples.Pair(i, "word"));
    Object[] graph = {RandomGraphs.graph(12, 150), pairs, new boolean[500], "x".repeat(300)};
    byte[] image = joined(blocksOf(graph));
    MemorySegment memory = Arena.ofAuto().allocate(image.length, Long.BYTES);
    MemorySegment.copy(image, 0, memory, ValueLayout.JAVA_BYTE, 0, image.length);
    AtomicBoolean ended = new AtomicBoolean();
    Thread hostile =
        Thread.ofPlatform().name("hostile-sender").start(() -> write(memory, image, ended));
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    int decoded = 0;
    int refused = 0;
    try {
      // More than that many if the other thread was not scheduled meanwhile.
      while (decoded < count || (refused < count / 100 && System.nanoTime() - deadlineNs < 0)) {
        decoded++;
        @Nullable MemorySegment[] left = {memory};
        BlockSource source =
            () -> {
              MemorySegment block = left[0];
              left[0] = null;
              return block;
            };
        try {
          Graphs.walk(decoder().decode(source));
        } catch (DecodingException e) {
          refused++;
        }
      }
    } finally {
      ended.set(true);
      hostile.join();
    }
    System.gc(); // looks at everything that is still there
    assertThat(refused).isBetween(count / 100, decoded);
  }

  /** Changes a byte and takes that back, again and again. */
  private static void write(MemorySegment memory, byte[] image, AtomicBoolean ended) {
    Random random = new Random(5);
    while (!ended.get()) {
      int at = random.nextInt(image.length);
      memory.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt());
      for (int i = random.nextInt(200); i > 0; i--) {
        Thread.onSpinWait();
      }
      memory.set(ValueLayout.JAVA_BYTE, at, image[at]);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MAX_VALUE, -1, (int) LIMIT, (int) (2 * LIMIT)})
  void shouldNotAllocateForWhatIsOnlyAnnounced(int length) {
    for (Object array : List.of(new Object[3], new int[3], new ArrayList<>(List.of(1)), "abc")) {
      byte[] image = joined(blocksOf(array));
      int at = 5; // behind the header and the tag
      MemorySegment.ofArray(image).set(ValueLayout.JAVA_INT_UNALIGNED, at, length);

      assertThatThrownBy(() -> decoder().decode(source(List.of(image))))
          .as(array.getClass().getName())
          .isInstanceOf(DecodingException.class);
    }
  }

  @Test
  void shouldNotAllocateForNestsOfWhatIsOnlyAnnounced() {
    Object[] nest = {};
    for (int i = 0; i < 90; i++) {
      nest = new Object[] {nest};
    }
    byte[] image = joined(blocksOf(nest));
    for (int at = 5; at < image.length; at += 5) {
      MemorySegment.ofArray(image).set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) LIMIT - 5000);
    }

    assertThatThrownBy(() -> decoder().decode(source(List.of(image))))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("too many elements announced");
  }

  @Test
  void shouldRefuseWhatIsLongerThanTheLimit() {
    Object tooLong = new long[(int) LIMIT / Long.BYTES];

    assertThatThrownBy(() -> blocksOf(tooLong))
        .isInstanceOf(EncodingException.class)
        .hasMessageContaining("limit of bytes");
    assertThatThrownBy(() -> blocksOf(new Object[] {"a".repeat((int) LIMIT)}))
        .isInstanceOf(EncodingException.class);
    assertThatThrownBy(() -> decoder().decode(source(List.of(joined(blocksOf("a")), new byte[1]))))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("bytes are left");
  }

  @Test
  void shouldRefuseNumbersOfClassesThatNobodyDeclared() {
    byte[] image = joined(blocksOf(new Samples.Circle(1)));
    byte[] later = joined(blocksOf(new Samples.Circle(1)));
    later[4] = (byte) 200;

    assertThatThrownBy(() -> decoder().decode(source(List.of(later))))
        .isInstanceOf(DecodingException.class)
        .hasMessageContaining("not declared");
    assertThatThrownBy(() -> codec.decode(image)).isInstanceOf(DecodingException.class);
    image[4] = 3; // a declaration without a number
    assertThatThrownBy(() -> decoder().decode(source(List.of(image))))
        .isInstanceOf(DecodingException.class);
  }

  /** The limit is met anywhere in the image, also within the declaration of a class. */
  @Test
  void shouldKnowClassesByTheirNumbersAfterAGraphThatWasRefused() {
    Object refused = new Samples.Pair(1, "text");
    for (int length = BLOCK - 200; length < BLOCK; length++) {
      DeclaredClasses known = new DeclaredClasses();
      HeapCodec narrow =
          HeapCodec.builder().acceptPackage("org.ringwire.heap").maxBytes(BLOCK).build();
      Encoder sender = narrow.channelEncoder(known);
      Object tooLong = new Object[] {new byte[length], refused, new byte[BLOCK]};
      assertThatThrownBy(() -> blocksOf(tooLong, sender)).isInstanceOf(EncodingException.class);
      Decoder receiver = narrow.channelDecoder(number -> known.from(number, 1));
      for (Object graph : new Object[] {new Samples.Point(1, 2), refused}) {
        Object copy = receiver.decode(source(blocksOf(graph, sender)));
        assertThat(Graphs.difference(graph, copy)).as("length=%d", length).isNull();
      }
    }
  }

  /** As over a carrier, where the next part finds no room, though its block has begun to leave. */
  @Test
  void shouldGiveTheNumberOfAClassToNoOtherAfterABlockThatLeftInPart() {
    List<byte[]> left = new ArrayList<>();
    assertThatThrownBy(() ->
            encoder.stream(
                new Object[] {new Samples.Circle(1), "x".repeat(100)},
                BLOCK,
                (head, body, isLast) -> {
                  left.add(head.asSlice(0, head.byteSize() - 50).toArray(ValueLayout.JAVA_BYTE));
                  throw new ChannelTimeoutException("no room came in time");
                }))
        .isInstanceOf(ChannelTimeoutException.class);
    Decoder decoder = decoder();
    assertThatThrownBy(() -> decoder.decode(source(left))).isInstanceOf(DecodingException.class);

    for (Object graph : new Object[] {new Samples.Point(1, 2), new Samples.Circle(3)}) {
      Object copy = decoder.decode(source(blocksOf(graph)));
      assertThat(Graphs.difference(graph, copy)).isNull();
    }
    assertThat(classes.from(0, 1).getFirst()).startsWith(Samples.Circle.class.getName() + "\n");
  }

  @Test
  void shouldTakeReferencesWhateverTheLimitOfBytes() {
    HeapCodec wide = HeapCodec.builder().maxBytes(Long.MAX_VALUE).build();
    Object[] graph = {"a", List.of("b")};
    List<byte[]> blocks = blocksOf(graph, wide.channelEncoder(classes));

    assertThat(wide.channelDecoder(number -> List.of()).decode(source(blocks))).isEqualTo(graph);
  }
}
