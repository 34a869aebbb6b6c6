package org.ringwire.benchmarks.runs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ringwire.benchmarks.runs.Target.Contender;
import org.ringwire.benchmarks.runs.Target.Program;

/** What counts as a result of the system that was asked for. */
class RunsTest {
  private static final Contender EPOLL =
      new Contender(
          "epoll",
          Program.REFERENCE,
          List.of("--benchmark", "stream", "--system", "netty-epoll", "--json"),
          _ -> 1);

  private static Runs.Run run(String system) {
    return new Runs.Run(new ObjectMapper().createObjectNode().put("system", system), null);
  }

  @Test
  void shouldSkipASystemInPlaceOfWhichAnotherOneRan() {
    Runs.Run run = Runs.ofSystem(EPOLL, run("netty-nio"));

    assertThat(run.result()).isNull();
    assertThat(run.unusable()).isTrue();
    assertThat(run.error())
        .isEqualTo("netty-epoll is not available here; netty-nio ran in its place");
  }

  @Test
  void shouldTakeTheResultOfTheSystemThatWasAskedFor() {
    Runs.Run own = run("netty-epoll");
    Runs.Run failed = new Runs.Run(null, "exit status 1: it died");

    assertThat(Runs.ofSystem(EPOLL, own)).isSameAs(own);
    assertThat(Runs.ofSystem(EPOLL, failed)).isSameAs(failed);
  }
}
