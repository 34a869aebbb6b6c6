package org.ringwire.engine.connection.attempt;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * How long it may take until a connection is open, or has ended. Each part has a bound of its own,
 * so this one counts only if a part never tells of its end: a thread that began it had no stack or
 * memory to go on.
 */
public final class Attempt {

  /** Which take the connect timeout each at most: two handshakes, a link between, and a retry. */
  private static final int PARTS = 4;

  private static final Duration SLACK = Duration.ofSeconds(1);

  private final long beganNs = System.nanoTime();
  private final long longestNs;
  private volatile @Nullable String address;
  private volatile boolean brokenOff;
  private final AtomicBoolean asking = new AtomicBoolean();

  public Attempt(Duration connectTimeout) {
    longestNs = TimeUnit.NANOSECONDS.convert(connectTimeout.multipliedBy(PARTS).plus(SLACK));
  }

  /** Where the node is tried, from now on. */
  public void at(@Nullable String tried) {
    address = tried;
  }

  /** Where the node was tried, or null if it was not, and only the peer has. */
  public @Nullable String address() {
    return address;
  }

  /** It ends because the node is elsewhere: before its end. */
  public void breakOff() {
    brokenOff = true;
  }

  /** Whether another one may follow at once, since the node is elsewhere. */
  public boolean isBrokenOff() {
    return brokenOff;
  }

  /** Whether nobody is asking where the node is by now; then the caller does. */
  public boolean tryAsk() {
    return asking.compareAndSet(false, true);
  }

  /** The caller knows. */
  public void asked() {
    asking.set(false);
  }

  public long beganNs() {
    return beganNs;
  }

  public boolean isOverdue(long nowNs) {
    return nowNs - beganNs > longestNs;
  }
}
