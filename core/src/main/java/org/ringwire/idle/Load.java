package org.ringwire.idle;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

/**
 * Whether this process has a core to spare for a thread that spins: its active threads against the
 * cores that its container has (paper VII: overprovisioning detection). One per process, because
 * nodes share the cores.
 *
 * <p><b>Active threads</b> are those that have begun to wait, or written to a medium, within the
 * current window of 8 ms or the one before. A thread is counted at most once in a window, by what
 * its own {@link ActiveThread} says, so that counting costs a comparison, and one shared write in 8
 * ms; those who call have read the clock anyway. The count is one word: number of the window, count
 * of the window before, count of this window; who counts first in a window turns the count of the
 * last one into the one before, by the same compare-and-set. No thread is counted twice, and none
 * is lost: the loser of a race tries again. A thread that has read the clock windows ago, because
 * it was displaced since or because it reads it rarely, is not counted, which nobody notices after
 * the next 8 ms.
 *
 * <p><b>Cores</b> come as a fraction, since a container may have half of one. They may change while
 * the process runs; {@link #refresh} looks again, at most every second, and only while there are
 * active threads, of which some have wanted to know whether to spin. Below two nobody spins: the
 * thread that is waited for needs the one there is.
 *
 * <p><b>Threads of others.</b> What else runs, in this process or another, does not tell. But who
 * spins reads the clock, and sees when it was not running: {@link #gap}. Then nobody spins for a
 * while, and for twice as long each time that this happens again soon, since on a machine that has
 * more to do than it can a thread that offers its core gets it back late.
 *
 * <p>Any thread. {@code calmUntilNs}, {@code calmNs} and {@code cores} are plain facts of which
 * late news harm nobody: a wait more that spins, or parks.
 */
public final class Load {

  /** The process's. */
  public static final Load PROCESS = new Load(Cores.ofProcess(), System.nanoTime());

  /** Length of a window is 2 to this many nanoseconds: 8.4 ms. */
  private static final int WINDOW_SHIFT = 23;

  /** How long a thread that spins must not run to be taken for displaced. */
  static final long GAP_NS = 250_000;

  /** How long nobody spins then, at first. */
  static final long CALM_NS = 20_000_000;

  /** How long nobody spins when that has happened again and again. */
  static final long LONGEST_CALM_NS = 1_280_000_000;

  private static final long REFRESH_NS = 1_000_000_000;
  private static final int COUNT_BITS = 16;
  private static final long MOST = (1 << COUNT_BITS) - 1;
  private static final int NUMBER_SHIFT = 2 * COUNT_BITS;
  private static final long WINDOWS = 0xFFFF_FFFFL;

  /**
   * So many windows ago, 8 s, a thread has read the clock at most; else the numbers began again.
   */
  private static final long LATEST = 1 << 10;

  private final DoubleSupplier source;
  private final AtomicLong counts = new AtomicLong();
  private final AtomicLong refreshedNs = new AtomicLong();
  private volatile double cores;
  private volatile long calmUntilNs;
  private volatile long calmNs = CALM_NS / 2; // the first time is once again
  private volatile boolean asked;

  /**
   * With the cores of the moment.
   *
   * @param source of the number of cores
   * @param nowNs the time
   */
  Load(DoubleSupplier source, long nowNs) {
    this.source = source;
    cores = source.getAsDouble();
    refreshedNs.set(nowNs);
    calmUntilNs = nowNs;
  }

  /**
   * The calling thread is active.
   *
   * @param thread its own
   * @param nowNs the time
   */
  public void note(ActiveThread thread, long nowNs) {
    long window = windowOf(nowNs);
    if (thread.window != window) {
      thread.window = window;
      count(window);
    }
  }

  private static long windowOf(long nowNs) {
    return (nowNs >>> WINDOW_SHIFT) & WINDOWS;
  }

  private void count(long window) {
    while (true) {
      long word = counts.get();
      long behind = window - (word >>> NUMBER_SHIFT);
      if (isLate(behind)) {
        return;
      }
      long next;
      if (behind == 0) {
        next = (word & MOST) == MOST ? word : word + 1;
      } else {
        long before = behind == 1 ? word & MOST : 0;
        next = (window << NUMBER_SHIFT) | (before << COUNT_BITS) | 1;
      }
      if (counts.compareAndSet(word, next)) { // one word has all that belongs together
        return;
      }
    }
  }

  private static boolean isLate(long behind) {
    return behind < 0 && behind > -LATEST;
  }

  /** Threads that were active lately. */
  public int activeThreads(long nowNs) {
    long word = counts.get();
    long behind = windowOf(nowNs) - (word >>> NUMBER_SHIFT);
    long last = word & MOST;
    if (behind == 1) {
      return (int) last;
    }
    boolean current = behind == 0 || isLate(behind);
    return current ? (int) Math.max(last, (word >>> COUNT_BITS) & MOST) : 0;
  }

  /** Cores of the container, as far as known. */
  public double cores() {
    return cores;
  }

  /** Whether a thread may spin. */
  public boolean maySpin(long nowNs) {
    if (!asked) {
      asked = true;
    }
    double available = cores;
    return available >= 2 && nowNs - calmUntilNs >= 0 && activeThreads(nowNs) <= available;
  }

  /**
   * Whether there is one core at most, or not two whole ones: what is waited for needs this one.
   * Who asks has {@link #refresh} look again.
   */
  boolean hasSingleCore() {
    if (!asked) {
      asked = true;
    }
    return cores < 2;
  }

  /**
   * A thread that spins has read the clock twice in a row.
   *
   * @param beforeNs the first time
   * @param nowNs the second
   */
  public void gap(long beforeNs, long nowNs) {
    long sinceNs = nowNs - calmUntilNs;
    if (nowNs - beforeNs >= GAP_NS && sinceNs >= 0) {
      boolean again = sinceNs < 4 * calmNs;
      long nextNs = again ? Math.min(2 * calmNs, LONGEST_CALM_NS) : CALM_NS;
      calmNs = nextNs;
      calmUntilNs = nowNs + nextNs;
    }
  }

  /**
   * Looks at the cores again, if that is of use: a node whose only traffic are signs of life needs
   * no files read every second. Not on a path that anybody waits for.
   */
  public void refresh(long nowNs) {
    long last = refreshedNs.get();
    boolean due = asked && nowNs - last >= REFRESH_NS && activeThreads(nowNs) > 0;
    if (due && refreshedNs.compareAndSet(last, nowNs)) {
      asked = false;
      cores = source.getAsDouble();
    }
  }
}
