package org.ringwire.engine.inbound;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;
import org.ringwire.wire.ControlFrames;

/**
 * Grants that frames were taken to use. Their sender may have used another one of the same length,
 * and give this one back: as long as there is one, which is as long as one is granted here. Of more
 * than {@link ControlFrames#MOST_ANNOUNCED} the oldest of the length that has most are forgotten:
 * so a stream of frames, each granted before the one in front of it has come, is in nobody's way
 * but its own. Guarded by its owner.
 */
final class UsedGrants {

  private final Map<Long, SequencedSet<Long>> tokens = new HashMap<>(); // by length
  private int count;

  /** A frame was taken to use it, and another one of its length is granted. */
  void add(long token, long length) {
    SequencedSet<Long> known = tokens.get(length);
    SequencedSet<Long> those = known == null ? new LinkedHashSet<>() : known;
    boolean added = those.add(token); // before it is put there: there may be no heap
    if (known == null) {
      tokens.put(length, those);
    }
    count += added ? 1 : 0;
    while (count > ControlFrames.MOST_ANNOUNCED) {
      forgetOne();
    }
  }

  private void forgetOne() {
    Map.Entry<Long, SequencedSet<Long>> most = null;
    for (Map.Entry<Long, SequencedSet<Long>> each : tokens.entrySet()) {
      if (most == null || each.getValue().size() > most.getValue().size()) {
        most = each;
      }
    }
    if (most != null) {
      took(most, most.getValue().getFirst());
    }
  }

  /** Of a length that has none no trace is kept: there may be any number of lengths. */
  private boolean took(Map.Entry<Long, SequencedSet<Long>> entry, long token) {
    boolean there = entry.getValue().remove(token);
    count -= there ? 1 : 0;
    if (entry.getValue().isEmpty()) {
      tokens.remove(entry.getKey());
    }
    return there;
  }

  /** None of this length is granted any more, so its sender has none to give back. */
  void forget(long length) {
    SequencedSet<Long> forgotten = tokens.remove(length);
    count -= forgotten == null ? 0 : forgotten.size();
  }

  /** The length of one that is given back, which is forgotten; null if there is no such one. */
  @Nullable Long remove(long token) {
    for (Map.Entry<Long, SequencedSet<Long>> entry : tokens.entrySet()) {
      if (took(entry, token)) {
        return entry.getKey();
      }
    }
    return null;
  }

  /** For tests: lengths of which there are some. */
  int lengths() {
    return tokens.size();
  }
}
