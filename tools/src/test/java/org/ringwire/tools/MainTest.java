package org.ringwire.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  /** Where it stands again, and a release that changes the one would forget it. */
  @Test
  void shouldSayTheVersionThatIsBuiltAndUsersAreToldToTake() throws IOException {
    Path root = Path.of("..");
    Matcher built =
        Pattern.compile("<artifactId>ringwire-parent</artifactId>\\s*<version>(.*?)</version>")
            .matcher(Files.readString(root.resolve("pom.xml")));

    assertThat(built.find()).isTrue();
    assertThat(CommandRun.of("--version").out().strip()).isEqualTo("ringwire " + built.group(1));
    assertThat(Files.readString(root.resolve("README.md")))
        .contains("<version>" + built.group(1) + "</version>");
  }

  @Test
  void shouldSuggestTheNearestCommand() {
    CommandRun run = CommandRun.of("benhc", "stream");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("unknown command 'benhc'", "did you mean 'bench'");
    assertThat(CommandRun.of("bench", "steam").err()).contains("did you mean 'stream'");
  }

  @ParameterizedTest
  @CsvSource({
    "benhc --help, ringwire: unknown command 'benhc'",
    "bench requests --help, ringwire bench: unknown command 'requests'",
    "bench --help requests, ringwire bench: unknown command 'requests'",
    "bench requests --version, ringwire bench: unknown command 'requests'"
  })
  void shouldHaveNoHelpForCommandsThatThereAreNot(String words, String message) {
    CommandRun run = CommandRun.of(words.split(" ", -1));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines()).hasSize(1).first().asString().startsWith(message);
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
        "ping :7400; HOST:PORT has no host before the port, as 127.0.0.1:7400 has",
        "ping 127.0.0.1:1 --transport loopback; connects nodes of one process, and here is one",
        "top :7400; HOST:PORT has no host before the port",
        "top 127.0.0.1:1 --id 3; --id chooses among the nodes of a process",
        "top 1 --as 3; --as is for a node at an address, not for a process",
        "top 1 --cluster test; --cluster is for a node at an address",
        "top 1 --secret-file x; --secret-file is for a node at an address",
        "top 1 --transport shm; --transport is for a node at an address",
        "top 127.0.0.1:1 --interval 0; --interval takes a number from 0.01 to 86400, not 0",
        "bench stream --duration 1e300; --duration takes a number from 0.01 to 86400, not 1.0E300",
        "bench stream --warmup 5..25s; is neither seconds, like 8, nor a range of them",
        "bench stream --warmup 25..5; the range '25..5' ends before it begins",
        "bench stream --warmup 0..5; --warmup takes a number from 0.1 to 86400, not 0",
        "bench stream --handlers 4; are threads of the handler pool: add --handler pooled",
        "bench pingpong --handler blocking --handlers 4; of the handler pool: add --handler pooled",
        "bench stream --handlers 0; --handlers takes a number from 1 to 1024, not 0",
        "bench overload --rounds 0; --rounds takes a number from 1 to 1000, not 0",
        "bench scale --rounds 0; --rounds takes a number from 1 to 1000, not 0",
        "bench scale --heap foo; --heap takes a size like 256m, 16m or more, not foo",
        "bench scale --heap=; --heap takes a size like 256m, 16m or more, not ''",
        "bench scale --heap 1k; --heap takes a size like 256m, 16m or more, not 1k",
        "node --listen 127.0.0.1:0 --id 65536; --id takes a number from 0 to 65535, not 65536",
        "ping 127.0.0.1:1 --id -1; --id takes a number from 0 to 65535, not -1",
        "ping 127.0.0.1:1 --as 65536; --as takes a number from 0 to 65535, not 65536",
        "top 127.0.0.1:1 --as -1; --as takes a number from 0 to 65535, not -1",
        "demo --modules java.sql,java.sql; --modules takes each module once, not [java.sql, java.",
        "demo --modules java.sql; --root: of java.sql is no class 'java.lang.Object', did you mean",
        "soak --minutes 1e30; --minutes takes a number from 0.05 to 10080, not 1.0E30",
        "soak --keep .; --keep: . exists",
        "soak --keep no/such/folder; --keep: there is no folder for no/such/folder to be made in",
      })
  void shouldSayWhatWordsMustBe(String words, String message) {
    CommandRun run = CommandRun.of(words.split(" ", -1));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err().lines()).hasSize(1).first().asString().contains(message);
    assertThat(run.err())
        .doesNotContain("NEVER_PARK", "no answer", "check that the node runs", "Exception");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--listen :0; --listen has no host before the port, as 127.0.0.1:0 has",
        "--transport loopback; --transport loopback connects nodes of one process",
        "--drain 0; --drain takes a number from 0.001 to 86400, not 0",
        "--peers .; the peers file cannot be read: .: Is a directory: correct --peers",
        "--peers no/such; the peers file cannot be read: there is no file no/such: correct --peers",
        "--secret-file no/such; --secret-file cannot be read: there is no file no/such",
        "--secret-file .; --secret-file cannot be read: .: Is a directory",
        "--secret-file /dev/null; --secret-file: /dev/null: the shared secret must have at least 16",
        "--tls-identity . --tls-trust .; cannot use TLS file .: Is a directory",
        "--tls-identity x --tls-trust x --tls-password-file y; cannot be read: there is no file y",
      })
  void shouldSayWhatIsWrongWithANode(String words, String message) {
    CommandRun run =
        CommandRun.of(
            ("node --id 1 " + (words.startsWith("--listen") ? "" : "--listen 127.0.0.1:0 ") + words)
                .split(" ", -1));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err().lines()).hasSize(1).first().asString().contains(message);
    assertThat(run.err()).doesNotContain("Exception");
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "soak"})
  void shouldShowDefaultsThatSaySomething(String command) {
    assertThat(CommandRun.of(command, "--help").out())
        .contains("Default: ")
        .doesNotContain("[]", "NONE");
  }

  @Test
  void shouldWriteHelpAsWideAsTheTerminal() {
    assertThat(Main.commandLine().isUsageHelpAutoWidth()).isTrue();
    assertThat(Main.commandLine().getSubcommands().values())
        .allMatch(CommandLine::isUsageHelpAutoWidth);
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
