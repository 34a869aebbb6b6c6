package org.ringwire.transport;

import java.lang.foreign.MemorySegment;
import org.ringwire.transport.support.TurnPace;

/** A handler of small messages that take their time. */
public final class SlowHandlers {

  private static final int MESSAGE = 64;
  private static final long MESSAGE_NS = TurnPace.TURN_NS / 10;

  /**
   * Bytes of a turn once it is known how slow they are: those of its last piece come on top of
   * those for which there was time.
   */
  public static final long MOST_OF_A_TURN = 2 * MESSAGE * TurnPace.TURN_NS / MESSAGE_NS;

  private SlowHandlers() {}

  /**
   * As if what comes from now on were messages of 64 bytes, each of which takes a tenth of a turn.
   */
  public static void slowDown(CountingHandler handler) {
    long[] before = {handler.bytes()};
    handler.eachTime(() -> {
      long bytes = handler.bytes() - before[0];
      before[0] += bytes;
      pause(bytes);
    });
  }

  /** What so many bytes take, at least. */
  public static void pause(long bytes) {
    long untilNs = System.nanoTime() + bytes * MESSAGE_NS / MESSAGE;
    while (System.nanoTime() - untilNs < 0) {
      Thread.onSpinWait();
    }
  }

  /** A handler that is as slow. */
  static ProbeHandler probe() {
    return new ProbeHandler() {
      @Override
      protected void input(MemorySegment memory, long offset, long length) {
        pause(length);
      }
    };
  }
}
