package org.ringwire.transport;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs tests of transports in a process that {@link OneCoreTest} has given one core. */
final class OneCoreProgram {

  private OneCoreProgram() {}

  public static void main(String... args) {
    if (Runtime.getRuntime().availableProcessors() != 1) {
      throw new IllegalStateException("more than one core");
    }
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(
                    selectClass(TcpSpiTest.class),
                    selectClass(TcpLeadSpiTest.class),
                    selectClass(TlsSpiTest.class),
                    selectClass(ShmSpiTest.class),
                    selectClass(ShmLeadSpiTest.class))
                .configurationParameter("junit.jupiter.execution.timeout.default", "3 m")
                .build(),
            summary);
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    summary.getSummary().printFailuresTo(out, 30);
    out.println(
        summary.getSummary().getTestsSucceededCount()
            + " of "
            + summary.getSummary().getTestsFoundCount());
  }
}
