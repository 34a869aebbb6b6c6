package org.ringwire.infiniband.link;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;

/**
 * The links by their numbers, which peers write into immediate data or the head of a datagram: so
 * the link that something is for is found without a search. A number is given again as late as
 * possible. Any thread; giving and taking is guarded by this.
 *
 * <p>Taking a number needs no heap: it is a step of the end of a link, which would otherwise be
 * gone through again, and give back twice what comes before.
 */
public final class LinkTable<L> {

  /** Links at most: numbers have 16 bits. */
  static final int MOST = 1 << 16;

  private static final int CHUNK_SHIFT = 8;
  private static final int CHUNK = 1 << CHUNK_SHIFT;

  private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable L>> chunks =
      new AtomicReferenceArray<>(MOST >> CHUNK_SHIFT);

  /** Numbers that came back, in a ring with room for all that were given; guarded by this. */
  private int[] free = new int[CHUNK];

  private int freeFrom;
  private int freeCount;
  private int next;

  public LinkTable() {}

  /** Gives a link a number, or -1 if there are none left. */
  public synchronized int add(L link) {
    if (next < MOST) {
      AtomicReferenceArray<@Nullable L> chunk = chunk(next); // first all that needs heap
      ensureRoom(next + 1);
      chunk.set(next & (CHUNK - 1), link);
      return next++;
    }
    if (freeCount == 0) {
      return -1;
    }
    int number = free[freeFrom];
    freeFrom = (freeFrom + 1) % free.length;
    freeCount--;
    chunk(number).set(number & (CHUNK - 1), link);
    return number;
  }

  /** While nothing was taken out of the ring of numbers: it begins at its beginning. */
  private void ensureRoom(int numbers) {
    if (numbers > free.length) {
      free = Arrays.copyOf(free, 2 * free.length);
    }
  }

  /**
   * Gives a link a number.
   *
   * @throws MessagingException if there are none left
   */
  public int addSurely(L link) {
    int number = add(link);
    if (number < 0) {
      throw new MessagingException("too many links: most=" + MOST);
    }
    return number;
  }

  private AtomicReferenceArray<@Nullable L> chunk(int number) {
    AtomicReferenceArray<@Nullable L> chunk = chunks.get(number >> CHUNK_SHIFT);
    if (chunk == null) {
      chunk = new AtomicReferenceArray<>(CHUNK);
      chunks.set(number >> CHUNK_SHIFT, chunk);
    }
    return chunk;
  }

  /** Takes the number of a link, of which nothing is outstanding. */
  public synchronized void remove(int number) {
    chunk(number).set(number & (CHUNK - 1), null);
    free[(freeFrom + freeCount) % free.length] = number;
    freeCount++;
  }

  /** Whether no link has a number. */
  public synchronized boolean isEmpty() {
    return next == freeCount;
  }

  /** The link with a number, or null; any number. */
  public @Nullable L get(int number) {
    if (number < 0 || number >= MOST) {
      return null;
    }
    AtomicReferenceArray<@Nullable L> chunk = chunks.get(number >> CHUNK_SHIFT);
    return chunk == null ? null : chunk.get(number & (CHUNK - 1));
  }
}
