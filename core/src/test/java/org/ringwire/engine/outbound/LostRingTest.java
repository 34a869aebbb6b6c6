package org.ringwire.engine.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.MessageType;
import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.engine.outbound.detached.LargeFrames;
import org.ringwire.engine.outbound.encoding.SlowEncoders;
import org.ringwire.engine.outbound.room.SendWindow;
import org.ringwire.engine.outbound.room.SpaceWaiters;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.FrameLayout;

/** A ring in a file that a peer makes shorter while somebody writes from it. */
@ExtendWith(NodeWatcher.class)
class LostRingTest {

  private static final int CAPACITY = 1 << 16;
  private static final int LENGTH = 64;

  @TempDir private Path folder;

  /** Reads what it is offered, a frame at a time, and then takes the memory away. */
  private static final class Robber extends SinkLink {
    private final FileChannel file;
    private final MemorySegment memory;

    Robber(FileChannel file, MemorySegment memory) {
      this.file = file;
      this.memory = memory;
    }

    @Override
    protected long take(long bytes) {
      return memory.get(ValueLayout.JAVA_BYTE, 0); // of the first frame's length
    }

    @Override
    protected void taken() {
      try {
        file.truncate(0);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private FileChannel open() throws IOException {
    FileChannel file =
        FileChannel.open(
            folder.resolve("ring"),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    file.write(ByteBuffer.allocate(CAPACITY), 0);
    return file;
  }

  record Unknown(long number) {}

  /** Nothing can be put there any more: what was claimed for it keeps nothing else. */
  @Test
  void shouldLeaveNoClaimOpenWhereAFrameCannotBePut() throws Exception {
    try (FileChannel file = open();
        Arena arena = Arena.ofShared();
        ReceiveBufferPool buffers = new ReceiveBufferPool(0)) {
      OutboundRing ring =
          OutboundRing.over(file.map(FileChannel.MapMode.READ_WRITE, 0, CAPACITY, arena));
      ControlQueue control = new ControlQueue();
      OutboundStream stream = new OutboundStream(control, () -> new byte[0], buffers);
      OutboundPipe pipe = SinkLink.pipe(stream);
      SendWindow window = new SendWindow();
      MessageCatalog catalog = new MessageCatalog();
      MessageSender sender =
          new MessageSender(
              new OutboundParts(
                  ring,
                  pipe,
                  stream,
                  window,
                  new SpaceWaiters(),
                  new LargeFrames(buffers, control, Long.MAX_VALUE)),
              new SlowEncoders(Long.MAX_VALUE, new ErrorLog(0), catalog),
              1 << 20);
      stream.ring(ring);
      pipe.ring(ring);
      pipe.open(new SinkLink());
      window.open(CAPACITY);
      file.truncate(0);

      byte[] failure = new byte[LENGTH];
      assertThatThrownBy(() -> sender.responses().fail(failure)).isInstanceOf(InternalError.class);
      assertThat(ring.isEmpty()).isTrue();

      MessageType<?> type = catalog.typeOf(Unknown.class);
      assertThatThrownBy(() -> send(sender, type)).isInstanceOf(InternalError.class);
      assertThat(ring.isEmpty()).isTrue();
    }
  }

  @SuppressWarnings("unchecked") // the codec belongs to the class of the message
  private static void send(MessageSender sender, MessageType<?> type) {
    Codec<Unknown> codec = (Codec<Unknown>) type.codec();
    sender.send(
        SendContext.current(), type, codec, new Unknown(1), FrameLayout.MESSAGE, 0, Long.MIN_VALUE);
  }

  @Test
  void shouldEndTheLinkAndLeaveTheRole() throws Exception {
    try (FileChannel file = open();
        Arena arena = Arena.ofShared();
        ReceiveBufferPool buffers = new ReceiveBufferPool(0)) {
      MemorySegment memory = file.map(FileChannel.MapMode.READ_WRITE, 0, CAPACITY, arena);
      OutboundRing ring = OutboundRing.over(memory);
      Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
      OutboundStream stream = new OutboundStream(new ControlQueue(), () -> new byte[0], buffers);
      OutboundPipe pipe = SinkLink.pipe(stream, failures::add);
      pipe.ring(ring);
      pipe.open(new Robber(file, memory));
      long first = ring.tryClaim(LENGTH, Long.MAX_VALUE);
      ring.commit(first, FrameLayout.header(FrameLayout.MESSAGE, 0, LENGTH));
      long second = ring.tryClaim(LENGTH, Long.MAX_VALUE);
      ring.commit(second, FrameLayout.header(FrameLayout.MESSAGE, 0, LENGTH));

      pipe.drain();

      assertThat(failures).hasSize(1).hasOnlyElementsOfType(InternalError.class);
      assertThat(pipe.tryRetire()).as("nobody is inside").isTrue();
    }
  }
}
