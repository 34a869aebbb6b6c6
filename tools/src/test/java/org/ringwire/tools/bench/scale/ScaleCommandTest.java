package org.ringwire.tools.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.tools.CommandRun;
import org.ringwire.tools.Schemas;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.RunFailedException;

/** Runs a small curve for real. */
final class ScaleCommandTest {

  private static final String QUICK = "--seconds=0.2 --warmup=0.2 --idle-time=0.2";

  @Test
  void shouldPrintALinePerPoint() throws Exception {
    CommandRun run = run("--peers=1,40 --keep-alive=10 --json " + QUICK);

    assertThat(run.status()).as(run.err()).isZero();
    List<String> lines = run.out().lines().toList();
    assertThat(lines)
        .hasSize(2)
        .allSatisfy(line -> assertThat(Schemas.problems("bench-scale", line)).isEmpty());
    JsonNode one = new ObjectMapper().readTree(lines.getFirst());
    JsonNode forty = new ObjectMapper().readTree(lines.getLast());
    assertThat(one.get("peers").intValue()).isEqualTo(1);
    assertThat(forty.get("peers").intValue()).isEqualTo(40);
    assertThat(forty.get("channels").intValue()).isEqualTo(80);
    assertThat(one.get("wallRatio").doubleValue()).isEqualTo(1);
    assertThat(forty.get("nativeBytes").longValue()).as("rings rest").isLessThan(20 << 20);
    assertThat(run.err()).doesNotContain("lost the node");
  }

  @Test
  void shouldShowTheCurveToPeople() {
    String table = ScaleTable.of(List.of(point(1, 100 << 20), point(1025, 110 << 20)));

    assertThat(table.lines().toList()).hasSize(3);
    assertThat(table.lines().toList().getLast())
        .startsWith(" 1025 ")
        .contains("110 MiB")
        .contains("10.0 KiB");
  }

  private static ScalePoint point(int peers, long residentBytes) {
    return new ScalePoint(
        "scale",
        "ringwire",
        "tcp",
        1,
        peers,
        2 * peers,
        1,
        residentBytes,
        residentBytes,
        1 << 20,
        1 << 20,
        256 << 20,
        2 * peers,
        12,
        3,
        0.5,
        100,
        100,
        20,
        1,
        1,
        1,
        "25",
        "Linux",
        2);
  }

  @Test
  void shouldSayWhichLimitIsTooLow() {
    assertThatThrownBy(() -> ScaleCommand.checkDescriptors(9000, 1024))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("9000 peers take 18100 file descriptors")
        .hasMessageContaining("1024")
        .hasMessageContaining("ulimit -n 18100")
        .hasMessageContaining("up to 462");
    ScaleCommand.checkDescriptors(462, 1024);
  }

  /** It could run here, and some connections have ended meanwhile. */
  @Test
  void shouldFailWhenThereAreFewerConnectionsThanPeers() {
    assertThatThrownBy(() -> ScaleRun.requirePeers(new Connected(39, 1), 40))
        .isInstanceOf(RunFailedException.class)
        .hasMessage("the node has 39 connections instead of 40");
    ScaleRun.requirePeers(new Connected(40, 1), 40);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--peers=0", "--peers=10,10", "--peers=70000", "--seconds=0"})
  void shouldRefuseWhatMakesNoSense(String option) {
    CommandRun run = run(option);

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains(option.substring(0, option.indexOf('=')));
  }

  @Test
  void shouldSayOnceWhyAProcessDoesNotStart() {
    CommandRun run = run("--peers=1 --heap=999999999g");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err().lines()).last().asString().contains("node (process ", "heap");
    String reason = run.err().strip().replaceFirst("(?s).*ended with status 1: ", "");
    assertThat(run.err().lines()).filteredOn(line -> line.contains(reason)).hasSize(1);
  }

  private static CommandRun run(String options) {
    return CommandRun.of(("bench scale " + options).split(" ", -1));
  }
}
