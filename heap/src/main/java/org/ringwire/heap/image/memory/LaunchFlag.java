package org.ringwire.heap.image.memory;

import jdk.internal.misc.Unsafe;

/** The one flag that this module needs, and what else must be true of the JVM. */
public final class LaunchFlag {
  private static final String PACKAGE = "jdk.internal.misc";

  private LaunchFlag() {}

  /**
   * Checks that this JVM can hold images.
   *
   * @throws IllegalStateException if the flag is missing; the message has it in full
   */
  public static void require() {
    Module module = LaunchFlag.class.getModule();
    if (!Object.class.getModule().isExported(PACKAGE, module)) {
      throw new IllegalStateException(
          "object graphs need a JVM that is started with " + flagFor(module) + entryFor(module));
    }
    requireByteOrder();
  }

  /** The flag as it is typed. */
  static String flagFor(Module module) {
    String target = module.isNamed() ? module.getName() : "ALL-UNNAMED";
    return "--add-exports java.base/" + PACKAGE + "=" + target;
  }

  /** What does the same for an executable jar; manifests export to what is in no module only. */
  private static String entryFor(Module module) {
    if (module.isNamed()) {
      return "";
    }
    return " or, by java -jar, from a jar whose manifest has Add-Exports: java.base/" + PACKAGE;
  }

  /** Apart from the check, so that Unsafe is not linked before it. */
  private static void requireByteOrder() {
    Unsafe unsafe = Unsafe.getUnsafe();
    if (unsafe.isBigEndian() || !unsafe.unalignedAccess()) {
      throw new IllegalStateException(
          "object graphs need a little-endian processor with unaligned access: arch="
              + System.getProperty("os.arch"));
    }
  }
}
