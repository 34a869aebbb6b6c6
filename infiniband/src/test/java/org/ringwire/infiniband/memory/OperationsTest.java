package org.ringwire.infiniband.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** A list that its operations hold themselves. */
@ExtendWith(NodeWatcher.class)
class OperationsTest {

  private final Operations operations = new Operations();
  private final Operation first = new Operation();
  private final Operation second = new Operation();
  private final Operation third = new Operation();

  private List<Operation> all() {
    List<Operation> all = new ArrayList<>();
    assertThat(operations.count()).isBetween(0, 3);
    int count = operations.count();
    for (Operation each = operations.poll(); each != null; each = operations.poll()) {
      assertThat(each.next()).as("nothing of a list that it has left").isNull();
      all.add(each);
    }
    assertThat(all).hasSize(count);
    assertThat(operations.isEmpty()).isTrue();
    return all;
  }

  private void addAll() {
    operations.add(second);
    operations.add(third);
    operations.addFirst(first);
  }

  @Test
  void shouldKeepTheOrder() {
    addAll();
    assertThat(operations.peek()).isSameAs(first);
    assertThat(all()).containsExactly(first, second, third);
    operations.addFirst(third);
    operations.add(first);
    assertThat(all()).containsExactly(third, first);
  }

  @Test
  void shouldTakeOutAnyOfThem() {
    for (Operation each : List.of(first, second, third)) {
      addAll();
      operations.remove(each);
      operations.remove(each); // it is not there
      List<Operation> others = new ArrayList<>(List.of(first, second, third));
      others.remove(each);
      assertThat(all()).isEqualTo(others);
    }
  }

  @Test
  void shouldAddBehindWhatIsLeft() {
    addAll();
    operations.remove(third);
    operations.add(third);
    assertThat(all()).containsExactly(first, second, third);
  }
}
