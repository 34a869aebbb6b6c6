package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.connection.ConnectionState.CLOSED;
import static org.ringwire.engine.connection.ConnectionState.CONNECTING;
import static org.ringwire.engine.connection.ConnectionState.DRAINING;
import static org.ringwire.engine.connection.ConnectionState.LOST;
import static org.ringwire.engine.connection.ConnectionState.OPEN;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ringwire.testing.NodeWatcher;

/** Every pair of states, and what each of them takes. */
@ExtendWith(NodeWatcher.class)
class ConnectionStateTest {

  private static final Map<ConnectionState, Set<ConnectionState>> MOVES =
      Map.of(
          CONNECTING, EnumSet.of(OPEN, CLOSED, LOST),
          OPEN, EnumSet.of(DRAINING, CLOSED, LOST),
          DRAINING, EnumSet.of(CLOSED, LOST),
          CLOSED, EnumSet.noneOf(ConnectionState.class),
          LOST, EnumSet.noneOf(ConnectionState.class));

  @ParameterizedTest
  @EnumSource
  void shouldAllowTheseMovesAndNoOthers(ConnectionState from) {
    for (ConnectionState to : ConnectionState.values()) {
      assertThat(from.mayBecome(to)).as(from + " to " + to).isEqualTo(MOVES.get(from).contains(to));
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldTakeWhatFitsTheState(ConnectionState state) {
    assertThat(state.takesMessages()).isEqualTo(state == OPEN);
    assertThat(state.takesResponses()).isEqualTo(state == OPEN || state == DRAINING);
    assertThat(state.isEnded()).isEqualTo(state == CLOSED || state == LOST);
  }
}
