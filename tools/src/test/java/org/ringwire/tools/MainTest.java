package org.ringwire.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

final class MainTest {

  @Test
  void shouldListEveryCommandInItsHelp() {
    CommandRun run = CommandRun.of("--help");

    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("bench", "node", "ping", "top", "doctor", "soak", "Exit status");
  }

  @Command(name = "broken")
  static final class Broken implements Callable<Integer> {
    @Override
    public Integer call() {
      throw new NoClassDefFoundError("org/example/Absent");
    }
  }

  /** Status 1 would say that something was checked and is wrong. */
  @Test
  void shouldSayInOneLineWhatCouldNotBeLoaded() {
    StringWriter err = new StringWriter();
    CommandLine commands =
        Main.commandLine()
            .addSubcommand(new CommandLine(new Broken()))
            .setErr(new PrintWriter(err));

    assertThat(Main.run(commands, "broken")).isEqualTo(2);
    assertThat(err.toString().lines())
        .containsExactly("ringwire: NoClassDefFoundError: org/example/Absent");
  }

  @Test
  void shouldPrintItsVersion() {
    CommandRun run = CommandRun.of("--version");

    assertThat(run.status()).isZero();
    assertThat(run.out()).startsWith("ringwire ");
  }

  @Test
  void shouldSuggestTheNearestCommand() {
    CommandRun run = CommandRun.of("benhc", "stream");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("unknown command 'benhc'", "did you mean 'bench'");
    assertThat(CommandRun.of("bench", "steam").err()).contains("did you mean 'stream'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "bench stream --mode fly; --mode takes park|spin|adaptive, not fly",
        "bench overload --waiting now; --waiting takes never|always|adaptive, not now",
        "ping 127.0.0.1; ringwire ping: tcp address must be host:port",
        "ping 127.0.0.1:99999; the port is not in 0..65535)",
        "top localhost:x; ringwire top: tcp address must be host:port",
      })
  void shouldSayWhatWordsMustBe(String words, String message) {
    CommandRun run = CommandRun.of(words.split(" ", -1));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err().lines()).hasSize(1).first().asString().contains(message);
    assertThat(run.err()).doesNotContain("NEVER_PARK", "no answer", "check that the node runs");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--frobnicate",
        "bench",
        "bench stream --frobnicate",
        "bench stream --threads",
        "bench stream --threads many",
        "bench stream --threads 0",
        "bench stream --payload -1",
        "bench stream --duration 0",
        "bench stream --duration NaN",
        "bench stream --drain slowly",
        "bench stream --transport pigeon",
        "bench stream --handler pooled --corrupt reorder",
        "bench stream --in-process --pin two",
        "bench idle --seconds 0",
        "bench idle --transport pigeon",
        "bench idle --transport loopback",
        "bench codec --json",
        "bench heap --json",
        "node --id 1",
        "node --listen 127.0.0.1:0",
        "node --id 65536 --listen 127.0.0.1:0",
        "node --id -1 --listen 127.0.0.1:0",
        "node --id 1 --listen 127.0.0.1:0 --peers /no/such/file",
        "node --id 1 --listen 127.0.0.1:0 --transport pigeon",
        "ping",
        "ping 127.0.0.1:1 --id 1 --count 0",
        "ping 127.0.0.1:1 --id 1 --count 1 --timeout 200",
        "ping no.such.host.invalid:7 --id 1 --count 1 --timeout 200",
        "top",
        "top 127.0.0.1:1 --count 1",
        "top 127.0.0.1:1 --count 0",
        "top 127.0.0.1:1 --interval 0",
        "top 127.0.0.1:1 --rows -1",
        "top 2147483647 --count 1",
        "top 99999999999999999999 --count 1"
      })
  void shouldSayInOneLineWhatIsWrong(String arguments) {
    CommandRun run = CommandRun.of(arguments.isEmpty() ? new String[0] : arguments.split(" "));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().strip()).isNotEmpty().doesNotContain("\n", "\tat ");
    assertThat(run.err()).startsWith("ringwire");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bench --help",
        "bench pingpong --help",
        "bench stream --help",
        "bench idle --help",
        "bench codec --help",
        "bench heap --help",
        "node --help",
        "ping --help",
        "top --help",
        "doctor --help"
      })
  void shouldExplainEachCommand(String arguments) {
    CommandRun run = CommandRun.of(arguments.split(" "));

    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("Usage: ringwire " + arguments.replace(" --help", ""));
  }
}
