package org.ringwire.benchmarks.reference.aeron;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.benchmarks.reference.harness.Settings.Kind;
import org.ringwire.benchmarks.reference.harness.Settings.Mode;

/** One process: its media driver, if it has one, its client, and how its threads wait. */
final class AeronNode implements AutoCloseable {
  /** A busy machine may stop a process for as long as it likes; nobody is declared dead for it. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

  /** A driver sends a packet per turn. */
  private static final int LAST_TURNS = 100;

  private final @Nullable MediaDriver driver;
  private final Aeron aeron;
  private final Settings settings;
  private final int cpus;
  private final boolean isAlone;

  private AeronNode(
      @Nullable MediaDriver driver, AeronMedium medium, Path folder, Settings settings, int cpus) {
    isAlone = medium == AeronMedium.IPC;
    this.driver = driver;
    this.settings = settings;
    this.cpus = cpus;
    AgentInvoker invoked = driver == null ? null : driver.sharedAgentInvoker();
    Aeron.Context context =
        new Aeron.Context()
            .aeronDirectoryName(folder.toString())
            .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NS))
            .driverAgentInvoker(invoked)
            .useConductorAgentInvoker(invoked != null)
            .errorHandler(Throwable::printStackTrace);
    aeron = Aeron.connect(context);
  }

  /**
   * With a driver in this process. Over shared memory there is one for both processes, with the
   * receiver: it sets up log buffers and moves their limits now and then, and a process of its own
   * would only compete for the two cores. Over UDP each process has its own, as on two hosts. The
   * driver has one thread, as two cores have no room for three; or none, where one thread alone
   * asks and answers: that one does its work while it waits, so that a message wakes nobody within
   * the process.
   */
  static AeronNode withDriver(AeronMedium medium, Path folder, Settings settings, int cpus) {
    MediaDriver.Context context =
        new MediaDriver.Context()
            .aeronDirectoryName(folder.toString())
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .threadingMode(
                isInvoked(medium, settings) ? ThreadingMode.INVOKER : ThreadingMode.SHARED)
            .sharedIdleStrategy(
                medium == AeronMedium.IPC ? new BackoffIdleStrategy() : idle(settings, false))
            .termBufferSparseFile(false) // no page fault is measured
            .imageLivenessTimeoutNs(PATIENCE_NS)
            .clientLivenessTimeoutNs(PATIENCE_NS)
            .publicationConnectionTimeoutNs(PATIENCE_NS)
            .publicationUnblockTimeoutNs(2 * PATIENCE_NS);
    if (medium == AeronMedium.UDP) {
      int length = AeronMedium.socketBufferLength();
      context
          .socketRcvbufLength(length)
          .socketSndbufLength(length)
          .initialWindowLength(length); // all that the socket holds may be on its way
    }
    return new AeronNode(MediaDriver.launch(context), medium, folder, settings, cpus);
  }

  private static boolean isInvoked(AeronMedium medium, Settings settings) {
    return medium == AeronMedium.UDP && settings.kind() == Kind.PINGPONG;
  }

  /** Without one: it uses that of the other process. */
  static AeronNode withDriverOf(Path folder, Settings settings, int cpus) {
    return new AeronNode(null, AeronMedium.IPC, folder, settings, cpus);
  }

  Aeron aeron() {
    return aeron;
  }

  /** For one thread of the application. */
  IdleStrategy newIdle() {
    // Over UDP the driver's thread needs the core as well. Where there is none, others may want it:
    // then a thread that never yields was slower by far.
    boolean hasOwnCore = isAlone && settings.hasCoreEach(cpus) && settings.threads() == 1;
    IdleStrategy idle = idle(settings, hasOwnCore);
    AgentInvoker invoked = driver == null ? null : driver.sharedAgentInvoker();
    return invoked == null
        ? idle
        : new InvokingIdleStrategy(invoked, aeron.conductorAgentInvoker(), idle);
  }

  private static IdleStrategy idle(Settings settings, boolean hasOwnCore) {
    if (settings.mode() == Mode.PARK) {
      return new BackoffIdleStrategy(); // the default of Aeron: spin, yield, park up to 1 ms
    }
    return hasOwnCore ? BusySpinIdleStrategy.INSTANCE : new YieldingIdleStrategy();
  }

  @Override
  public void close() {
    try (driver) {
      sendWhatIsWritten();
      aeron.close();
    }
  }

  /** A driver without a thread sends nothing by itself, the last message included. */
  private void sendWhatIsWritten() {
    AgentInvoker invoked = driver == null ? null : driver.sharedAgentInvoker();
    for (int i = 0; i < LAST_TURNS && invoked != null; i++) {
      invoked.invoke();
    }
  }
}
