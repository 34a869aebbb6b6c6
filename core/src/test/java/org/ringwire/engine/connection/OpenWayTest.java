package org.ringwire.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.StackEnd;

/** Who waits for a way to a peer has it, or its end, whatever became of other threads. */
@ExtendWith(NodeWatcher.class)
class OpenWayTest {

  private final OpenWay way = new OpenWay(new Object());

  /** Else nobody could connect to that peer any more. */
  @Test
  void shouldLeaveItsLockWhereAStackEnds() throws Exception {
    StackEnd.runAt(way::wake);
    CompletableFuture<Boolean> found =
        CompletableFuture.supplyAsync(() -> way.await(System.nanoTime(), 7, () -> false));
    Awaiting.await("the deadline passes", found::isDone);
    assertThat(found.join()).as("there is no way").isFalse();
  }
}
