package org.ringwire.engine.dispatch;

import org.jspecify.annotations.Nullable;
import org.ringwire.engine.inbound.workers.HandlerPool;
import org.ringwire.engine.inbound.workers.HandlerWorker;
import org.ringwire.ring.ReceiveBufferPool;

/**
 * The lanes of one link, one for each worker of the handler pool and one for ordered messages, and
 * which of them an unordered message goes to: in runs, as long as the handlers are quick ({@link
 * HandlingPace}), so that a worker finds its messages together; past lanes that are held up.
 *
 * <p>Reading thread only, but for {@link #queueLengths} and {@link #pace}.
 */
final class Lanes {

  /** The lane of the ordered messages, whatever their mode. */
  static final int ORDERED = 0;

  private static final int UNASSIGNED = -1;
  private static final long RUN_BYTES = 32 << 10;

  private final InboundPipe pipe;
  private final HandlerPool handlers;
  private final ReceiveBufferPool buffers;
  private final @Nullable LaneTask[] lanes;
  private final HandlingPace pace = new HandlingPace();
  private int firstWorker = UNASSIGNED;
  private int runLane = 1;
  private long runBytes;
  private long runMessages; // that may still come

  /**
   * @param pipe whose messages the lanes are to hold
   */
  Lanes(InboundPipe pipe, HandlerPool handlers, ReceiveBufferPool buffers) {
    this.pipe = pipe;
    this.handlers = handlers;
    this.buffers = buffers;
    lanes = new LaneTask[1 + handlers.size()];
  }

  /** Lanes, whether there are any messages for them or not. */
  int count() {
    return lanes.length;
  }

  /** Whether an ordered message must wait for others before it. */
  boolean hasOrdered() {
    LaneTask lane = lanes[ORDERED];
    return lane != null && !lane.isEmpty();
  }

  /** The lane, which is made when its first message comes. */
  LaneTask get(int index) {
    LaneTask lane = lanes[index];
    if (lane == null) {
      lane = new LaneTask(pipe, worker(index), buffers, index, index == ORDERED);
      lanes[index] = lane;
    }
    return lane;
  }

  /** Not before there is a lane: a link that brings no messages takes nobody's turn. */
  private HandlerWorker worker(int index) {
    if (firstWorker == UNASSIGNED) {
      firstWorker = handlers.assign();
    }
    return handlers.worker(firstWorker, index);
  }

  /** Where the next unordered message goes: to lane after lane, in runs. */
  int next(long occupied) {
    LaneTask lane = lanes[runLane];
    runBytes += occupied;
    if (runBytes > RUN_BYTES || runMessages <= 0 || (lane != null && lane.isHeldUp())) {
      runLane = laneOfRun();
      runBytes = occupied;
      runMessages = pace.messagesPerRun();
    }
    runMessages--;
    return runLane;
  }

  /**
   * The last one if it is done, another one that is, or one whose handler does not take long; if
   * all of them do the next in turn, so that each thread has some when it is back.
   */
  private int laneOfRun() {
    int next = 0;
    int index = runLane;
    for (int look = 1; look < lanes.length; look++) {
      LaneTask lane = lanes[index];
      if (lane == null || lane.isEmpty()) {
        return index;
      }
      index = following(index);
      if (next == 0 && (lanes[index] == null || !lanes[index].isHeldUp())) {
        next = index;
      }
    }
    return next == 0 ? following(runLane) : next;
  }

  private int following(int index) {
    return index + 1 == lanes.length ? 1 : index + 1;
  }

  /** How long the handlers of the lanes take; any thread. */
  HandlingPace pace() {
    return pace;
  }

  /** Messages in each lane that were not handled; any thread, a hint. */
  long[] queueLengths() {
    long[] lengths = new long[lanes.length];
    for (int index = 0; index < lengths.length; index++) {
      LaneTask lane = lanes[index]; // racy: what the lane is read by is final
      lengths[index] = lane == null ? 0 : lane.length();
    }
    return lengths;
  }
}
