package org.ringwire.infiniband.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import org.jspecify.annotations.Nullable;

/** Whether the system has {@code libibverbs}, found out once and without an exception. */
final class Library {

  private static final String NAME = "libibverbs.so.1";

  private static final @Nullable SymbolLookup SYMBOLS;
  private static final @Nullable RuntimeException PROBLEM;

  static {
    SymbolLookup symbols = null;
    RuntimeException problem = null;
    try {
      symbols = load();
    } catch (RuntimeException e) {
      problem = e;
    }
    SYMBOLS = symbols;
    PROBLEM = problem;
  }

  private Library() {}

  @SuppressWarnings("restricted")
  private static SymbolLookup load() {
    return SymbolLookup.libraryLookup(NAME, Arena.global()); // never unloaded: its threads may run
  }

  static boolean isPresent() {
    return SYMBOLS != null;
  }

  /** Its functions, or why there are none. */
  static SymbolLookup symbols() {
    SymbolLookup symbols = SYMBOLS;
    if (symbols == null) {
      throw new VerbsUnavailableException(problem(PROBLEM), PROBLEM);
    }
    return symbols;
  }

  private static String problem(@Nullable RuntimeException cause) {
    if (cause instanceof IllegalCallerException) {
      return "native access is not allowed:"
          + " start Java with --enable-native-access=org.ringwire.infiniband"
          + " (ALL-UNNAMED if Ringwire is on the class path)";
    }
    return "the library "
        + NAME
        + " is missing: install rdma-core"
        + " (Debian and Ubuntu: apt install libibverbs1 ibverbs-providers)";
  }
}
