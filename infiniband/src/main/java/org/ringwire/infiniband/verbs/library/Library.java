package org.ringwire.infiniband.verbs.library;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Whether the system has {@code libibverbs}, and all of its functions that are called, found out
 * once and without an exception: one that is thrown while a class is loaded would be seen once, and
 * as an error that names neither the function nor what to do.
 */
public final class Library {

  private static final String NAME = "libibverbs.so.1";
  private static final Linker LINKER = Linker.nativeLinker();

  private static final String INSTALL =
      " (Debian and Ubuntu: apt install libibverbs1 ibverbs-providers)";

  /** All functions are as of this version; any rdma-core has a later one. */
  private static final String NEEDED = "1.1";

  /** Functions that were looked for in vain. */
  private static final List<String> MISSING = new CopyOnWriteArrayList<>();

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

  public static boolean isPresent() {
    return SYMBOLS != null;
  }

  /** Its functions, or why there are none. */
  public static SymbolLookup symbols() {
    SymbolLookup symbols = SYMBOLS;
    if (symbols == null) {
      throw new VerbsUnavailableException(problem(PROBLEM), PROBLEM);
    }
    return symbols;
  }

  /**
   * Where a function is; where the library has none of that name, nowhere, and {@link
   * #requireComplete} keeps it from being called.
   */
  public static MemorySegment find(String name) {
    MemorySegment function = symbols().find(name).orElse(MemorySegment.NULL);
    if (function.equals(MemorySegment.NULL)
        && !MISSING.contains(name)) { // it may be asked for in two ways
      MISSING.add(name);
    }
    return function;
  }

  /**
   * A function; where the library has none of that name, one that throws, which {@link
   * #requireComplete} keeps from being called.
   */
  @SuppressWarnings("restricted")
  public static MethodHandle bind(String name, FunctionDescriptor shape, Linker.Option... options) {
    MemorySegment function = find(name);
    if (!function.equals(MemorySegment.NULL)) {
      return LINKER.downcallHandle(function, shape, options);
    }
    MethodType type = LINKER.downcallHandle(shape, options).type().dropParameterTypes(0, 1);
    return MethodHandles.dropArguments(
        MethodHandles.throwException(type.returnType(), VerbsUnavailableException.class)
            .bindTo(tooOld(List.of(name))),
        0,
        type.parameterList());
  }

  /**
   * To be called when all functions were looked for.
   *
   * @throws VerbsUnavailableException if one of them is missing
   */
  public static void requireComplete() {
    if (!MISSING.isEmpty()) {
      throw tooOld(MISSING);
    }
  }

  private static VerbsUnavailableException tooOld(List<String> missing) {
    return new VerbsUnavailableException(
        "the library "
            + NAME
            + " is too old, it has no "
            + String.join(", ", missing)
            + ": libibverbs "
            + NEEDED
            + " or later is needed, as any rdma-core has"
            + INSTALL,
        null);
  }

  private static String problem(@Nullable RuntimeException cause) {
    if (cause instanceof IllegalCallerException) {
      return "native access is not allowed:"
          + " start Java with --enable-native-access=org.ringwire.infiniband"
          + " (ALL-UNNAMED if Ringwire is on the class path)";
    }
    return "the library " + NAME + " is missing: install rdma-core" + INSTALL;
  }
}
