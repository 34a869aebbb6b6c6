package org.ringwire.transport;

import java.util.concurrent.locks.LockSupport;

/**
 * What is wrong with the links of a {@link FaultyTransport}.
 *
 * @param maxWrite bytes that a write takes at most before it says that the medium is full
 * @param maxRead bytes handed to the handler at a time
 * @param delayNs time by which each piece of input is late
 * @param dropAfter bytes of input after which a link breaks
 */
public record Faults(int maxWrite, int maxRead, long delayNs, long dropAfter) {

  /** Nothing is wrong. */
  public static final Faults NONE =
      new Faults(Integer.MAX_VALUE, Integer.MAX_VALUE, 0, Long.MAX_VALUE);

  /** Writes that take so many bytes at most. */
  public Faults withMaxWrite(int bytes) {
    return new Faults(bytes, maxRead, delayNs, dropAfter);
  }

  /** Input in pieces of so many bytes at most. */
  public Faults withMaxRead(int bytes) {
    return new Faults(maxWrite, bytes, delayNs, dropAfter);
  }

  /** Input that is late. */
  public Faults withDelay(long ns) {
    return new Faults(maxWrite, maxRead, ns, dropAfter);
  }

  /** Links that break. */
  public Faults withDropAfter(long bytes) {
    return new Faults(maxWrite, maxRead, delayNs, bytes);
  }

  /** Lets input be late: the medium is slow, so it is the thread of the medium that waits. */
  void delay() {
    if (delayNs > 0) {
      LockSupport.parkNanos(delayNs);
    }
  }
}
