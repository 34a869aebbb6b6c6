package org.ringwire.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.ringwire.benchmarks.compare.CompareMain;
import org.ringwire.benchmarks.reference.ReferenceMain;
import org.ringwire.benchmarks.targets.TargetsMain;
import org.ringwire.benchmarks.verbs.VerbsMain;
import org.ringwire.testing.ProjectFiles;
import picocli.CommandLine.Model.CommandSpec;

/** The documents show options that the programs of this module have. */
class DocumentedCallsTest {

  private static final Map<String, Class<?>> BENCHES =
      Map.of(
          "compare", CompareMain.class,
          "reference", ReferenceMain.class,
          "verbs", VerbsMain.class);

  private final List<String> wrong = new ArrayList<>();

  @Test
  void shouldNameOptionsThatThereAre() {
    for (List<String> words : ProjectFiles.calls("./ringwire")) {
      Class<?> program = words.size() < 2 ? null : BENCHES.get(words.get(1));
      if (program != null && words.getFirst().equals("bench")) {
        check(program, words);
      }
    }
    ProjectFiles.calls("./benchmarks/targets").forEach(words -> check(TargetsMain.class, words));
    ProjectFiles.calls("infiniband/rdma-vm/bench.sh")
        .forEach(words -> check(VerbsMain.class, words));

    assertThat(wrong).isEmpty();
  }

  private void check(Class<?> program, List<String> words) {
    CommandSpec spec = CommandSpec.forAnnotatedObject(program);
    for (String word : words) {
      String name = word.replaceFirst("=.*", "");
      if (name.startsWith("--")
          && !spec.optionsMap().containsKey(name)
          && !List.of("--help", "--host").contains(name)) {
        wrong.add(program.getSimpleName() + ": " + String.join(" ", words));
      }
    }
  }
}
