package org.ringwire.engine.outbound;

import java.util.Arrays;

/**
 * The type ids that a peer has been told of on a link. Any thread reads without synchronisation: a
 * stale answer is "not yet", which costs a repeated announcement. A thread that sees a bit also
 * comes after its announcement in the ring, because the bit is set after the claim of the
 * announcement and claims are atomic read-modify-writes of one cursor.
 */
public final class AnnouncedTypes {

  private static final int DYNAMIC = 32_768;

  private volatile long[] given = new long[1];
  private volatile long[] dynamic = new long[1];

  public boolean contains(int id) {
    long[] words = id < DYNAMIC ? given : dynamic;
    int index = id & (DYNAMIC - 1);
    return index >>> 6 < words.length && (words[index >>> 6] & 1L << index) != 0;
  }

  public synchronized void add(int id) {
    long[] words = id < DYNAMIC ? given : dynamic;
    int index = id & (DYNAMIC - 1);
    long[] copy = Arrays.copyOf(words, Math.max(words.length, (index >>> 6) + 1));
    copy[index >>> 6] |= 1L << index;
    if (id < DYNAMIC) {
      given = copy;
    } else {
      dynamic = copy;
    }
  }
}
