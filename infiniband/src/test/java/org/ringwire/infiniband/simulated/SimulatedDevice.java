package org.ringwire.infiniband.simulated;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * What the devices of the {@link SimulatedLibrary} are told, and tell; by a program that it runs.
 * The names are those of {@code simulation.h}.
 */
@SuppressWarnings("restricted")
public final class SimulatedDevice {

  private static final SymbolLookup LIBRARY =
      SymbolLookup.libraryLookup("libibverbs.so.1", Arena.global());
  private static final MethodHandle SET =
      Linker.nativeLinker()
          .downcallHandle(
              LIBRARY.findOrThrow("simulated_set"), FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT));
  private static final MethodHandle GET =
      Linker.nativeLinker()
          .downcallHandle(
              LIBRARY.findOrThrow("simulated_get"), FunctionDescriptor.of(JAVA_INT, ADDRESS));

  private SimulatedDevice() {}

  /** Changes what devices do from now on, or makes something happen. */
  public static void set(String name, int value) {
    try (Arena arena = Arena.ofConfined()) {
      SET.invokeExact(arena.allocateFrom(name), value);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** What has become of something. */
  public static int get(String name) {
    try (Arena arena = Arena.ofConfined()) {
      return (int) GET.invokeExact(arena.allocateFrom(name));
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
