package org.ringwire.tools.bench.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.tools.console.CommandException;

/** Stacks as async-profiler 4.5 writes them. */
final class ProfilePartTest {

  private static final String SENDER =
      "[sender-0 tid=7];java/lang/Thread.run_[0];org/ringwire/tools/bench/pair/Phase.run_[j];";

  @ParameterizedTest
  @CsvSource({
    "org/ringwire/engine/outbound/OutboundPipe.claim_[j], engine.outbound",
    "org/ringwire/ring/Lane.claim_[i];jdk/internal/misc/Unsafe.getLong_[i], ring",
    "org/ringwire/Node.send_[j], Node",
    "org/ringwire/codec/Writer$$Lambda.0x0000000041040c00.run_[0], codec",
    "sun/nio/ch/SocketDispatcher.write0_[j];Java_sun_nio_ch_SocketDispatcher_write0;__GI_write, kernel: write",
    "sun/nio/ch/EPoll.wait_[j];Java_sun_nio_ch_EPoll_wait;epoll_wait, kernel: epoll_wait",
    "java/lang/Thread.yield0_[j];__GI___sched_yield, kernel: sched_yield",
    "Unsafe_Park;Parker::park;___pthread_cond_timedwait;__futex_abstimed_wait_common, kernel: futex",
    "Unsafe_Unpark;___pthread_cond_signal, kernel: futex",
    "org/ringwire/ring/Slabs.zero_[j];unsafe_setmemory, ring"
  })
  void shouldAttributeAStackToTheInnermostPartOfRingwireOrToTheKernel(String frames, String part) {
    assertThat(ProfilePart.of("sender", List.of(SENDER + frames + " 3000"), 1000))
        .containsExactly(new ProfilePart("sender", part, 3));
  }

  @ParameterizedTest
  @CsvSource({
    "[C2 CompilerThre tid=1];clone3;Compile::Optimize, compilers",
    "[C1 CompilerThre tid=1];clone3;___pthread_mutex_trylock, kernel: futex",
    "[ParGC Thread#0 tid=1];start_thread;PSPromotionManager::drain, garbage collector",
    "[VM Thread tid=1];start_thread;VMThread::run, virtual machine",
    "[Common-Cleaner tid=1];java/lang/Thread.run_[0];jdk/internal/ref/CleanerImpl.run_[0], JDK"
  })
  void shouldAttributeOtherThreadsToWhatTheyAreFor(String stack, String part) {
    assertThat(ProfilePart.of("receiver", List.of(stack + " 10"), 10))
        .containsExactly(new ProfilePart("receiver", part, 1));
  }

  @Test
  void shouldAddUpAndPutTheDearestFirst() {
    String ring = SENDER + "org/ringwire/ring/Lane.claim_[j] ";
    String wire = SENDER + "org/ringwire/wire/Frame.put_[j] ";

    assertThat(ProfilePart.of("sender", List.of(wire + 150, ring + 100, "", ring + 300), 100))
        .containsExactly(
            new ProfilePart("sender", "ring", 4), new ProfilePart("sender", "wire", 1.5));
  }

  @Test
  void shouldMakeATableWhoseColumnsAddUp() {
    List<String> table =
        ProfilePart.table(
            List.of(
                new ProfilePart("sender", "engine.outbound", 30),
                new ProfilePart("sender", "kernel: write", 19.5),
                new ProfilePart("sender", "flight", 0.25),
                new ProfilePart("receiver", "kernel: write", 50),
                new ProfilePart("receiver", "codec", 10)));

    assertThat(table.stream().map(line -> line.strip().replaceAll(" {2,}", "|")))
        .containsExactly(
            "processor time, ns per message|sender|receiver",
            "kernel: write|19.50|50.00",
            "engine.outbound|30.00|0.00",
            "codec|0.00|10.00",
            "less than 1 in 200 each|0.25|0.00",
            "all|49.75|60.00");
  }

  @Test
  void shouldShowNoPartThatIsLessThanNothing() {
    List<String> table =
        ProfilePart.table(
            List.of(
                new ProfilePart("sender", "ring", 0.3), // of which sums of doubles are inexact
                new ProfilePart("sender", "wire", 0.2),
                new ProfilePart("sender", "codec", 0.1)));

    assertThat(table).noneMatch(line -> line.contains("-0.00"));
  }

  @Test
  void shouldKnowWhichLibraryFitsAndSayWhereNoneDoes() {
    assertThat(ProfilerAgent.platform("Linux", "amd64")).isEqualTo("linux-x64");
    assertThat(ProfilerAgent.platform("Linux", "aarch64")).isEqualTo("linux-arm64");
    assertThat(ProfilerAgent.platform("Mac OS X", "aarch64")).isEqualTo("macos");
    assertThatThrownBy(() -> ProfilerAgent.platform("Windows 11", "amd64"))
        .isInstanceOf(CommandException.class)
        .hasMessage("profiles need Linux on x64 or arm64, or macOS, not Windows 11 on amd64");
  }

  @Test
  void shouldSayThatAProcessHasLeftNoProfile(@TempDir Path folder) throws IOException {
    Path made = Files.createDirectory(folder.resolve("made"));
    Files.writeString(made.resolve("sender.collapsed"), SENDER + "earlier 1000");
    try (ProfilerAgent agent = ProfilerAgent.open(made)) {
      assertThat(agent.parts("sender", 0)).hasSize(1);
      assertThat(agent.options("sender")).contains("-XX:+DebugNonSafepoints");
      assertThatThrownBy(() -> agent.parts("sender", 1))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("there is no profile of the sender")
          .hasMessageContaining("sender.collapsed");
      assertThat(ProfilerAgent.optionsOf(null, "sender")).isEmpty();
    }
  }
}
