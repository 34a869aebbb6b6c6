package org.ringwire.engine.outbound.encoding;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.MessageType;
import org.ringwire.metrics.ErrorLog;

/**
 * The types of a node whose codec keeps claims open for too long, and with it everything behind
 * them in the ring (design rule 10). They are encoded into memory of their own, and copied.
 *
 * <p>A claim may also stay open because its thread was descheduled, or the whole process stopped,
 * which says nothing about its codec. So a type is set apart after {@link #OFFENCES} claims within
 * {@link #MEMORY_NS}, or one that was open for {@link #CLEARLY} times the limit. To be set apart
 * costs each message a copy and two looks at the clock, and that on a machine which perhaps has too
 * much to do already. So a codec that shows itself quick while it is apart ({@link
 * #ENOUGH_ENCODINGS} in {@link #PROBATION_NS}) comes back soon; twice as late each time that this
 * was a mistake; and one that takes too long even there, when it has not done so for {@link
 * #RECOVERY_NS}.
 *
 * <p>Any thread; as long as no type is set apart a look costs one read. What is known of a type is
 * guarded by this object, but for what each message looks at, which is volatile: whether the type
 * is apart, and when that is to be reviewed.
 */
public final class SlowEncoders {

  /** Claims that were open for too long, after which a type is set apart. */
  static final int OFFENCES = 3;

  /** A claim open for so many times the limit is enough. */
  static final int CLEARLY = 10;

  /** A claim open for so many times the limit will not be finished. */
  static final int LOST = 100;

  /** Offences that are longer ago do not count. */
  static final long MEMORY_NS = 60_000_000_000L;

  /** Without an offence for so long, a codec that was slow is encoded in rings again. */
  static final long RECOVERY_NS = 60_000_000_000L;

  /** So long does a type stay apart at least. */
  static final long PROBATION_NS = 1_000_000_000L;

  /** So many messages must a codec have encoded meanwhile, each in time. */
  static final int ENOUGH_ENCODINGS = 1000;

  /** A type that comes back and is not set apart again for so long begins anew. */
  static final long RELAPSE_NS = 10 * RECOVERY_NS;

  private final long limitNs;
  private final ErrorLog errors;
  private final MessageCatalog catalog;
  private final ConcurrentHashMap<Integer, Conduct> conducts = new ConcurrentHashMap<>();
  private volatile int apart;

  /** What is known of a type; guarded by this object. */
  private static final class Conduct {
    int offences;
    long lastNs;
    long probationNs;
    long acquittedNs;
    final LongAdder encodings = new LongAdder(); // since it was set apart
    volatile boolean apart;
    volatile long reviewNs;
  }

  /**
   * None yet.
   *
   * @param limitNs a claim may be open for so long
   * @param catalog names the types
   */
  public SlowEncoders(long limitNs, ErrorLog errors, MessageCatalog catalog) {
    this.limitNs = limitNs;
    this.errors = errors;
    this.catalog = catalog;
  }

  /** Whether a claim has been open for too long. */
  public boolean isTooLong(long openNs) {
    return openNs >= limitNs;
  }

  /** Whether it was so long that its codec is to blame, or how much that has to write. */
  public boolean isClearlyTooLong(long openNs) {
    return openNs / CLEARLY >= limitNs;
  }

  /** Whether a claim has been open for so long that its thread or codec must have got lost. */
  public boolean isLost(long openNs) {
    return openNs / LOST >= limitNs;
  }

  /**
   * A claim has been open for too long, or clearly so: called once for each. One that nobody has
   * marked yet is its thread's fault alone, which has not run: that is nobody's to change, is told
   * at DEBUG only, and sets nothing apart.
   *
   * @param typeId of the message, or -1 if the claim was not marked
   * @param nowNs as {@link System#nanoTime}
   */
  public void add(int typeId, String peer, boolean clearly, long nowNs) {
    if (typeId < 0) {
      errors.debug(
          "a thread that sends did not run" + tooLong("not known, it had not begun", peer));
      return;
    }
    boolean first;
    Conduct conduct = conducts.computeIfAbsent(typeId, id -> new Conduct());
    synchronized (this) {
      conduct.offences = nowNs - conduct.lastNs < MEMORY_NS ? conduct.offences + 1 : 1;
      conduct.lastNs = nowNs;
      first = !conduct.apart && (clearly || conduct.offences >= OFFENCES);
      if (first) {
        setApart(conduct, nowNs);
        apart++;
      }
    }
    if (first) {
      errors.warn(
          "a codec that blocks in encode(), or whose messages are very long, delays other messages;"
              + " its type is encoded apart from now on"
              + tooLong(nameOf(typeId), peer));
    } else if (!conduct.apart) {
      errors.warn("encode() took long, or its thread did not run" + tooLong(nameOf(typeId), peer));
    }
  }

  /** A text, and no failure: its stack would be that of whoever looks, and never of the codec. */
  private String tooLong(String type, String peer) {
    return ": claim open for too long: messageType="
        + type
        + " peer="
        + peer
        + " limitNs="
        + limitNs;
  }

  private String nameOf(int typeId) {
    MessageType<?> type = catalog.byId(typeId);
    return type == null ? "#" + typeId : type.name();
  }

  private void setApart(Conduct conduct, long nowNs) {
    boolean relapse = conduct.probationNs > 0 && nowNs - conduct.acquittedNs < RELAPSE_NS;
    conduct.probationNs = relapse ? Math.min(2 * conduct.probationNs, RECOVERY_NS) : PROBATION_NS;
    conduct.encodings.reset();
    conduct.reviewNs = nowNs + conduct.probationNs;
    conduct.apart = true;
  }

  /** A type that is set apart was encoded, and took so long. */
  public void encodedApart(int typeId, long tookNs, long nowNs) {
    Conduct conduct = conducts.get(typeId);
    if (conduct == null) {
      return;
    }
    conduct.encodings.increment();
    boolean slow = isTooLong(tookNs);
    if (!slow && nowNs - conduct.reviewNs < 0) {
      return;
    }
    synchronized (this) {
      if (slow) {
        conduct.lastNs = nowNs;
        conduct.probationNs = RECOVERY_NS;
        conduct.reviewNs = nowNs + RECOVERY_NS;
      } else if (conduct.apart
          && nowNs - conduct.reviewNs >= 0
          && (conduct.probationNs == RECOVERY_NS || conduct.encodings.sum() >= ENOUGH_ENCODINGS)) {
        conduct.apart = false;
        conduct.offences = 0;
        conduct.acquittedNs = nowNs;
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
