package org.ringwire.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.testing.NodeWatcher;

/** What the process may commit. */
@ExtendWith(NodeWatcher.class)
class MemoryBudgetTest {

  @AfterEach
  void noLimit() {
    MemoryBudget.limit(Long.MAX_VALUE);
  }

  @ParameterizedTest
  @CsvSource({"1000,1000", "64k,65536", "3M,3145728", "4g,4294967296", "1 t,1099511627776"})
  void shouldReadSizes(String text, long bytes) {
    assertThat(MemoryBudget.parse(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "g", "1gb", "much", "99999999999g"})
  void shouldRefuseWhatIsNoSize(String text) {
    assertThatThrownBy(() -> MemoryBudget.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ringwire.maxNativeBytes")
        .hasMessageContaining(text);
  }

  @Test
  void shouldHaveNoLimitUnlessOneIsSet() {
    assertThat(MemoryBudget.parse(null)).isEqualTo(Long.MAX_VALUE);
    assertThat(MemoryBudget.parse(" ")).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldCommitUpToTheLimitAndTellOnceWhenSomethingIsGivenBack() {
    long before = MemoryBudget.committed();
    MemoryBudget.limit(before + 100);
    assertThat(MemoryBudget.tryCommit(60)).isTrue();
    assertThat(MemoryBudget.tryCommit(41)).isFalse();
    assertThat(MemoryBudget.hasRoom(40)).isTrue();
    assertThat(MemoryBudget.refusal(41)).contains("asked=41").contains("limit=" + (before + 100));
    AtomicInteger told = new AtomicInteger();
    MemoryBudget.whenReleased(told::incrementAndGet);
    MemoryBudget.release(60);
    MemoryBudget.commit(1);
    MemoryBudget.release(1);
    assertThat(told).hasValue(1);
    assertThat(MemoryBudget.committed()).isEqualTo(before);
  }

  @Test
  void shouldTellEachAlsoIfOneCannotBeToldForWantOfHeap() {
    List<String> told = new ArrayList<>();
    AtomicInteger failures = new AtomicInteger(2);
    MemoryBudget.whenReleased(() -> told.add("first"));
    MemoryBudget.whenReleased(() -> {
      if (failures.getAndDecrement() > 0) {
        throw new OutOfMemoryError("as if");
      }
      told.add("starved");
    });
    MemoryBudget.whenReleased(() -> told.add("last"));
    assertThatCode(() -> MemoryBudget.release(0)).doesNotThrowAnyException();
    assertThat(told).containsExactly("first", "last");
    MemoryBudget.release(0);
    assertThat(told).hasSize(2);
    MemoryBudget.tellAgain();
    MemoryBudget.tellAgain();
    MemoryBudget.release(0);
    assertThat(told).containsExactly("first", "last", "starved");
  }
}
