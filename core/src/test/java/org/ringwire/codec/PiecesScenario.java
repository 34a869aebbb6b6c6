package org.ringwire.codec;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * Writes and reads arrays and memory that are longer than a piece, in each of the ways there are.
 * Public, because {@link org.ringwire.testing.MutantLoader} makes one.
 */
public final class PiecesScenario implements BooleanSupplier {

  private static final int COUNT = 2 * Pieces.LENGTH + 3;
  private static final int MOST_COPIES = 17; // of the longest, and the rest

  private static long longest;
  private static long copied;
  private static int copies;

  private final MemorySegment memory = MemorySegment.ofArray(new long[COUNT + 1]);
  private final Writer writer = new Writer();
  private final Reader reader = new Reader();
  private boolean right = true;

  /** By reflection. */
  public PiecesScenario() {}

  /** Before each copy of so many values, or bytes. */
  public static void copying(long count) {
    longest = Math.max(longest, count);
    copied += count;
    copies++;
  }

  private void passes(int width, Runnable put, Runnable get, BooleanSupplier same) {
    writer.wrap(memory, 1, memory.byteSize() - 1);
    isInPieces(width, put);
    reader.wrap(memory, 1, writer.position() - 1);
    isInPieces(width, get);
    right &= same.getAsBoolean() && reader.remaining() == 0;
  }

  private void isInPieces(int width, Runnable action) {
    longest = 0;
    copied = 0;
    copies = 0;
    action.run();
    right &= longest * width == Pieces.LENGTH && copied == COUNT && copies <= MOST_COPIES;
  }

  /** Whether all came as it went, in pieces. */
  @Override
  public boolean getAsBoolean() {
    Random random = new Random(1);
    byte[] bytes = new byte[COUNT];
    random.nextBytes(bytes);
    byte[] back = new byte[COUNT];
    passes(
        1,
        () -> writer.putBytes(bytes, 0, COUNT),
        () -> reader.getBytes(back, 0, COUNT),
        () -> Arrays.equals(bytes, back));
    MemorySegment target = MemorySegment.ofArray(new byte[COUNT]);
    passes(
        1,
        () -> writer.putBytes(MemorySegment.ofArray(bytes), 0, COUNT),
        () -> reader.getBytes(target, 0, COUNT),
        () -> target.mismatch(MemorySegment.ofArray(bytes)) < 0);
    shorts(random);
    ints(random);
    longs(random);
    return right;
  }

  private void shorts(Random random) {
    short[] shorts = new short[COUNT];
    char[] chars = new char[COUNT];
    for (int i = 0; i < COUNT; i++) {
      shorts[i] = (short) random.nextInt();
      chars[i] = (char) random.nextInt();
    }
    short[] backShorts = new short[COUNT];
    passes(
        Short.BYTES,
        () -> writer.putShorts(shorts, 0, COUNT),
        () -> reader.getShorts(backShorts, 0, COUNT),
        () -> Arrays.equals(shorts, backShorts));
    char[] backChars = new char[COUNT];
    passes(
        Character.BYTES,
        () -> writer.putChars(chars, 0, COUNT),
        () -> reader.getChars(backChars, 0, COUNT),
        () -> Arrays.equals(chars, backChars));
  }

  private void ints(Random random) {
    int[] ints = random.ints(COUNT).toArray();
    int[] backInts = new int[COUNT];
    passes(
        Integer.BYTES,
        () -> writer.putInts(ints, 0, COUNT),
        () -> reader.getInts(backInts, 0, COUNT),
        () -> Arrays.equals(ints, backInts));
    float[] floats = new float[COUNT];
    for (int i = 0; i < COUNT; i++) {
      floats[i] = random.nextFloat();
    }
    float[] backFloats = new float[COUNT];
    passes(
        Float.BYTES,
        () -> writer.putFloats(floats, 0, COUNT),
        () -> reader.getFloats(backFloats, 0, COUNT),
        () -> Arrays.equals(floats, backFloats));
  }

  private void longs(Random random) {
    long[] longs = random.longs(COUNT).toArray();
    long[] backLongs = new long[COUNT];
    passes(
        Long.BYTES,
        () -> writer.putLongs(longs, 0, COUNT),
        () -> reader.getLongs(backLongs, 0, COUNT),
        () -> Arrays.equals(longs, backLongs));
    double[] doubles = random.doubles(COUNT).toArray();
    double[] backDoubles = new double[COUNT];
    passes(
        Double.BYTES,
        () -> writer.putDoubles(doubles, 0, COUNT),
        () -> reader.getDoubles(backDoubles, 0, COUNT),
        () -> Arrays.equals(doubles, backDoubles));
  }
}
