package org.ringwire.engine.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.NodeConfig.DrainMode;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.engine.outbound.encoding.SlowEncoders;
import org.ringwire.engine.outbound.room.SpaceWaiters;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.ring.NativeMemory;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.OutboundSource;
import org.ringwire.wire.FrameLayout;

/** The one thread of a node that comes for what senders have left. */
@ExtendWith(NodeWatcher.class)
class FlusherTest {

  private static final int LENGTH = 64;

  private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
  private final Flusher flusher =
      new Flusher(
          "ringwire-0-flusher",
          thread -> thread.setUncaughtExceptionHandler((_, e) -> errors.add(e)),
          errors::add);

  private OutboundPipe pipe(OutboundStream stream, OutboundPipe.SessionFailure failure) {
    return new OutboundPipe(
        stream,
        new SpaceWaiters(),
        flusher,
        DrainMode.IO_THREAD,
        new SlowEncoders(Long.MAX_VALUE, new ErrorLog(0), new MessageCatalog()),
        failure);
  }

  private static void send(OutboundPipe pipe, OutboundRing ring) {
    long position = ring.tryClaim(LENGTH, Long.MAX_VALUE);
    ring.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 0, LENGTH));
    pipe.messageCommitted(position);
  }

  /** As an inline handler of a peer in this process may: with its status set, no thread parks. */
  @Test
  void shouldForgetTheInterruptThatAHandlerLeavesBehind() throws InterruptedException {
    flusher.start();
    try (NativeMemory.Scope scope = NativeMemory.open("test");
        ReceiveBufferPool buffers = new ReceiveBufferPool(0)) {
      OutboundRing ring = OutboundRing.over(scope.allocate(4096, 128));
      OutboundPipe pipe =
          pipe(
              new OutboundStream(new ControlQueue(), () -> new byte[0], buffers),
              cause -> errors.add(cause));
      pipe.ring(ring);
      AtomicReference<Thread> writer = new AtomicReference<>();
      pipe.open(
          new SinkLink() {
            @Override
            public boolean write(OutboundSource source) {
              Thread thread = Thread.currentThread();
              if (thread.getName().equals("ringwire-0-flusher")) {
                writer.set(thread);
                thread.interrupt();
              }
              return super.write(source);
            }
          });
      await(
          "the flusher writes",
          () -> {
            if (ring.isEmpty()) { // else it is the flusher's turn
              send(pipe, ring);
            }
            return writer.get() != null;
          });
      await("it can park", () -> ring.isEmpty() && !writer.get().isInterrupted());
      await("it is done with it", pipe::tryRetire);
    } finally {
      flusher.close();
    }
  }

  /** As when no thread can be made for those who are to be told. */
  @Test
  void shouldFlushOthersThoughTheEndOfALinkEndsWithAnError() throws InterruptedException {
    OutOfMemoryError error = new OutOfMemoryError("on purpose");
    flusher.start();
    try (NativeMemory.Scope scope = NativeMemory.open("test");
        ReceiveBufferPool buffers = new ReceiveBufferPool(0)) {
      OutboundRing first = OutboundRing.over(scope.allocate(4096, 128));
      OutboundPipe failing =
          pipe(
              new OutboundStream(new ControlQueue(), () -> new byte[0], buffers),
              cause -> {
                throw error;
              });
      failing.ring(first);
      failing.open(
          new SinkLink() {
            @Override
            public boolean write(OutboundSource source) {
              if (first.isEmpty()) {
                return true;
              }
              throw new IllegalStateException("the link is broken");
            }
          });
      send(failing, first);
      await("the failure", () -> !errors.isEmpty());
      assertThat(errors).containsExactly(error);

      OutboundRing second = OutboundRing.over(scope.allocate(4096, 128));
      OutboundPipe sound =
          pipe(
              new OutboundStream(new ControlQueue(), () -> new byte[0], buffers),
              cause -> errors.add(cause));
      sound.ring(second);
      sound.open(new SinkLink());
      send(sound, second);
      await("the flusher", second::isEmpty);
      await("it is done with what failed", () -> failing.tryRetire());
    } finally {
      flusher.close();
    }
  }

  /** Ticks are long while all that is armed is blocked: others would wait for them. */
  @Test
  void shouldBeWokenByABurstWhileAnotherLinkIsFull() throws InterruptedException {
    flusher.start();
    try (NativeMemory.Scope scope = NativeMemory.open("test");
        ReceiveBufferPool buffers = new ReceiveBufferPool(0)) {
      OutboundRing full = OutboundRing.over(scope.allocate(4096, 128));
      AtomicBoolean hasRoom = new AtomicBoolean();
      OutboundPipe blocked =
          pipe(
              new OutboundStream(new ControlQueue(), () -> new byte[0], buffers),
              cause -> errors.add(cause));
      blocked.ring(full);
      blocked.open(
          new SinkLink() {
            @Override
            public boolean write(OutboundSource source) {
              return hasRoom.get() && super.write(source);
            }
          });
      OutboundRing other = OutboundRing.over(scope.allocate(4096, 128));
      OutboundPipe sound =
          pipe(
              new OutboundStream(new ControlQueue(), () -> new byte[0], buffers),
              cause -> errors.add(cause));
      sound.ring(other);
      sound.open(new SinkLink());
      send(blocked, full);
      send(blocked, full);
      for (int burst = 0; burst < 3; burst++) {
        await("its ticks are long, and can be ended", flusher::isParked);
        assertThat(full.isEmpty()).isFalse();
        send(sound, other);
        send(sound, other);
        await("the flusher", other::isEmpty);
      }
      hasRoom.set(true);
      blocked.writable();
      await("all is gone", full::isEmpty);
      await("it is done with both", () -> blocked.tryRetire() && sound.tryRetire());
    } finally {
      flusher.close();
    }
    assertThat(errors).isEmpty();
  }
}
