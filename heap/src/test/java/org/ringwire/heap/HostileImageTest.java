package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.codec.DecodingException;
import org.ringwire.testing.NodeWatcher;

/**
 * Damaged images end with a {@link DecodingException}, or with a graph in which every field holds
 * what its type allows; nothing else may happen, and the heap stays whole.
 */
@ExtendWith(NodeWatcher.class)
class HostileImageTest {
  private static final int NORMAL = 20_000;
  private static final int NIGHTLY = 1_000_000;
  private static final int GRAPHS = 64;

  private static final HeapCodec CODEC =
      HeapCodec.builder().acceptPackage("org.ringwire.heap").maxBytes(1 << 20).build();

  @Test
  void shouldEndDamagedImagesWithAnError() {
    long seed = Long.getLong("ringwire.seed", System.nanoTime());
    int count = Boolean.getBoolean("ringwire.nightly") ? NIGHTLY : NORMAL;
    Random random = new Random(seed);
    byte[][] images = new byte[GRAPHS][];
    for (int i = 0; i < GRAPHS; i++) {
      images[i] = CODEC.encode(RandomGraphs.graph(seed + i, 3 + random.nextInt(20)));
    }
    int refused = 0;
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < count; i++) {
        byte[] image =
            damaged(images[random.nextInt(GRAPHS)], images[random.nextInt(GRAPHS)], random);
        if (!survives(image, random.nextBoolean() ? arena : null, "seed=" + seed + " round=" + i)) {
          refused++;
        }
      }
    }
    System.gc(); // looks at everything that is still there
    assertThat(refused).as("seed=%d", seed).isBetween(count / 4, count);
  }

  /** Whether there was a graph. */
  private static boolean survives(byte[] image, Arena arena, String where) {
    try {
      Object graph;
      if (arena == null || image.length > 4096) {
        graph = CODEC.decode(image);
      } else {
        MemorySegment memory = Arena.ofAuto().allocate(Math.max(1, image.length));
        MemorySegment.copy(MemorySegment.ofArray(image), 0, memory, 0, image.length);
        graph = CODEC.decode(memory);
      }
      Graphs.walk(graph);
      return true;
    } catch (DecodingException e) {
      assertThat(e.getMessage()).isNotBlank();
      return false;
    } catch (RuntimeException | Error e) {
      throw new AssertionError(where + " image=" + Arrays.toString(image), e);
    }
  }

  private static byte[] damaged(byte[] original, byte[] other, Random random) {
    byte[] image = original.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(image.length);
      switch (random.nextInt(7)) {
        case 0 -> image[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> image[at] = (byte) random.nextInt(256);
        case 2 ->
            image[at] =
                (byte) (random.nextInt(5) == 0 ? 128 + random.nextInt(8) : random.nextInt(105));
        case 3 -> {
          int length = Math.min(random.nextInt(64), image.length - at);
          int from = random.nextInt(Math.max(1, other.length - length));
          System.arraycopy(other, from, image, at, Math.min(length, other.length - from));
        }
        case 4 -> image = Arrays.copyOf(image, Math.max(1, at));
        case 5 -> {
          if (image.length >= Integer.BYTES) {
            ByteBuffer view = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
            int[] values = {
              0, 1, -1, 2, 5, 255, Integer.MAX_VALUE, Integer.MIN_VALUE, image.length
            };
            view.putInt(
                Math.min(at, image.length - Integer.BYTES), values[random.nextInt(values.length)]);
          }
        }
        default -> {
          int end = Math.min(image.length, at + random.nextInt(32));
          byte[] cut = Arrays.copyOf(image, image.length - (end - at));
          System.arraycopy(image, end, cut, at, image.length - end);
          image = cut.length == 0 ? image : cut;
        }
      }
    }
    if (image.length >= 16 && random.nextInt(8) != 0) {
      Images.setLength(image);
    }
    return image;
  }
}
