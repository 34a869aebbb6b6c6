package org.ringwire.engine;

import java.lang.foreign.MemorySegment;
import org.ringwire.Dispatch.Mode;
import org.ringwire.engine.inbound.Delivery;
import org.ringwire.engine.inbound.HandlerWorker;
import org.ringwire.engine.inbound.LinkType;
import org.ringwire.engine.inbound.Registration;
import org.ringwire.engine.inbound.Work;
import org.ringwire.ring.Lane;
import org.ringwire.ring.ReceiveBuffer;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.wire.FrameLayout;

/**
 * The messages of a link on their way from its reading thread to one worker, in order. The lane's
 * count of pending frames decides who schedules: the reading thread when it adds to an empty lane,
 * the worker as long as it is not empty.
 */
final class LaneTask extends Work {

  private static final long BATCH_BYTES = 64 << 10;

  private final Lane lane;
  private final HandlerWorker worker;
  private final InboundPipe pipe;
  private final Delivery delivery;
  private long batchBytes;
  private long batchMessages;

  LaneTask(InboundPipe pipe, HandlerWorker worker, ReceiveBufferPool buffers, int index) {
    this.pipe = pipe;
    this.worker = worker;
    lane = new Lane(buffers);
    delivery = pipe.newDelivery(index, this::retainCurrent);
  }

  /** Reading thread. */
  void append(MemorySegment memory, long offset, long occupied) {
    if (lane.append(memory, offset, occupied)) {
      worker.submit(this);
    }
  }

  /** Reading thread: takes the buffer of a large frame. */
  void append(ReceiveBuffer buffer, long length) {
    if (lane.append(buffer, 0, length)) {
      worker.submit(this);
    }
  }

  /** Whether everything appended was handled. */
  boolean isEmpty() {
    return lane.isEmpty();
  }

  @Override
  public boolean run(HandlerWorker current) {
    batchBytes = 0;
    batchMessages = 0;
    try {
      while (lane.next()) {
        MemorySegment memory = lane.memory();
        long offset = lane.offset();
        long header = FrameLayout.readHeader(memory, offset);
        LinkType type = pipe.typeOf(header);
        Registration registration = pipe.registrationOf(type);
        if (registration.dispatch().mode() == Mode.BLOCKING) {
          startBlocking(type, registration, memory, offset, header);
          return false; // resumed when that handler has returned: lanes of their kind are ordered
        }
        boolean processed = true;
        try {
          processed = delivery.handle(type, registration, memory, offset, header);
        } finally {
          lane.release();
          batchBytes += processed ? pipe.settle(header) : 0;
          batchMessages += processed ? 1 : 0;
        }
        if (batchBytes >= BATCH_BYTES) {
          return true;
        }
      }
      return !lane.hasSettled(); // once it has, the next append submits this task
    } catch (RuntimeException e) {
      pipe.violated(e);
      return true; // the frame that is to blame was not settled
    } finally {
      pipe.processed(batchBytes, batchMessages);
    }
  }

  private void startBlocking(
      LinkType type, Registration registration, MemorySegment memory, long offset, long header) {
    try {
      pipe.startBlocking(delivery, type, registration, memory, offset, header, this::resume);
    } finally {
      lane.release();
    }
  }

  private void resume() {
    worker.submit(this);
  }

  private Runnable retainCurrent() {
    Lane.Retained retained = lane.retain();
    long header = FrameLayout.readHeader(lane.memory(), lane.offset());
    return () -> {
      retained.close();
      pipe.processed(header);
    };
  }
}
