package org.ringwire.tools.doctor;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.ringwire.tools.console.ExitStatus;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.console.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says what works on this machine, and why something does not. */
@Command(
    name = "doctor",
    description = {
      "Say what works on this machine: JDK, cores, limits, transports, InfiniBand; and why not.",
      "Exit status: 0 usable, 2 something essential does not work."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
public final class DoctorCommand implements Callable<Integer> {

  @Spec private @Nullable CommandSpec command;

  @Option(names = "--json", description = "print one line of JSON on standard output, nothing else")
  private boolean json;

  /** For picocli. */
  public DoctorCommand() {}

  /**
   * One line of JSON.
   *
   * @param checks what was found out
   * @param verdict the worst status of all
   */
  record Findings(List<Check> checks, Check.Status verdict) {}

  @Override
  public Integer call() {
    List<Check> checks = new ArrayList<>(new MachineChecks(new SystemFiles(Path.of("/"))).all());
    checks.addAll(new TransportChecks().all());
    checks.addAll(InfinibandChecks.all());
    Findings findings = new Findings(checks, verdict(checks));
    PrintWriter out = Objects.requireNonNull(command).commandLine().getOut();
    out.println(json ? JsonLine.of(findings) : forPeople(findings));
    out.flush();
    return findings.verdict() == Check.Status.BROKEN ? ExitStatus.UNUSABLE : ExitStatus.GOOD;
  }

  static Check.Status verdict(List<Check> checks) {
    return checks.stream().map(Check::status).max(Enum::compareTo).orElse(Check.Status.GOOD);
  }

  static String forPeople(Findings findings) {
    StringBuilder text = new StringBuilder();
    for (Check check : findings.checks()) {
      text.append(
          String.format(
              Locale.ROOT, "%-8s %-20s %s%n", check.status().word(), check.name(), check.found()));
      if (!check.advice().isEmpty()) {
        text.append(String.format(Locale.ROOT, "%-8s %-20s -> %s%n", "", "", check.advice()));
      }
    }
    text.append(
        switch (findings.verdict()) {
          case GOOD -> "Verdict: everything works.";
          case LIMITED -> "Verdict: Ringwire works; what is marked limited could be better.";
          case BROKEN -> "Verdict: Ringwire does not work here; see what is marked broken.";
        });
    return text.toString();
  }
}
