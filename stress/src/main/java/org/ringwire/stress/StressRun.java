package org.ringwire.stress;

import static java.util.stream.Collectors.groupingBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.JCStress;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.ReportUtils;
import org.openjdk.jcstress.infra.runners.TestList;
import org.openjdk.jcstress.vm.VMSupport;

/**
 * Runs the jcstress tests of this module and exits with 1 when one failed, or did not run in every
 * configuration that was asked for. jcstress by itself keeps quiet about tests that it cannot run
 * on the machine at hand.
 *
 * <p>A quick run keeps the configuration that finds most per second: C2 with its randomised order
 * of memory accesses. To start a process takes longer than to run a test in it for a while, so each
 * further configuration would leave the first a fraction of its samples. Any other mode uses all.
 */
public final class StressRun {
  /** How long jcstress takes to look at the machine, and a fork to start. */
  private static final long PREPARE_MS = 12_000;

  private static final long FORK_START_MS = 900;

  /** What "quick" means. */
  private static final int QUICK_CONFIGS = 1;

  private static final int QUICK_ITERATIONS = 5;

  private StressRun() {}

  /**
   * Runs the tests.
   *
   * @param args the mode ({@code quick}, or a preset of jcstress), the seconds that a quick run may
   *     take, the folder of the report, and further options for jcstress
   * @throws Exception if jcstress cannot run
   */
  public static void main(String... args) throws Exception {
    Path report = Path.of(args[2]);
    Files.createDirectories(report);
    List<String> options = new ArrayList<>(List.of("-m", args[0], "-r", report.toString()));
    options.addAll(
        List.of(
            "-jvmArgsPrepend",
            "--illegal-native-access=deny --sun-misc-unsafe-memory-access=deny"));
    boolean quick = args[0].equals("quick");
    if (quick) {
      long iterationMs = quickIterationMs(Long.parseLong(args[1]), TestList.tests().size());
      options.addAll(List.of("-sc", "false", "-time", Long.toString(iterationMs)));
    }
    options.addAll(List.of(args).subList(3, args.length));

    Options parsed = new Options(options.toArray(String[]::new));
    if (!parsed.parse()) {
      System.exit(2);
    }
    JCStress stress = quick ? new QuickStress(parsed) : new JCStress(parsed);
    try {
      stress.run();
    } catch (AssertionError e) {
      System.out.println("[STRESS] " + e.getMessage());
    }
    List<String> problems = problems(stress.getTests(), results(parsed.getResultFile()));
    if (quick && VMSupport.getAvailableVMConfigs().size() != QUICK_CONFIGS) {
      problems.add("configurations: " + VMSupport.getAvailableVMConfigs().size());
    }
    problems.forEach(problem -> System.out.println("[STRESS] " + problem));
    System.out.printf(
        "[STRESS] Tests: %d, problems: %d%n", stress.getTests().size(), problems.size());
    System.exit(problems.isEmpty() ? 0 : 1);
  }

  /** Keeps few configurations: jcstress asks for its tests once it knows all of them. */
  private static final class QuickStress extends JCStress {
    QuickStress(Options options) {
      super(options);
    }

    @Override
    public SortedSet<String> getTests() {
      VMSupport.getAvailableVMConfigs().removeIf(config -> !config.stress());
      return super.getTests();
    }
  }

  private static long quickIterationMs(long budgetSeconds, int tests) {
    long forkMs = (budgetSeconds * 1000 - PREPARE_MS) / Math.max(1, (long) tests * QUICK_CONFIGS);
    return Math.clamp((forkMs - FORK_START_MS) / QUICK_ITERATIONS, 20, 200);
  }

  private static Map<String, List<TestResult>> results(String file) throws Exception {
    InProcessCollector collector = new InProcessCollector();
    DiskReadCollector reader = new DiskReadCollector(file, collector);
    reader.dump();
    reader.close();
    return collector.getTestResults().stream().collect(groupingBy(TestResult::getName));
  }

  private static List<String> problems(
      Collection<String> tests, Map<String, List<TestResult>> results) {
    List<String> problems = new ArrayList<>();
    if (tests.isEmpty()) {
      problems.add("no test was found");
    }
    for (String test : tests) {
      List<TestResult> runs = results.getOrDefault(test, List.of());
      int configs = VMSupport.getAvailableVMConfigs().size();
      if (runs.isEmpty() ? !skipIsAllowed(TestList.getInfo(test)) : runs.size() < configs) {
        problems.add("ran " + runs.size() + " times in " + configs + " configurations: " + test);
      }
      for (TestResult run : runs) {
        if (!ReportUtils.statusToPassed(run) || run.getTotalCount() == 0) {
          problems.add(
              "failed: "
                  + test
                  + " "
                  + ReportUtils.statusToLabel(run)
                  + " "
                  + run.getConfig().jvmArgs);
        }
      }
    }
    return problems;
  }

  private static @Nullable MaySkip permission(String className) {
    try {
      return Class.forName(className).getAnnotation(MaySkip.class);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("class=" + className, e);
    }
  }

  private static boolean skipIsAllowed(TestInfo test) {
    int cores = Runtime.getRuntime().availableProcessors();
    MaySkip permission = permission(test.binaryName());
    if (permission == null || cores >= test.threads()) {
      return false;
    }
    System.out.printf(
        "[STRESS] skipped: %s (%d actors, %d cores): %s%n",
        test.name(), test.threads(), cores, permission.because());
    return true;
  }
}
