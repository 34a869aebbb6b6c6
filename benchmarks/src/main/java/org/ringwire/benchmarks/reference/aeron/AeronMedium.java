package org.ringwire.benchmarks.reference.aeron;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.ringwire.benchmarks.reference.harness.Sample;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.benchmarks.reference.harness.Settings.Mode;

/** Channels, media drivers and idle strategies: every setting of Aeron, with its reason. */
enum AeronMedium {
  /** Shared memory. The driver is no part of the way of a message. */
  IPC;

  /** Largest that there is: a message of 16 KiB stays in one piece and is claimed in place. */
  private static final int MTU = 65504;

  /**
   * Terms of a log buffer. Three of them stay in the cache of the second level or close to it,
   * where the default of 64 MiB streams every message through main memory.
   */
  private static final int TERM_LENGTH = 1024 * 1024;

  /** The longest message is an eighth of a term, by definition. */
  private static final int MESSAGES_PER_TERM = 8;

  /** A busy machine may stop a process for as long as it likes; nobody is declared dead for it. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

  /** As in results. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What publications and subscriptions of one direction are opened with. */
  String channel(Settings settings) {
    int longest =
        MESSAGES_PER_TERM * Integer.highestOneBit(Sample.frameLength(settings.payloadLength())) * 2;
    return "aeron:ipc?mtu=" + MTU + "|term-length=" + Math.max(TERM_LENGTH, longest);
  }

  /**
   * An embedded driver. For shared memory there is one, in the receiving process: it sets up log
   * buffers and moves their limits now and then, so that a process of its own would only compete
   * for the two cores.
   */
  MediaDriver launch(Path folder) {
    return MediaDriver.launchEmbedded(
        new MediaDriver.Context()
            .aeronDirectoryName(folder.toString())
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            // One thread: it is idle, and two cores have no room for three spinning ones.
            .threadingMode(ThreadingMode.SHARED)
            .sharedIdleStrategy(new BackoffIdleStrategy())
            // No page fault is measured.
            .termBufferSparseFile(false)
            .imageLivenessTimeoutNs(PATIENCE_NS)
            .clientLivenessTimeoutNs(PATIENCE_NS)
            .publicationUnblockTimeoutNs(2 * PATIENCE_NS));
  }

  /** For one thread of the application. */
  static IdleStrategy idle(Settings settings, int cpus) {
    if (settings.mode() == Mode.PARK) {
      return new BackoffIdleStrategy(); // the default of Aeron: spin, yield, park up to 1 ms
    }
    return settings.hasCoreEach(cpus) && settings.threads() == 1
        ? BusySpinIdleStrategy.INSTANCE
        : new YieldingIdleStrategy();
  }
}
