package org.ringwire.engine.dispatch;

import java.util.ArrayList;
import java.util.List;
import org.ringwire.engine.inbound.GrantBudget;
import org.ringwire.engine.inbound.InboundGrants;

/**
 * There is no heap to ask for a long frame that its peer has announced, when the one before was
 * handled, or to note that a frame has come. Public, because {@link
 * org.ringwire.testing.MutantLoader} makes one.
 */
public final class GrantsScenario extends LaneScenario {

  private static final long LENGTH = 1 << 20;

  private final List<Long> granted = new ArrayList<>();
  private final GrantBudget budget = new GrantBudget(2 * LENGTH, text -> {}, Runnable::run);
  private final InboundGrants grants =
      new InboundGrants(
          budget,
          LENGTH,
          LENGTH,
          granted::add,
          (why, token) -> {},
          () -> 0,
          violation -> {
            throw new AssertionError(violation);
          });

  /** By reflection. */
  public GrantsScenario() {}

  /** Whether frames are granted all the same, in their order, and the budget has all back. */
  @Override
  public boolean getAsBoolean() {
    for (long token = 1; token <= 3; token++) {
      grants.announced(token, LENGTH);
    }
    between(() -> {
      throw new OutOfMemoryError("as if there was no heap");
    });
    boolean goesOn = !comes() || (isHandled(2) && comes() && isHandled(3));
    grants.close();
    return goesOn && budget.granted() == 0;
  }

  /** Whether the next frame comes; if not, its link ends. */
  private boolean comes() {
    try {
      grants.use(LENGTH);
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  /** Whether it is handled and the next one granted by the timer after that. */
  private boolean isHandled(long next) {
    try {
      grants.processed(LENGTH);
    } catch (OutOfMemoryError e) {
      return false;
    }
    budget.resumeLeft();
    return granted.getLast() == next;
  }
}
