package org.ringwire.engine.outbound;

import java.util.concurrent.ConcurrentHashMap;
import org.ringwire.metrics.ErrorLog;

/**
 * The types of a node whose codec once kept a claim open for too long, and with it everything
 * behind it in the ring (design rule 10). They are encoded into memory of their own from then on,
 * and copied. Any thread; until there is such a type a look costs one read.
 */
public final class SlowEncoders {

  private final long limitNs;
  private final ErrorLog errors;
  private final ConcurrentHashMap<Integer, Boolean> typeIds = new ConcurrentHashMap<>();
  private volatile boolean any;

  /** None yet; a claim may be open for so long. */
  public SlowEncoders(long limitNs, ErrorLog errors) {
    this.limitNs = limitNs;
    this.errors = errors;
  }

  /** Whether a claim has been open for too long. */
  public boolean isTooLong(long openNs) {
    return openNs >= limitNs;
  }

  /** Reports a type, the first time. */
  public void add(int typeId, String peer) {
    if (typeIds.putIfAbsent(typeId, true) == null) {
      any = true;
      errors.report(
          "a codec that blocks in encode() delays other messages; its type is encoded apart from"
              + " now on",
          new IllegalStateException(
              "claim open for too long: typeId="
                  + typeId
                  + " peer="
                  + peer
                  + " limitNs="
                  + limitNs));
    }
  }

  /** Whether messages of a type are to be encoded apart. */
  public boolean contains(int typeId) {
    return any && typeIds.containsKey(typeId);
  }
}
