package org.ringwire.engine.outbound;

import java.util.concurrent.ConcurrentHashMap;
import org.ringwire.metrics.ErrorLog;

/**
 * The types of a node whose codec keeps claims open for too long, and with it everything behind
 * them in the ring (design rule 10). They are encoded into memory of their own, and copied.
 *
 * <p>A claim may also stay open because its thread was descheduled, or the whole process stopped,
 * which says nothing about its codec. So a type is set apart after {@link #OFFENCES} claims within
 * {@link #MEMORY_NS}, or one that was open for {@link #CLEARLY} times the limit, and comes back
 * when its codec has not taken too long for {@link #RECOVERY_NS}. Any thread; as long as no type is
 * set apart a look costs one read.
 */
public final class SlowEncoders {

  /** Claims that were open for too long, after which a type is set apart. */
  static final int OFFENCES = 3;

  /** A claim open for so many times the limit is enough. */
  static final int CLEARLY = 10;

  /** Offences that are longer ago do not count. */
  static final long MEMORY_NS = 60_000_000_000L;

  /** Without an offence for so long, a type is encoded in rings again. */
  static final long RECOVERY_NS = 60_000_000_000L;

  private final long limitNs;
  private final ErrorLog errors;
  private final ConcurrentHashMap<Integer, Conduct> conducts = new ConcurrentHashMap<>();
  private volatile int apart;

  /** What is known of a type; guarded by this object. */
  private static final class Conduct {
    int offences;
    long lastNs;
    volatile boolean apart;
  }

  /** None yet; a claim may be open for so long. */
  public SlowEncoders(long limitNs, ErrorLog errors) {
    this.limitNs = limitNs;
    this.errors = errors;
  }

  /** Whether a claim has been open for too long. */
  public boolean isTooLong(long openNs) {
    return openNs >= limitNs;
  }

  /** Whether a claim has been open for so long that nothing but its codec can be to blame. */
  public boolean isClearlyTooLong(long openNs) {
    return openNs / CLEARLY >= limitNs;
  }

  /**
   * A claim has been open for too long, or clearly so: called once for each.
   *
   * @param nowNs as {@link System#nanoTime}
   */
  public void add(int typeId, String peer, boolean clearly, long nowNs) {
    boolean first;
    Conduct conduct = conducts.computeIfAbsent(typeId, id -> new Conduct());
    synchronized (this) {
      conduct.offences = nowNs - conduct.lastNs < MEMORY_NS ? conduct.offences + 1 : 1;
      conduct.lastNs = nowNs;
      first = !conduct.apart && (clearly || conduct.offences >= OFFENCES);
      if (first) {
        conduct.apart = true;
        apart++;
      }
    }
    String facts =
        "claim open for too long: typeId=" + typeId + " peer=" + peer + " limitNs=" + limitNs;
    if (first) {
      errors.report(
          "a codec that blocks in encode() delays other messages; its type is encoded apart from"
              + " now on",
          new IllegalStateException(facts));
    } else if (!conduct.apart) {
      errors.report(
          "encode() took long, or its thread did not run", new IllegalStateException(facts));
    }
  }

  /** A type that is set apart was encoded, and took so long. */
  void encodedApart(int typeId, long tookNs, long nowNs) {
    Conduct conduct = conducts.get(typeId);
    if (conduct == null) {
      return;
    }
    synchronized (this) {
      if (isTooLong(tookNs)) {
        conduct.lastNs = nowNs;
      } else if (conduct.apart && nowNs - conduct.lastNs >= RECOVERY_NS) {
        conduct.apart = false;
        conduct.offences = 0;
        apart--;
      }
    }
  }

  /** Whether messages of any type are to be encoded apart. */
  public boolean hasAny() {
    return apart != 0;
  }

  /** Whether messages of a type are to be encoded apart. */
  public boolean contains(int typeId) {
    if (apart == 0) {
      return false;
    }
    Conduct conduct = conducts.get(typeId);
    return conduct != null && conduct.apart;
  }
}
