package org.ringwire.engine.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/**
 * To free memory while a thread is in it interrupts that thread, and throws there, perhaps later
 * and somewhere else. Interpreted, because there a thread can be found in the midst of a look.
 */
@ExtendWith(NodeWatcher.class)
class LateLookTest {

  private static final int ENOUGH_RESTS = 10;

  @Test
  void shouldNotFreeTheMemoryOfARingThatSomebodyLooksInto() throws Exception {
    assertThat(JavaProgram.run(LateLooks.class, "-Xint"))
        .contains("rested interrupts=0 failures=[]");
  }

  @Test
  void shouldNotDisturbACommitAfterWhichTheMemoryWasFreed() throws Exception {
    String output = JavaProgram.run(LateCommits.class, "-Xint");

    assertThat(output).contains("interrupts=0 failures=[]");
    Matcher rests = Pattern.compile("rests=(\\d+) ").matcher(output);
    assertThat(rests.find()).as("a count of rests: " + output).isTrue();
    assumeThat(Integer.parseInt(rests.group(1)))
        .as("rests, too few of which show anything where a processor is rarely free")
        .isGreaterThanOrEqualTo(ENOUGH_RESTS);
  }
}
