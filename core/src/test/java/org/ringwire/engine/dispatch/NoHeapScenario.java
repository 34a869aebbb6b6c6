package org.ringwire.engine.dispatch;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.testing.Awaiting;

/**
 * A virtual thread finds no heap before it comes to the ordered blocking handler that it was made
 * for. Public, because {@link org.ringwire.testing.MutantLoader} makes one.
 */
public final class NoHeapScenario extends LaneScenario {

  private final Queue<Long> handled = new ConcurrentLinkedQueue<>();

  /** By reflection. */
  public NoHeapScenario() {}

  /** Whether that costs its message only, whose credit comes back. */
  @Override
  public boolean getAsBoolean() {
    try (Node one = open(1, settings -> {});
        Node two = open(2, settings -> {})) {
      between(() -> {
        throw new OutOfMemoryError("as if there was no heap");
      });
      two.handle(
          Other.class,
          Dispatch.BLOCKING.inOrder(),
          (other, exchange) -> handled.add(other.number()));
      for (long number = 0; number < 3; number++) {
        one.send(2, new Other(number));
      }
      Awaiting.await("the others", () -> handled.size() >= 2);
      Awaiting.await("the credit of all", () -> two.metrics().messagesHandled() == 3);
      return List.copyOf(handled).equals(List.of(1L, 2L));
    }
  }
}
