package org.ringwire.ring;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The cap on what all nodes of this process commit in native memory: the rings that have memory,
 * the windows and grants that peers may fill, and long messages on their way out. Set by the system
 * property {@value #PROPERTY}; without it there is none. Any thread.
 *
 * <p>What is committed is asked for where something new begins, and given back where it ends, so
 * that nothing is refused in the middle and the path of a message never looks here. What waits for
 * memory leaves word: it is on the list before it asks once more, and whoever gives memory back
 * looks at the list afterwards. Who cannot be told, for want of heap, stays on the list, and is
 * told by the next who gives memory back, or by a timer ({@link #tellAgain}).
 */
public final class MemoryBudget {

  /** Number of bytes, or with a suffix: 512m, 4g. */
  public static final String PROPERTY = "ringwire.maxNativeBytes";

  private static final long NONE = Long.MAX_VALUE;
  private static final AtomicLong COMMITTED = new AtomicLong();
  private static final AtomicReference<@Nullable Waiting> WAITING = new AtomicReference<>(); // last
  private static final @Nullable String WRONG; // what the property may not be, or null
  private static volatile long limit;
  private static volatile boolean untold; // whether somebody could not be told

  /** A place on the list; made before it is needed, so that it is kept without heap. */
  private static final class Waiting {
    final Runnable action;
    @Nullable Waiting next;

    Waiting(Runnable action) {
      this.action = action;
    }
  }

  static {
    long bytes = NONE;
    String problem = null;
    try {
      bytes = parse(System.getProperty(PROPERTY));
    } catch (IllegalArgumentException e) { // here it would be hidden in an error of this class
      problem = e.getMessage();
    }
    limit = bytes;
    WRONG = problem;
  }

  private MemoryBudget() {}

  /**
   * Before a node is opened.
   *
   * @throws IllegalArgumentException if the system property is no number of bytes
   */
  public static void requireValid() {
    if (WRONG != null) {
      throw new IllegalArgumentException(WRONG);
    }
  }

  static long parse(@Nullable String value) {
    if (value == null || value.isBlank()) {
      return NONE;
    }
    String text = value.strip().toLowerCase(Locale.ROOT);
    int shift = 10 * (1 + "kmgt".indexOf(text.charAt(text.length() - 1)));
    String digits = shift == 0 ? text : text.substring(0, text.length() - 1);
    try {
      long bytes = Math.multiplyExact(Long.parseLong(digits.strip()), 1L << shift);
      if (bytes > 0) {
        return bytes;
      }
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException(wrong(value), e);
    }
    throw new IllegalArgumentException(wrong(value));
  }

  private static String wrong(String value) {
    return PROPERTY + " must be a positive number of bytes, such as 4g: value=" + value;
  }

  /** The cap in bytes; the largest long if there is none. */
  public static long limit() {
    return limit;
  }

  /** Tests only: another cap; the largest long is none. */
  public static void limit(long bytes) {
    limit = bytes;
    tell();
  }

  /** Bytes that are committed now. */
  public static long committed() {
    return COMMITTED.get();
  }

  /** Commits bytes if the cap allows it; else nothing has changed, and nobody is told. */
  public static boolean tryCommit(long bytes) {
    long before = COMMITTED.get();
    while (before + bytes <= limit) {
      long witness = COMMITTED.compareAndExchange(before, before + bytes);
      if (witness == before) {
        return true;
      }
      before = witness;
    }
    return false;
  }

  /** Commits bytes in any case: they were asked for before, or are too few to refuse anything. */
  public static void commit(long bytes) {
    COMMITTED.addAndGet(bytes);
  }

  /** Whether so many bytes could be committed now. */
  public static boolean hasRoom(long bytes) {
    return COMMITTED.get() + bytes <= limit;
  }

  /** Whether what is only kept for later should rather be freed. */
  static boolean isTight() {
    return NativeMemory.openBytes() >= limit;
  }

  /** Gives bytes back. */
  public static void release(long bytes) {
    COMMITTED.addAndGet(-bytes);
    tell();
  }

  private static void tell() {
    if (WAITING.get() != null) {
      Waiting next = takeAll();
      while (next != null) {
        Waiting waiting = next;
        next = waiting.next; // before it is on the list again
        try {
          waiting.action.run();
        } catch (Error e) { // no heap: the others are told, and who gives memory back goes on
          add(waiting);
          untold = true; // after it is there; pairs with the read in tellAgain
        }
      }
    }
  }

  /** The first of those that wait, all of which are taken off the list. */
  private static @Nullable Waiting takeAll() {
    Waiting first = null;
    Waiting last = WAITING.getAndSet(null);
    while (last != null) {
      Waiting before = last.next;
      last.next = first;
      first = last;
      last = before;
    }
    return first;
  }

  private static void add(Waiting waiting) {
    do {
      waiting.next = WAITING.get();
    } while (!WAITING.compareAndSet(waiting.next, waiting));
  }

  /** By the timers of nodes: tells those for whom there was no heap when bytes were given back. */
  public static void tellAgain() {
    if (untold) {
      untold = false;
      tell();
    }
  }

  /**
   * Runs something, once, after bytes were given back; the caller asks once more after this.
   *
   * @param action is run again later if it ends with an error
   */
  public static void whenReleased(Runnable action) {
    add(new Waiting(action));
  }

  /**
   * As {@link #whenReleased(Runnable)}, for who may be waiting already: then nothing is added.
   *
   * @param waits whether the caller waits; it clears this when it is run
   */
  public static void whenReleased(AtomicBoolean waits, Runnable action) {
    if (waits.compareAndSet(false, true)) {
      boolean added = false;
      try {
        whenReleased(action);
        added = true;
      } finally {
        if (!added) { // there is no heap for it: who asks next waits
          waits.set(false);
        }
      }
    }
  }

  /** Says, for people, why so many bytes cannot be had. */
  public static String refusal(long bytes) {
    return "the process has committed as much native memory as it may: asked="
        + bytes
        + " committed="
        + COMMITTED.get()
        + " limit="
        + limit
        + " (-D"
        + PROPERTY
        + ")";
  }
}
