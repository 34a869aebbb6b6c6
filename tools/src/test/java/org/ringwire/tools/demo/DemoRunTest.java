package org.ringwire.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.Progress;
import org.ringwire.tools.demo.check.SingleProcessRun;
import org.ringwire.tools.demo.check.Verification;
import org.ringwire.tools.demo.cluster.Cluster;
import org.ringwire.tools.demo.cluster.LoopbackCluster;
import org.ringwire.tools.demo.graph.JdkClasses;
import org.ringwire.tools.demo.graph.Partition;
import org.ringwire.tools.demo.graph.PartitionLoader;
import org.ringwire.tools.demo.graph.SomeModules;
import picocli.CommandLine;

/** Whole runs over loopback, on the classes of a few modules. */
class DemoRunTest {

  private static final int ROUNDS = 5;
  private static final JdkClasses CLASSES =
      JdkClasses.list(SomeModules.finder("java.xml", "java.sql"));
  private static final int ROOT = CLASSES.number("javax/xml/parsers/SAXParserFactory");

  private final StringWriter errors = new StringWriter();
  private final Progress progress = new Progress(new PrintWriter(errors, true), false);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void shouldSendOneMessagePerEdgeThatCrosses(int nodes) throws Exception {
    Partition whole = new PartitionLoader(CLASSES, 1).loadAll(_ -> {});
    int[] levels = SingleProcessRun.levels(whole, ROOT);
    int crossing = 0;
    int crossingFromReached = 0;
    for (int source = 0; source < whole.count(); source++) {
      for (int i = 0; i < whole.degree(source); i++) {
        if (source % nodes != whole.target(source, i) % nodes) {
          crossing++;
          crossingFromReached += levels[source] >= 0 ? 1 : 0;
        }
      }
    }
    DemoRun run = run(nodes);
    assertThat(run.verification().problems()).isEmpty();
    assertThat(run.outcome().levels()).isEqualTo(levels);
    assertThat(run.outcome().searchMessages()).isEqualTo(crossingFromReached);
    assertThat(run.outcome().rankMessages()).isEqualTo((long) crossing * ROUNDS);
    assertThat(run.outcome().handledMessages())
        .isEqualTo(crossingFromReached + (long) crossing * ROUNDS);
  }

  @Test
  void shouldReachMoreThanTheRoot() throws Exception {
    int[] levels = run(3).outcome().levels();
    assertThat(Arrays.stream(levels).max().orElseThrow()).isGreaterThan(2);
  }

  @Test
  void shouldEndWithStatusOneWhenNotVerified() throws Exception {
    DemoRun run = run(2);
    Verification wrong = new Verification(List.of("messages handled: too few"), 0);
    DemoRun failed = new DemoRun(run.outcome(), wrong, run.timings());
    DemoResult result = DemoResult.of(CLASSES, 2, failed);
    DemoCommand command = new DemoCommand();
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    new CommandLine(command).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    assertThat(result.verified()).isFalse();
    assertThat(command.report(result, failed)).isEqualTo(ExitStatus.NOT_VERIFIED);
    assertThat(err.toString().strip()).isEqualTo("not verified: messages handled: too few");
    assertThat(out.toString()).doesNotContain("Verified");
  }

  @Test
  void shouldRefuseWorkersThatSeeOtherClasses() {
    Iterator<JdkClasses> each =
        List.of(CLASSES, JdkClasses.list(SomeModules.finder("java.sql"))).iterator();
    assertThatExceptionOfType(CommandException.class)
        .isThrownBy(() -> {
          try (Cluster cluster = LoopbackCluster.open(2, () -> next(each))) {
            DemoRun.of(System.nanoTime(), CLASSES, cluster, ROOT, ROUNDS, progress);
          }
        })
        .withMessageContaining("sees other classes than this process");
  }

  private static JdkClasses next(Iterator<JdkClasses> each) {
    synchronized (each) {
      return each.next();
    }
  }

  private DemoRun run(int nodes) throws Exception {
    try (Cluster cluster = LoopbackCluster.open(nodes, () -> CLASSES)) {
      return DemoRun.of(System.nanoTime(), CLASSES, cluster, ROOT, ROUNDS, progress);
    }
  }
}
