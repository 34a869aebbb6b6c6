package org.ringwire.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.EndReason;
import org.ringwire.MessagingException;
import org.ringwire.NodeConfig;
import org.ringwire.NodeMetrics;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.ProjectFiles;
import org.ringwire.wire.ProtocolException;

/** What an operator meets by its name has a place in the documents, and what they name exists. */
@ExtendWith(NodeWatcher.class)
class DescribedTest {

  private static final Path MAIN = Path.of("src/main/java");
  private static final Pattern WORD = Pattern.compile("\\w+");
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
  private static final Pattern PROPERTY = Pattern.compile("\"(ringwire\\.[\\w.]+)\"");
  private static final Pattern GIVEN = Pattern.compile("-D(ringwire\\.\\w[\\w.]*\\w)");
  private static final Pattern VARIABLE = Pattern.compile("RINGWIRE_[A-Z_]+");
  private static final Pattern EVENT = Pattern.compile("@Name\\(\"([\\w.]+)\"\\)");
  private static final Pattern NAMED =
      Pattern.compile("`(?:[\\w/]+/)?([A-Z][a-z0-9]+[A-Z]\\w*)(?:[.#(\\[][^`]*)?`");

  private final String operations = ProjectFiles.text("docs/operations.md");
  private final String tuning = ProjectFiles.text("docs/tuning.md");

  @Test
  void shouldNameEverySetting() {
    List<String> settings = componentsOf(NodeConfig.class);
    settings.removeAll(List.of("initialWindow", "maxWindow")); // given together
    settings.add("window");

    settings.removeAll(wordsOfCode(operations + tuning + ProjectFiles.text("README.md")));
    assertThat(settings).isEmpty();
  }

  @Test
  void shouldNameEverySystemProperty() {
    Set<String> properties =
        ProjectFiles.files(MAIN, ".java").stream()
            .flatMap(file -> PROPERTY.matcher(ProjectFiles.text(file)).results())
            .map(found -> found.group(1))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(properties).contains("ringwire.maxNativeBytes", "ringwire.poison");
    properties.removeIf(name -> (operations + tuning).contains("-D" + name));
    assertThat(properties).isEmpty();
  }

  @Test
  void shouldNameNoSystemPropertyThatThereIsNot() {
    String code =
        Stream.of(ProjectFiles.sources(), ProjectFiles.files(ProjectFiles.ROOT, "pom.xml"))
            .flatMap(List::stream)
            .map(ProjectFiles::text)
            .collect(Collectors.joining("\n"));
    List<String> unknown = new ArrayList<>();
    for (Path document : ProjectFiles.documents()) {
      GIVEN
          .matcher(ProjectFiles.text(document))
          .results()
          .map(found -> found.group(1).replaceFirst("^ringwire\\.ib\\.\\w+$", "ringwire.ib."))
          .filter(name -> !code.contains(name))
          .forEach(name -> unknown.add(document + ": " + name));
    }
    assertThat(unknown).isEmpty();
  }

  /** Of scripts; programs give further ones to their own processes. */
  @Test
  void shouldNameEveryVariableOfTheEnvironment() {
    Set<String> variables = new TreeSet<>();
    for (String folder : List.of("infiniband/rdma-vm", "benchmarks", ".mvn")) {
      ProjectFiles.files(ProjectFiles.ROOT.resolve(folder), ".sh")
          .forEach(script -> addVariables(ProjectFiles.text(script), variables));
    }
    List.of("ringwire", "mvnw", "benchmarks/jmh", "benchmarks/targets", ".ci/run")
        .forEach(script -> addVariables(ProjectFiles.text(script), variables));
    assertThat(variables).contains("RINGWIRE_JVM_OPTS", "RINGWIRE_RDMA_ACCEL");
    String documents =
        ProjectFiles.documents().stream().map(ProjectFiles::text).collect(Collectors.joining("\n"));
    variables.removeAll(wordsOfCode(documents));
    assertThat(variables).isEmpty();
  }

  private static void addVariables(String script, Set<String> variables) {
    VARIABLE.matcher(script).results().forEach(found -> variables.add(found.group()));
  }

  @Test
  void shouldNameEveryMetric() {
    List<String> metrics = new ArrayList<>();
    metrics.addAll(componentsOf(NodeMetrics.class));
    metrics.addAll(componentsOf(NodeMetrics.ConnectionMetrics.class));
    metrics.addAll(componentsOf(NodeMetrics.HandlerMetrics.class));
    metrics.addAll(componentsOf(NodeMetrics.SlowHandler.class));
    metrics.addAll(componentsOf(NodeMetrics.MemoryMetrics.class));

    metrics.removeAll(wordsOfCode(operations));
    assertThat(metrics).isEmpty();
  }

  @Test
  void shouldNameEveryReason() {
    List<String> reasons = new ArrayList<>();
    for (EndReason reason : EndReason.values()) {
      reasons.add(reason.name());
    }
    for (ProtocolException.Reason reason : ProtocolException.Reason.values()) {
      reasons.add(reason.name());
    }
    reasons.removeIf(name ->
        operations.contains("`" + name + "`")
            || operations.contains("`" + name.replaceFirst("_.*", "_*") + "`"));
    assertThat(reasons).isEmpty();
  }

  @Test
  void shouldNameEveryException() throws ClassNotFoundException {
    List<String> exceptions = new ArrayList<>();
    for (Path file : ProjectFiles.files(MAIN, "Exception.java")) {
      String type = MAIN.relativize(file).toString().replace(".java", "").replace('/', '.');
      if (MessagingException.class.isAssignableFrom(Class.forName(type))) {
        exceptions.add(type.substring(type.lastIndexOf('.') + 1));
      }
    }
    assertThat(exceptions).contains("BackPressureException", "DecodingException");
    exceptions.removeAll(wordsOfCode(operations));
    assertThat(exceptions).isEmpty();
  }

  @Test
  void shouldNameEveryEventOfTheFlightRecorder() {
    String recorded =
        ProjectFiles.text("core/src/main/java/org/ringwire/flight/RecordedEvents.java");

    List<String> events =
        EVENT
            .matcher(recorded)
            .results()
            .map(found -> found.group(1))
            .collect(Collectors.toCollection(ArrayList::new));
    assertThat(events).contains("org.ringwire.SenderStall");
    events.removeIf(name -> operations.contains("`" + name + "`"));
    assertThat(events).isEmpty();
  }

  /** Figures and experiments may tell of what was left out. */
  @Test
  void shouldNameNoTypeThatThereIsNot() {
    Set<String> words =
        ProjectFiles.sources().stream()
            .flatMap(file -> WORD.matcher(ProjectFiles.text(file)).results())
            .map(found -> found.group())
            .collect(Collectors.toSet());
    List<String> unknown = new ArrayList<>();
    for (Path document : ProjectFiles.documents()) {
      if (document.toString().matches(".*(experiments/|performance|CHANGELOG).*")) {
        continue;
      }
      NAMED
          .matcher(ProjectFiles.text(document))
          .results()
          .map(found -> found.group(1))
          .filter(name -> !words.contains(name))
          .forEach(name -> unknown.add(document + ": " + name));
    }
    assertThat(unknown).isEmpty();
  }

  private static List<String> componentsOf(Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .map(RecordComponent::getName)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  /** Words of what a text shows as code, within a line or as lines. */
  private static Set<String> wordsOfCode(String text) {
    return Stream.concat(
            CODE.matcher(text).results().map(found -> found.group(1)),
            text.lines().filter(line -> line.startsWith("    ")))
        .flatMap(code -> WORD.matcher(code).results())
        .map(found -> found.group())
        .collect(Collectors.toSet());
  }
}
