package org.ringwire.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.EndReason;
import org.ringwire.LossReport;
import org.ringwire.testing.NodeWatcher;

/** Recorders whose classes could not be initialised, for want of memory. */
@ExtendWith(NodeWatcher.class)
class GuardedEventsTest {

  private int told;

  private final FlightEvents broken =
      new FlightEvents() {
        @Override
        public void connected(int nodeId, int peerId) {
          throw broken();
        }

        @Override
        public void ended(int nodeId, LossReport report) {
          throw broken();
        }

        @Override
        public Stall stall() {
          if (told == 0) {
            throw broken();
          }
          return (nodeId, peerId) -> {
            throw broken();
          };
        }

        @Override
        public void slowHandler(int nodeId, int peerId, String messageType, long tookNs) {
          throw broken();
        }

        @Override
        public void rejected(int nodeId, int peerId, String rule, String text) {
          throw broken();
        }
      };

  private Error broken() {
    told++;
    return new NoClassDefFoundError("could not initialize");
  }

  @Test
  void shouldThrowNothingWhateverTheRecorderThrows() {
    FlightEvents events = new GuardedEvents(() -> true, () -> broken);
    LossReport report = new LossReport(2, EndReason.LINK_LOST, "cut", 1, 0, 1, 0);
    assertThatCode(
            () -> {
              events.stall().end(1, 2);
              events.stall().end(1, 2);
              events.connected(1, 2);
              events.ended(1, report);
              events.slowHandler(1, 2, "type", 3);
              events.rejected(1, 2, "RULE", "text");
            })
        .doesNotThrowAnyException();
    assertThat(told).isEqualTo(6);
  }

  @Test
  void shouldDoWithoutARecorderThatCannotBeHad() {
    FlightEvents events =
        new GuardedEvents(
            () -> true,
            () -> {
              throw broken();
            });
    assertThatCode(() -> events.connected(1, 2)).doesNotThrowAnyException();
    assertThat(told).as("attempts").isOne();
  }
}
