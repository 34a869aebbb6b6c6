package org.ringwire.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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
    events.makeKnown();
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
    assertThatCode(events::makeKnown).doesNotThrowAnyException();
    assertThatCode(() -> events.connected(1, 2)).doesNotThrowAnyException();
    assertThat(events.isUnknown()).as("is tried again").isFalse();
    events.makeKnown();
    assertThat(told).as("attempts").isOne();
  }

  /** A passing want of memory, or of stack where the thread that asks is deep in calls. */
  @Test
  void shouldAskAgainForARecorderThatFoundNoMemory() {
    Queue<Error> wants =
        new ArrayDeque<>(List.of(new OutOfMemoryError("for now"), new StackOverflowError()));
    FlightEvents events =
        new GuardedEvents(
            () -> true,
            () -> {
              if (!wants.isEmpty()) {
                throw wants.remove();
              }
              return broken;
            });
    for (int i = 0; i < 3; i++) {
      assertThat(events.isUnknown()).as("is to be asked").isTrue();
      assertThat(told).isZero();
      assertThatCode(events::makeKnown).doesNotThrowAnyException();
      events.connected(1, 2);
    }
    assertThat(events.isUnknown()).isFalse();
    assertThat(told).as("events").isOne();
  }

  /** That takes long, and the thread may be one that reads all links, or that of a user. */
  @Test
  void shouldNotAskForTheRecorderInAnEvent() {
    AtomicBoolean inUse = new AtomicBoolean();
    AtomicInteger asked = new AtomicInteger();
    FlightEvents events =
        new GuardedEvents(
            inUse::get,
            () -> {
              asked.incrementAndGet();
              return broken;
            });
    events.makeKnown();
    assertThat(events.isUnknown()).as("while it is not in use").isFalse();
    inUse.set(true);
    assertThat(events.isUnknown()).isTrue();
    events.stall().end(1, 2);
    events.connected(1, 2);
    assertThat(asked).as("by events").hasValue(0);
    events.makeKnown();
    events.connected(1, 2);
    assertThat(asked).hasValue(1);
    assertThat(told).as("events").isOne();
  }

  /** Threads that wait for room do so often. */
  @Test
  void shouldMakeNothingForAStallThatNobodyRecords() {
    FlightEvents idle = new GuardedEvents(() -> false, () -> broken);

    assertThat(idle.stall()).isSameAs(idle.stall());
  }
}
