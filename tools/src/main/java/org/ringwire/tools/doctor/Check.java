package org.ringwire.tools.doctor;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * What was found out about one thing.
 *
 * @param name the thing
 * @param status whether it is as it should be
 * @param found what is there
 * @param advice what to do about it; empty if nothing
 */
record Check(String name, Status status, String found, String advice) {

  /** Whether something is as it should be. */
  enum Status {
    GOOD,
    /** Ringwire works, but not as well as it could. */
    LIMITED,
    /** Something essential does not work. */
    BROKEN;

    @JsonValue
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static Check good(String name, String found) {
    return new Check(name, Status.GOOD, found, "");
  }

  static Check limited(String name, String found, String advice) {
    return new Check(name, Status.LIMITED, found, advice);
  }

  static Check broken(String name, String found, String advice) {
    return new Check(name, Status.BROKEN, found, advice);
  }
}
