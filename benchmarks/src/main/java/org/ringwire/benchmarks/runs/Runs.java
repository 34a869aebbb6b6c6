package org.ringwire.benchmarks.runs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.ReferenceMain;
import org.ringwire.benchmarks.runs.CoreDistances.Around;
import org.ringwire.benchmarks.runs.EarlierRuns.EarlierRun;
import org.ringwire.benchmarks.runs.Target.Contender;
import org.ringwire.benchmarks.runs.Target.Program;
import org.ringwire.tools.Main;
import org.ringwire.tools.process.Leftovers;
import org.ringwire.tools.process.ParentLink;
import org.ringwire.tools.process.Watched;

/** Starts one command after the other and keeps what they print, one JSON line each. */
public final class Runs {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final @Nullable Path ringwire;
  private final long timeoutSeconds;
  private final @Nullable PrintWriter log;
  private final EarlierRuns earlier;
  private final Map<List<String>, Run> ofThisRound = new HashMap<>();

  private final Disturbances disturbances;
  private final CoreDistances distances = new CoreDistances();

  /**
   * What a command gave: a result, or why there is none.
   *
   * @param error its exit status and the last line of its standard error
   * @param unusable whether it said that it cannot run here, or not like this: exit status 2
   */
  public record Run(@Nullable JsonNode result, @Nullable String error, boolean unusable) {
    /** A failure, or a result. */
    public Run(@Nullable JsonNode result, @Nullable String error) {
      this(result, error, false);
    }
  }

  /**
   * @param ringwire the launcher, or null for the classes on this class path
   * @param log gets every run as a JSON line, or null
   * @param attempts of a run that others disturbed, at most
   */
  public Runs(
      @Nullable Path ringwire, long timeoutSeconds, @Nullable PrintWriter log, int attempts) {
    this(ringwire, timeoutSeconds, log, attempts, EarlierRuns.none());
  }

  /**
   * The same.
   *
   * @param earlier that need not be made again, nor logged
   */
  public Runs(
      @Nullable Path ringwire,
      long timeoutSeconds,
      @Nullable PrintWriter log,
      int attempts,
      EarlierRuns earlier) {
    this.earlier = earlier;
    disturbances = new Disturbances(attempts);
    this.ringwire = ringwire;
    this.timeoutSeconds = timeoutSeconds;
    this.log = log;
  }

  /** Forgets the results that contenders of a round share. */
  public void startRound() {
    ofThisRound.clear();
  }

  /** Runs the contender's command, unless another one of this round had the same. */
  public Run run(Target target, Contender contender, int round) throws InterruptedException {
    List<String> command = command(contender);
    Run shared = ofThisRound.get(command);
    if (shared != null) {
      return shared;
    }
    disturbances.startRun();
    EarlierRun before = earlier.find(round, shown(contender));
    Run run = before == null ? make(target, contender, round, command) : taken(before);
    ofThisRound.put(command, run);
    return run;
  }

  private Run taken(EarlierRun run) {
    disturbances.attempted(run.otherLoad());
    distances.add(run.distance());
    return new Run(run.result(), null);
  }

  private Run make(Target target, Contender contender, int round, List<String> command)
      throws InterruptedException {
    Run run;
    Around distance;
    do {
      Double distanceBefore = CoreDistance.now();
      MachineLoad before = MachineLoad.now();
      run = ofSystem(contender, execute(command));
      MachineLoad after = MachineLoad.now();
      distance = Around.of(distanceBefore, CoreDistance.now());
      Double others = before == null || after == null ? null : after.othersSince(before);
      write(target, contender, round, run, others, distance);
      disturbances.attempted(others);
    } while (run.error() == null && disturbances.callForAnother());
    distances.add(distance);
    return run;
  }

  /** What the machine did meanwhile: some sentences, or nothing where nobody knows. */
  public String machine() {
    return disturbances.text() + distances.text();
  }

  private List<String> command(Contender contender) {
    List<String> command = new ArrayList<>();
    if (contender.program() == Program.RINGWIRE && ringwire != null) {
      command.add(ringwire.toString());
    } else {
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of(ParentLink.QUICK_END, "-XX:+UseParallelGC"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      Class<?> main = contender.program() == Program.RINGWIRE ? Main.class : ReferenceMain.class;
      command.addAll(Watched.words(main.getName(), List.of()));
    }
    command.addAll(contender.words());
    return command;
  }

  /** The command as a user would type it at the root of the repository. */
  public static String shown(Contender contender) {
    String program =
        contender.program() == Program.RINGWIRE ? "./ringwire " : "./ringwire bench reference ";
    return program + String.join(" ", contender.words());
  }

  /**
   * What ran in place of the system that was asked for must not stand in a table under its name.
   *
   * @return the run, or that the system cannot run here
   */
  static Run ofSystem(Contender contender, Run run) {
    JsonNode result = run.result();
    int option = contender.words().indexOf("--system");
    if (result == null || option < 0) {
      return run;
    }
    String asked = contender.words().get(option + 1);
    String ran = result.path("system").asText(asked);
    return ran.equals(asked)
        ? run
        : new Run(null, asked + " is not available here; " + ran + " ran in its place", true);
  }

  private Run execute(List<String> command) throws InterruptedException {
    Path output = null;
    Path errors = null;
    try {
      output = Leftovers.file("ringwire-run", ".json");
      errors = Leftovers.file("ringwire-run", ".err");
      // Files, not pipes: nobody has to read while the command runs, so nobody disturbs it. Its
      // standard input is a pipe that nobody writes to and that closes when this process ends.
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectOutput(Redirect.to(output.toFile()))
              .redirectError(Redirect.to(errors.toFile()));
      builder.environment().put(ParentLink.WATCH, "true"); // for the launcher
      Process process = Leftovers.start(builder);
      try {
        return await(process, output, errors);
      } finally {
        Leftovers.end(process);
        requireNoEnd();
      }
    } catch (IOException e) {
      requireNoEnd();
      return new Run(null, "cannot run " + command.getFirst() + ": " + e.getMessage());
    } finally {
      delete(output);
      delete(errors);
    }
  }

  /** What fails while this process is ending is no result. */
  private static void requireNoEnd() throws InterruptedException {
    if (Leftovers.areBeingCleared()) {
      throw new InterruptedException("this process is ending");
    }
  }

  private static void delete(@Nullable Path file) {
    if (file != null) {
      Leftovers.delete(file); // if it cannot be deleted, a temporary file stays behind
    }
  }

  private Run await(Process process, Path output, Path errors)
      throws IOException, InterruptedException {
    if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
      return new Run(null, "no result within " + timeoutSeconds + " s");
    }
    List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
    if (process.exitValue() == 0 && lines.size() == 1) {
      return new Run(JSON.readTree(lines.getFirst()), null);
    }
    List<String> messages = Files.readAllLines(errors, StandardCharsets.UTF_8);
    String last = messages.isEmpty() ? "no message" : messages.getLast();
    boolean unusable = process.exitValue() == 2;
    String reason = unusable ? last.replaceFirst("^ringwire[a-z ]*: ", "") : last;
    return new Run(null, "exit status " + process.exitValue() + ": " + reason, unusable);
  }

  private void write(
      Target target,
      Contender contender,
      int round,
      Run run,
      @Nullable Double others,
      @Nullable Around distance) {
    if (log == null) {
      return;
    }
    ObjectNode line = JSON.createObjectNode();
    line.put("kind", "run");
    line.put("target", target.id());
    line.put("contender", contender.name());
    line.put("round", round);
    line.put("command", shown(contender));
    line.put("otherLoad", others);
    line.set("lineNanos", distance == null ? null : JSON.valueToTree(distance));
    line.set("result", run.result());
    line.put("error", run.error());
    log.println(line);
    log.flush();
  }
}
