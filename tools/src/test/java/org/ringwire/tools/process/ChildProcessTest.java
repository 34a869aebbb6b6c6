package org.ringwire.tools.process;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String FATAL =
      "crashing did not say READY, but: A fatal error has been detected by the Java Runtime"
          + " Environment:";
  private static final Duration SHORT = Duration.ofMillis(200);

  private final Queue<String> errors = new ConcurrentLinkedQueue<>();

  @Test
  void shouldExchangeLinesAndForwardErrorOutput() {
    try (ChildProcess child = start(new ChildCommand("echo", ChildPrograms.Echo.class, "a", "b"))) {
      assertThat(child.awaitReady(LIMIT)).isEqualTo("a,b");
      child.send("grüße ✓");
      assertThat(child.awaitLine(LIMIT)).isEqualTo("echo grüße ✓");
      assertThat(child.isAlive()).isTrue();
      child.send("exit");
      assertThat(child.awaitExit(LIMIT)).isEqualTo(7);
    }
    assertThat(errors).containsExactly("printed by the program", "went away as told");
  }

  @Test
  void shouldSayHowAChildEnded() {
    try (ChildProcess child = start(new ChildCommand("node 2", ChildPrograms.Failing.class))) {
      assertThatExceptionOfType(ChildFailedException.class)
          .isThrownBy(() -> child.awaitReady(LIMIT))
          .withMessage("node 2 (process %d) ended with status 4: no such thing", child.pid());
      assertThatExceptionOfType(ChildFailedException.class)
          .as("the end stays the end")
          .isThrownBy(() -> child.awaitLine(LIMIT));
    }
  }

  @Test
  void shouldNoticeThatAChildWasKilled() {
    try (ChildProcess child = start(new ChildCommand("node 3", ChildPrograms.Echo.class))) {
      child.awaitReady(LIMIT);
      child.kill();
      assertThat(child.onExit()).succeedsWithin(LIMIT).isEqualTo(137);
      assertThatExceptionOfType(ChildFailedException.class)
          .isThrownBy(() -> child.awaitLine(LIMIT))
          .withMessageContaining("was killed by signal 9");
      assertThatExceptionOfType(ChildFailedException.class)
          .isThrownBy(() -> child.send("anybody?"))
          .withMessageContaining("was killed by signal 9");
    }
  }

  @Test
  void shouldReportTimeoutsAndWrongWords() {
    try (ChildProcess child = start(new ChildCommand("mute", ChildPrograms.Stubborn.class))) {
      assertThatExceptionOfType(ChildFailedException.class)
          .isThrownBy(() -> child.awaitReady(LIMIT))
          .withMessage("mute did not say READY, but: HELLO");
      assertThatExceptionOfType(ChildFailedException.class)
          .isThrownBy(() -> child.awaitLine(SHORT))
          .withMessageContaining("did not answer within 0.2 s");
      assertThatExceptionOfType(ChildFailedException.class)
          .isThrownBy(() -> child.awaitExit(SHORT))
          .withMessageContaining("did not end within 0.2 s");
      child.kill();
    }
  }

  @Test
  void shouldSayThatAVirtualMachineHasCrashed(@TempDir Path folder) {
    List<String> options =
        List.of("-XX:-CreateCoredumpOnCrash", "-XX:ErrorFile=" + folder.resolve("crash.log"));
    ChildCommand command =
        new ChildCommand("crashing", ChildPrograms.Crashing.class, options, List.of());

    String said = wordsOfCrashed(command);
    for (int i = 0; i < 2 && said.endsWith(FATAL); i++) {
      said = wordsOfCrashed(command); // it stood still before its second line
    }
    assertThat(said).startsWith(FATAL + " SIGSEGV");
  }

  private String wordsOfCrashed(ChildCommand command) {
    try (ChildProcess child = start(command)) {
      Throwable failure = catchThrowable(() -> child.awaitReady(LIMIT));
      assertThat(failure).isInstanceOf(ChildFailedException.class).hasMessageStartingWith(FATAL);
      assertThat(child.awaitExit(LIMIT)).as("without a core file").isEqualTo(1);
      return failure.getMessage();
    }
  }

  @Test
  void shouldKnowTheEndOfWhoSaidSomethingElseFirst() {
    try (ChildProcess child = start(new ChildCommand("leaving", ChildPrograms.Leaving.class))) {
      assertThatExceptionOfType(ChildFailedException.class)
          .isThrownBy(() -> child.awaitReady(LIMIT))
          .withMessage("leaving did not say READY, but: FAREWELL");
      assertThatExceptionOfType(ChildFailedException.class)
          .as("the end stays the end")
          .isThrownBy(() -> child.awaitLine(LIMIT))
          .withMessageContaining("ended with status 3");
    }
  }

  @Test
  void shouldEndAChildThatIgnoresTheEndOfItsInput() {
    ChildProcess child = start(new ChildCommand("stubborn", ChildPrograms.Stubborn.class));
    assertThat(child.awaitLine(LIMIT)).isEqualTo("HELLO");
    child.close();
    assertThat(child.isAlive()).isFalse();
    child.close();
  }

  @Test
  void shouldHaltAChildOnCloseWithoutKillingIt() {
    ChildProcess child = start(new ChildCommand("echo", ChildPrograms.Echo.class));
    child.awaitReady(LIMIT);
    child.close();
    assertThat(child.awaitExit(LIMIT)).isEqualTo(ParentLink.PARENT_GONE);
  }

  @Test
  void shouldPassOptionsToTheJvm() {
    ChildCommand command =
        new ChildCommand("bad", ChildPrograms.Echo.class).withVmOptions("-XX:NoSuchOption=1");
    try (ChildProcess child = start(command)) {
      assertThatExceptionOfType(ChildFailedException.class)
          .isThrownBy(() -> child.awaitReady(LIMIT))
          .withMessageContaining("ended with status 1");
    }
    assertThat(errors).anyMatch(line -> line.contains("NoSuchOption"));
  }

  @Test
  void shouldNotOutliveAParentThatWasKilled() {
    assertThatGrandchildEndsAfter(ChildProcess::kill);
  }

  @Test
  void shouldNotOutliveAParentThatWasTerminated() {
    assertThatGrandchildEndsAfter(ChildProcess::terminate);
  }

  @Test
  void shouldBuildTheCommandFromTheRunningJdk() {
    List<String> words = new ChildCommand("n", ChildPrograms.Echo.class, "x").words();
    assertThat(words.getFirst()).startsWith(System.getProperty("java.home"));
    assertThat(words).endsWith(ChildPrograms.Echo.class.getName(), "x");
  }

  @Test
  void shouldGiveTheOptionsOfTheEnvironmentToTheJvm() {
    List<String> words =
        new ChildCommand("n", ChildPrograms.Echo.class).withVmOptions("-Xmx8m").words();
    assertThat(words)
        .containsSubsequence(JvmOptions.ofEnvironment())
        .containsSubsequence("-XX:TieredStopAtLevel=1", "-Xmx8m"); // as the build runs tests
  }

  @Test
  void shouldReadOptionsAsTheLauncherDoes() {
    assertThat(JvmOptions.of(null)).isEmpty();
    assertThat(JvmOptions.of("  ")).isEmpty();
    assertThat(JvmOptions.of(" -Xmx8m   -Dx=y\n")).containsExactly("-Xmx8m", "-Dx=y");
  }

  private void assertThatGrandchildEndsAfter(Consumer<ChildProcess> end) {
    try (ChildProcess middle = start(new ChildCommand("middle", ChildPrograms.Middle.class))) {
      long pid = Long.parseLong(middle.awaitReady(LIMIT));
      ProcessHandle grandchild = ProcessHandle.of(pid).orElseThrow();
      end.accept(middle);
      assertThat(grandchild.onExit()).succeedsWithin(LIMIT.toSeconds(), SECONDS);
      assertThat(grandchild.isAlive()).isFalse();
    }
  }

  private ChildProcess start(ChildCommand command) {
    return ChildProcess.start(command, errors::add);
  }
}
