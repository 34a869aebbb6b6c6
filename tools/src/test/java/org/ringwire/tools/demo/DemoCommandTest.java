package org.ringwire.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.tools.Main;
import org.ringwire.tools.Schemas;
import org.ringwire.tools.console.ExitStatus;
import picocli.CommandLine;

class DemoCommandTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --nodes 0              | --nodes takes a number from 1 to 64, not 0
          --nodes 65             | --nodes takes a number from 1 to 64, not 65
          --rounds 0             | --rounds takes a number from 1 to 10000, not 0
          --nodes many           | --nodes takes a whole number, not many
          --transport pigeon     | there is no transport 'pigeon', choose one of: ib, loopback, shm, tcp
          --transport loopback --tls | --tls needs --transport tcp
          --root java.lang.Objct | did you mean java.lang.Object?
          --modules java.pigeon  | --modules: this JDK has no module 'java.pigeon'
          --rot                  | Unknown option: '--rot'
          """)
  void shouldSayInOneLineWhatIsWrong(String options, String message) {
    assertThat(execute(options.split(" "))).isEqualTo(ExitStatus.UNUSABLE);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines()).hasSize(1).first().asString().contains(message);
  }

  @Test
  void shouldRunOverLoopback() {
    assertThat(execute("--transport", "loopback", "--json")).as(err::toString).isZero();
    List<String> lines = out.toString().lines().toList();
    assertThat(lines).hasSize(1);
    assertThat(Schemas.problems("demo", lines.getFirst())).isEmpty();
    assertThat(lines.getFirst()).contains("\"nodes\":3").endsWith("\"verified\":true}");
    assertThat(err.toString().lines().map(line -> line.substring(0, line.indexOf(':'))))
        .containsExactly("Graph", "Search", "PageRank");
  }

  @Test
  void shouldReportForPeople() {
    String[] options = {"--transport", "loopback", "--nodes", "2", "--rounds", "1"};
    assertThat(execute(options)).as(err::toString).isZero();
    assertThat(out.toString())
        .contains("level  classes\n    0        1  #")
        .contains("classes can be reached from java.lang.Object.")
        .contains("java.lang.String")
        .contains("Verified against a single process");
  }

  private int execute(String... options) {
    CommandLine main = Main.commandLine();
    main.setOut(new PrintWriter(out, true));
    main.setErr(new PrintWriter(err, true));
    String[] arguments = new String[options.length + 1];
    arguments[0] = "demo";
    System.arraycopy(options, 0, arguments, 1, options.length);
    return main.execute(arguments);
  }
}
