package org.ringwire.infiniband.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.LateStart;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
final class FlightsTest {

  @Test
  void shouldFindWhatIsUnderWayByTheLowBitsOfItsNumber() throws Exception {
    findsAll(new Flights(3));
    Flights late = new Flights(3);
    LateStart.set(late, (1L << Integer.SIZE) - 50, "first", "next"); // the low bits wrap
    findsAll(late);
  }

  private static void findsAll(Flights flights) {
    Operation operation = new Operation();
    for (int lap = 0; lap < 100; lap++) {
      long first = flights.next();
      for (int i = 0; i < 3; i++) {
        assertThat(flights.isFull()).isFalse();
        flights.add(operation, i + 1, Flights.NO_CHUNK);
      }
      assertThat(flights.isFull()).isTrue();
      for (int i = 0; i < 3; i++) {
        assertThat(flights.find((int) first + i)).isEqualTo(first + i);
        assertThat(flights.length(first + i)).isEqualTo(i + 1);
      }
      assertThat(flights.find((int) first + 3)).isEqualTo(-1);
      assertThat(flights.find((int) first - 1)).isEqualTo(-1);
      flights.removeFirst();
      assertThat(flights.find((int) first)).isEqualTo(-1);
      flights.removeLast();
      assertThat(flights.find((int) first + 2)).isEqualTo(-1);
      assertThat(flights.find((int) first + 1)).isEqualTo(first + 1);
      flights.removeFirst();
      assertThat(flights.isEmpty()).isTrue();
    }
  }
}
