package org.ringwire.infiniband.verbs.types;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Counters that one thread writes and any thread may read: opaque, so that no value is torn. */
public final class WorkCounters {

  private static final VarHandle CALLS = handle("calls");
  private static final VarHandle EMPTY_CALLS = handle("emptyCalls");
  private static final VarHandle REQUESTS = handle("requests");
  private static final VarHandle RANGES = handle("ranges");
  private static final VarHandle BYTES = handle("bytes");

  private long calls;
  private long emptyCalls;
  private long requests;
  private long ranges;
  private long bytes;

  private static VarHandle handle(String field) {
    try {
      return MethodHandles.lookup().findVarHandle(WorkCounters.class, field, long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  public void countPoll(int completions) {
    CALLS.setOpaque(this, calls + 1);
    if (completions == 0) {
      EMPTY_CALLS.setOpaque(this, emptyCalls + 1);
    } else {
      REQUESTS.setOpaque(this, requests + completions);
    }
  }

  public void countPost(int newRequests, long newRanges, long newBytes) {
    CALLS.setOpaque(this, calls + 1);
    REQUESTS.setOpaque(this, requests + newRequests);
    RANGES.setOpaque(this, ranges + newRanges);
    BYTES.setOpaque(this, bytes + newBytes);
  }

  public long calls() {
    return (long) CALLS.getOpaque(this);
  }

  public long emptyCalls() {
    return (long) EMPTY_CALLS.getOpaque(this);
  }

  public long requests() {
    return (long) REQUESTS.getOpaque(this);
  }

  public long ranges() {
    return (long) RANGES.getOpaque(this);
  }

  public long bytes() {
    return (long) BYTES.getOpaque(this);
  }
}
