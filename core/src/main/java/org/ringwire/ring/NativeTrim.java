package org.ringwire.ring;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Sees to it that memory which was freed leaves the process. The C library keeps what it was given
 * back if it may be asked for it again, in particular blocks of the size of rings: after a thousand
 * rings have gone to rest the process would still be a gibibyte large (glibc raises its threshold
 * for separate mappings with the first such block that is freed). It gives everything back when it
 * is told to; the JVM has a command for that, which this class calls, once for so many bytes that
 * were freed, where the JVM and the modules that it takes are there.
 *
 * <p>It takes some 100 us per MiB that is given back, and other threads may go on meanwhile; so it
 * is for a thread that does chores. {@code -Dringwire.trimNativeHeap=false} leaves everything to
 * the C library. Any thread.
 */
public final class NativeTrim {

  /** Freed bytes that are worth it. */
  static final long WORTH_BYTES = 64 << 20;

  private static final AtomicLong FREED = new AtomicLong();
  private static volatile boolean possible =
      !"false".equals(System.getProperty("ringwire.trimNativeHeap"));

  private NativeTrim() {}

  /** So many bytes were freed. */
  static void freed(long bytes) {
    FREED.getAndAdd(bytes);
  }

  /** Whether so much was freed that the process should give it back. */
  public static boolean isDue() {
    return possible && FREED.get() >= WORTH_BYTES;
  }

  /** Gives back what was freed, if that is worth it. */
  public static void trim() {
    if (isDue() && FREED.getAndSet(0) >= WORTH_BYTES) {
      try {
        Command.run();
      } catch (Exception | LinkageError e) { // not JMException: this class is to load without it
        possible = false; // no such command, or not the modules java.management, jdk.management
      }
    }
  }

  /** Apart, so that nothing of it is loaded before. */
  private static final class Command {
    static void run() throws JMException {
      ManagementFactory.getPlatformMBeanServer()
          .invoke(
              new ObjectName("com.sun.management:type=DiagnosticCommand"),
              "systemTrimNativeHeap",
              null,
              null);
    }
  }
}
