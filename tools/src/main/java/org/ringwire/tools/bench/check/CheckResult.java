package org.ringwire.tools.bench.check;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.jspecify.annotations.Nullable;

/**
 * What a receiver found out about the messages that it was sent.
 *
 * @param handled messages handled, all of them
 * @param lost messages sent that were not handled, or whose content was wrong
 * @param duplicated messages handled more than once, counted once for each time too many
 * @param outOfOrder messages handled after a later one of the same sender; null where handlers may
 *     overtake each other, so that the order of handling says nothing
 */
public record CheckResult(long handled, long lost, long duplicated, @Nullable Long outOfOrder) {

  /** Whether every message was handled once and, where that can be told, in order. */
  @JsonIgnore
  public boolean isGood() {
    return lost == 0 && duplicated == 0 && (outOfOrder == null || outOfOrder == 0);
  }
}
