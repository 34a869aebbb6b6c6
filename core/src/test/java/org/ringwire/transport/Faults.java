package org.ringwire.transport;

import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * What is wrong with the links of a {@link FaultyTransport}.
 *
 * @param maxWrite bytes that a write takes at most before it says that the medium is full
 * @param maxRead bytes handed to the handler at a time
 * @param delayNs time by which each piece of input is late
 * @param dropAfter bytes of input after which a link breaks
 * @param dropAfterWritten bytes of output after which a link breaks, in the middle of a frame or
 *     not
 * @param stallNs longest time for which, now and then, a link takes or gives nothing
 * @param seed 0: the lengths are exact; otherwise each is drawn from 1 up to them, anew for every
 *     write, piece of input and link
 */
public record Faults(
    int maxWrite,
    int maxRead,
    long delayNs,
    long dropAfter,
    long dropAfterWritten,
    long stallNs,
    long seed) {

  /** Nothing is wrong. */
  public static final Faults NONE =
      new Faults(Integer.MAX_VALUE, Integer.MAX_VALUE, 0, Long.MAX_VALUE, Long.MAX_VALUE, 0, 0);

  /** One write, or piece of input, in so many is stalled. */
  private static final int STALL_EVERY = 64;

  /** Writes that take so many bytes at most. */
  public Faults withMaxWrite(int bytes) {
    return new Faults(bytes, maxRead, delayNs, dropAfter, dropAfterWritten, stallNs, seed);
  }

  /** Input in pieces of so many bytes at most. */
  public Faults withMaxRead(int bytes) {
    return new Faults(maxWrite, bytes, delayNs, dropAfter, dropAfterWritten, stallNs, seed);
  }

  /** Input that is late. */
  public Faults withDelay(long ns) {
    return new Faults(maxWrite, maxRead, ns, dropAfter, dropAfterWritten, stallNs, seed);
  }

  /** Links that break. */
  public Faults withDropAfter(long bytes) {
    return new Faults(maxWrite, maxRead, delayNs, bytes, dropAfterWritten, stallNs, seed);
  }

  /** Links that break while they are written to. */
  public Faults withDropAfterWritten(long bytes) {
    return new Faults(maxWrite, maxRead, delayNs, dropAfter, bytes, stallNs, seed);
  }

  /** Links that take or give nothing for a while. */
  public Faults withStalls(long ns) {
    return new Faults(maxWrite, maxRead, delayNs, dropAfter, dropAfterWritten, ns, seed);
  }

  /** Lengths that are drawn. */
  public Faults drawn(long from) {
    return new Faults(maxWrite, maxRead, delayNs, dropAfter, dropAfterWritten, stallNs, from);
  }

  /** One direction of one link: used by one thread at a time. */
  static final class Dice {
    private final Faults faults;
    private final SplittableRandom random;

    Dice(Faults faults, long direction) {
      this.faults = faults;
      random = new SplittableRandom(faults.seed + direction);
    }

    /** A length up to a bound. */
    long draw(long bound) {
      return faults.seed == 0 || bound == Long.MAX_VALUE ? bound : random.nextLong(bound) + 1;
    }

    /** Whether this is the time to stall. */
    boolean stalls() {
      return faults.stallNs > 0 && random.nextInt(STALL_EVERY) == 0;
    }

    /** Stands still: the medium is slow, so it is a thread of the medium that waits. */
    void stall() {
      LockSupport.parkNanos(random.nextLong(faults.stallNs) + 1);
    }

    /** Lets input be late. */
    void delay() {
      if (faults.delayNs > 0) {
        LockSupport.parkNanos(draw(faults.delayNs));
      }
      if (stalls()) {
        stall();
      }
    }
  }
}
