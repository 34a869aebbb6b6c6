package org.ringwire.transport;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasses;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * Runs tests of transports in a process that {@link OneCoreTest} has given one core; those of TLS,
 * which take as long as all others, at night.
 */
final class OneCoreProgram {

  private OneCoreProgram() {}

  public static void main(String... args) {
    if (Runtime.getRuntime().availableProcessors() != 1) {
      throw new IllegalStateException("more than one core");
    }
    List<ClassSelector> classes =
        new ArrayList<>(
            selectClasses(
                TcpSpiTest.class, TcpLeadSpiTest.class, ShmSpiTest.class, ShmLeadSpiTest.class));
    if (Boolean.getBoolean("ringwire.nightly")) {
      classes.add(selectClass(TlsSpiTest.class));
    }
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(classes)
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
