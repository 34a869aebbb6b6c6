package org.ringwire.tools.process;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options that a user gives to the JVMs of a command: what measures or fails in one of them
 * mostly does so in a process that the command has started, so they reach those as well.
 */
public final class JvmOptions {

  private static final String VARIABLE = "RINGWIRE_JVM_OPTS";

  private JvmOptions() {}

  /** Those of the environment; what a command sets itself follows, so that it holds. */
  public static List<String> ofEnvironment() {
    return of(System.getenv(VARIABLE));
  }

  /** As the launcher reads them: words with blanks in between, and no quotes. */
  static List<String> of(@Nullable String words) {
    return words == null
        ? List.of()
        : Arrays.stream(words.split("\\s+")).filter(word -> !word.isEmpty()).toList();
  }
}
