package org.ringwire.heap;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.ringwire.codec.DecodingException;

/**
 * Damages images and decodes them: each ends with a {@link DecodingException}, or with a graph in
 * which every field holds what its type allows. As a program of its own it does so in JVMs with
 * other flags.
 */
final class HostileImages {
  private static final int GRAPHS = 64;

  private static final HeapCodec CODEC = codec(true);
  private static final HeapCodec PLAIN = codec(false);

  private HostileImages() {}

  private static HeapCodec codec(boolean detects) {
    return HeapCodec.builder()
        .acceptPackage("org.ringwire.heap")
        .maxBytes(1 << 20)
        .detectCycles(detects)
        .build();
  }

  /** Words: the seed, and how many images. Prints how many were refused. */
  public static void main(String... words) {
    long seed = Long.parseLong(words[0]);
    int count = Integer.parseInt(words[1]);
    int refused = refusedOf(seed, count);
    System.out.println("OK images=" + count + " refused=" + refused);
  }

  /**
   * Decodes damaged images.
   *
   * @return how many were refused
   * @throws AssertionError if one ends otherwise, with its seed and bytes
   */
  static int refusedOf(long seed, int count) {
    Random random = new Random(seed);
    byte[][] images = new byte[GRAPHS][];
    for (int i = 0; i < GRAPHS; i++) {
      images[i] = image(seed + i, random);
    }
    int refused = 0;
    for (int i = 0; i < count; i++) {
      byte[] image =
          damaged(images[random.nextInt(GRAPHS)], images[random.nextInt(GRAPHS)], random);
      if (!survives(image, random.nextBoolean(), "seed=" + seed + " round=" + i)) {
        refused++;
      }
    }
    System.gc(); // looks at everything that is still there
    return refused;
  }

  private static byte[] image(long seed, Random random) {
    if (random.nextInt(4) != 0) {
      return CODEC.encode(RandomGraphs.graph(seed, 3 + random.nextInt(20)));
    }
    Object[] graph = new Object[1 + random.nextInt(8)];
    for (int i = 0; i < graph.length; i++) {
      graph[i] =
          switch (random.nextInt(5)) {
            case 0 -> new Samples.Pair[] {new Samples.Pair(i, "word"), null};
            case 1 -> new Samples.Point[] {new Samples.Point(i, 1), new Samples.Point(2, i)};
            case 2 -> Samples.box(random.nextInt());
            case 3 -> Samples.entries(random.nextInt(20));
            default -> new Samples.AllWidths(seed, new long[i]);
          };
    }
    return PLAIN.encode(graph);
  }

  /** Whether there was a graph. */
  static boolean survives(byte[] image, boolean isNative, String where) {
    try {
      Object graph;
      if (!isNative || image.length > 4096) {
        graph = CODEC.decode(image);
      } else {
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment memory = arena.allocate(Math.max(1, image.length));
          MemorySegment.copy(MemorySegment.ofArray(image), 0, memory, 0, image.length);
          graph = CODEC.decode(memory);
        }
      }
      Graphs.walk(graph);
      return true;
    } catch (DecodingException e) {
      if (String.valueOf(e.getMessage()).isBlank()) {
        throw new AssertionError(where + ": an error that says nothing", e);
      }
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
