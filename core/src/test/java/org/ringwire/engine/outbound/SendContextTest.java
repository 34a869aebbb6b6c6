package org.ringwire.engine.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.engine.outbound.room.SpaceWaiters;
import org.ringwire.ring.NativeMemory;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.testing.MutantLoader;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;

/** What a thread puts off while it handles a batch of messages. */
@ExtendWith(NodeWatcher.class)
class SendContextTest {

  private static final ClassDesc SCENARIO = ClassDesc.of(DeferScenario.class.getName());

  @Test
  void shouldDrainAtOnceWhatThereIsNoHeapToPutOff() throws ReflectiveOperationException {
    MutantLoader starved =
        new MutantLoader(
            Map.of(
                SendContext.class.getName(),
                MutantLoader.method(
                    "tryGrow",
                    (code, element) -> {
                      if (!(element instanceof InvokeInstruction call)
                          || !call.name().equalsString("copyOf")) {
                        return false;
                      }
                      code.invokestatic(
                          SCENARIO, "between", MethodTypeDesc.of(ConstantDescs.CD_void));
                      code.with(element);
                      return true;
                    })));
    assertThat(starved.run(DeferScenario.class)).isTrue();
  }

  private static void defer(
      SendContext context, OutboundRing ring, SpaceWaiters waiters, ReceiveBufferPool buffers) {
    OutboundPipe pipe =
        SinkLink.pipe(
            new OutboundStream(new ControlQueue(), () -> new byte[0], buffers),
            waiters,
            new Flusher("not started", _ -> {}, _ -> {}),
            cause -> {
              throw new AssertionError(cause);
            });
    pipe.ring(ring);
    pipe.open(new SinkLink());
    long position = ring.tryClaim(16, 1024);
    ring.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 0, 16));
    pipe.urgentCommitted(context, ring, position);
  }

  @Test
  void shouldDrainTheOthersIfThereIsNoHeapForOne() {
    try (NativeMemory.Scope scope = NativeMemory.open("test");
        ReceiveBufferPool buffers = new ReceiveBufferPool(0)) {
      OutboundRing first = OutboundRing.over(scope.allocate(4096, 128));
      OutboundRing last = OutboundRing.over(scope.allocate(4096, 128));
      SpaceWaiters waiters = new SpaceWaiters();
      AtomicBoolean room = new AtomicBoolean();
      SpaceWaiters.Notice notice =
          new SpaceWaiters.Notice(
              room::get,
              () -> {
                throw new OutOfMemoryError("as if there was no heap to tell of room");
              });
      assertThat(waiters.tryNotify(notice)).isTrue();
      SendContext context = SendContext.current();
      context.beginBatch();
      defer(context, first, new SpaceWaiters(), buffers);
      defer(context, last, waiters, buffers);
      assertThat(first.isEmpty() || last.isEmpty()).isFalse();
      room.set(true);
      assertThatThrownBy(context::endBatch).isInstanceOf(OutOfMemoryError.class);
      assertThat(last.isEmpty()).as("it was written, and then its room told of").isTrue();
      assertThat(first.isEmpty()).as("so is what was put off before").isTrue();
    }
  }

  /** Whether a thread that may write so long after its last write does; each takes some time. */
  private static boolean writes(SendContext context, AtomicLong clock, long afterNs, long tookNs) {
    boolean writes = !context.leavesToFlusher(clock.addAndGet(afterNs));
    if (writes) {
      context.wrote(clock.addAndGet(tookNs));
    }
    return writes;
  }

  @Test
  void shouldLeaveToTheFlusherWhatWouldBeOneWriteAfterTheOther() {
    SendContext context = SendContext.current();
    AtomicLong clock = new AtomicLong(System.nanoTime() + OutboundPipe.QUIET_NS);
    for (int turn = 0; turn < 3; turn++) {
      for (int write = 0; write < SendContext.WRITES_IN_A_ROW; write++) {
        assertThat(writes(context, clock, write == 0 ? OutboundPipe.QUIET_NS : 100, 5_000))
            .isTrue();
      }
      for (int message = 0; message < 100; message++) {
        assertThat(writes(context, clock, 100, 5_000)).isFalse();
      }
    }
  }

  @Test
  void shouldWriteAtOnceWhatIsSentNowAndThenOrCostsLittle() {
    SendContext context = SendContext.current();
    AtomicLong clock = new AtomicLong(System.nanoTime() + OutboundPipe.QUIET_NS);
    for (int message = 0; message < 100; message++) {
      assertThat(writes(context, clock, OutboundPipe.QUIET_NS, 5_000)).isTrue();
    }
    for (int message = 0; message < 100; message++) {
      assertThat(writes(context, clock, 100, 300)).isTrue();
    }
  }
}
