package org.ringwire.tools.bench.measure;

/** Where a figure was measured. */
public final class Machine {

  private Machine() {}

  /** Version of the Java runtime. */
  public static String java() {
    return Runtime.version().toString();
  }

  /** Name and version of the operating system. */
  public static String kernel() {
    return System.getProperty("os.name") + " " + System.getProperty("os.version");
  }

  /** Processors that this process may use. */
  public static int cpus() {
    return Runtime.getRuntime().availableProcessors();
  }
}
