package org.ringwire.infiniband.guest;

import static org.junit.platform.engine.discovery.ClassNameFilter.STANDARD_INCLUDE_PATTERN;
import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;
import static org.junit.platform.launcher.TagFilter.includeTags;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.junit.platform.reporting.legacy.xml.LegacyXmlReportGeneratingListener;

/**
 * Runs tests where there is no Maven, in the virtual machine. JUnit has a program for that, whose
 * command line alone takes half a minute to parse there.
 */
public final class GuestTests {

  private GuestTests() {}

  /**
   * Runs what is selected; status 0 if at least one test ran and none failed.
   *
   * @param args a folder for reports, or "none"; then "class" and names of classes, or "tag", a
   *     tag, and jars of tests, or "load", a tag, and jars, of which all classes are loaded before
   */
  public static void main(String... args) throws ClassNotFoundException, IOException {
    if (args[1].equals("load")) {
      load(List.of(args).subList(3, args.length));
    }
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    Wires wires = new Wires(out);
    List<TestExecutionListener> listeners =
        new ArrayList<>(List.of(summary, new Progress(out), wires));
    if (!args[0].equals("none")) {
      listeners.add(new LegacyXmlReportGeneratingListener(Path.of(args[0]), out));
    }
    LauncherFactory.create()
        .execute(request(args), listeners.toArray(TestExecutionListener[]::new));
    TestExecutionSummary result = summary.getSummary();
    result.printFailuresTo(out, 30);
    out.println(
        "tests: "
            + result.getTestsFoundCount()
            + " found, "
            + result.getTestsSucceededCount()
            + " good, "
            + result.getTotalFailureCount()
            + " failures, "
            + (result.getTestsSkippedCount() + result.getTestsAbortedCount())
            + " skipped");
    boolean good =
        result.getTestsSucceededCount() > 0 && result.getTotalFailureCount() == 0 && wires.isGood();
    System.exit(good ? 0 : 1);
  }

  private static LauncherDiscoveryRequest request(String... args) throws ClassNotFoundException {
    LauncherDiscoveryRequestBuilder request =
        LauncherDiscoveryRequestBuilder.request()
            .configurationParameter("junit.jupiter.execution.timeout.default", "3 m")
            .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true");
    if (args[1].equals("class")) {
      for (int i = 2; i < args.length; i++) {
        request.selectors(selectClass(Class.forName(args[i])));
      }
      return request.build();
    }
    request.filters(includeClassNamePatterns(STANDARD_INCLUDE_PATTERN));
    Set<Path> roots =
        Arrays.stream(args).skip(3).map(Path::of).filter(Files::exists).collect(Collectors.toSet());
    request.selectors(selectClasspathRoots(roots));
    request.filters(includeTags(args[2]));
    return request.build();
  }

  /** All classes of jars, as an archive of classes has those that were loaded. */
  private static void load(List<String> jars) throws IOException {
    for (String jar : jars) {
      try (JarFile file = new JarFile(jar)) {
        file.stream()
            .map(JarEntry::getName)
            .filter(name -> name.endsWith(".class") && !name.contains("-"))
            .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
            .forEach(GuestTests::load);
      }
    }
  }

  private static void load(String name) {
    try {
      Class.forName(name, false, GuestTests.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      // it belongs to what is not there
    }
  }

  /** Tells for each class what went which way; data of any test over TCP is a failure. */
  private static final class Wires implements TestExecutionListener {

    private final PrintWriter out;
    private Traffic before = Traffic.NONE;
    private boolean fellBack;

    Wires(PrintWriter out) {
      this.out = out;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
      if (isClass(test)) {
        before = Traffic.now();
      }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (isClass(test) && Traffic.isCounted()) {
        Traffic traffic = Traffic.now().since(before);
        out.println(Progress.name(test) + ": " + traffic);
        if (traffic.fellBack()) {
          fellBack = true;
          out.println("FAILED " + Progress.name(test) + ": messages went over TCP");
        }
      }
    }

    private static boolean isClass(TestIdentifier test) {
      return test.getUniqueIdObject().getLastSegment().getType().equals("class");
    }

    boolean isGood() {
      return !fellBack;
    }
  }

  /** A line for each test. */
  private record Progress(PrintWriter out) implements TestExecutionListener {

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (test.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
        out.println(result.getStatus() + " " + name(test));
      }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
      out.println("SKIPPED " + name(test) + ": " + reason);
    }

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
      out.println(name(test) + ": " + entry.getKeyValuePairs());
    }

    /** The class and the method. */
    private static String name(TestIdentifier test) {
      return test.getUniqueIdObject().getSegments().stream()
          .skip(1)
          .map(segment -> segment.getValue())
          .collect(Collectors.joining(" "));
    }
  }
}
