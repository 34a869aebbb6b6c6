package org.ringwire.tools.bench.scale;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.Handshake;
import org.ringwire.wire.Hello;
import org.ringwire.wire.Refusal;
import org.ringwire.wire.Welcome;
import org.ringwire.wire.assembly.FrameAssembler;
import org.ringwire.wire.assembly.FrameConsumer;

/** A link between a farmed peer and the node, whoever has opened it. The farm's thread only. */
final class FarmLink implements FrameConsumer {

  private final PeerFarm farm;
  private final SocketChannel channel;
  private final FrameAssembler frames;
  private final Queue<ByteBuffer> unsent = new ArrayDeque<>();
  private @Nullable SelectionKey key;
  private @Nullable Farmed peer;
  private boolean ready;

  FarmLink(PeerFarm farm, SocketChannel channel, @Nullable Farmed peer, ReceiveBufferPool pool) {
    this.farm = farm;
    this.channel = channel;
    this.peer = peer;
    frames = new FrameAssembler(this, Handshake.MAX_FRAME_LENGTH, pool);
  }

  void key(SelectionKey registered) {
    key = registered;
  }

  SocketChannel channel() {
    return channel;
  }

  @Nullable Farmed peer() {
    return peer;
  }

  /** Whether its handshake is over and all that was said is with the kernel. */
  boolean isIdle() {
    return ready && unsent.isEmpty();
  }

  void received(MemorySegment memory, long length) {
    frames.received(memory, 0, length);
  }

  @Override
  public void frame(MemorySegment memory, long offset, long header) {
    int kind = FrameLayout.kind(header);
    Farmed owner = peer;
    if (ready && owner != null) {
      owner.frame(this, kind, memory, offset, header);
    } else if (kind == FrameLayout.HELLO && owner == null) {
      ready = true;
      peer = farm.hello(this, Hello.parse(memory, offset, header));
    } else if (kind == FrameLayout.WELCOME && owner != null) {
      ready = true;
      owner.welcomed(Welcome.parse(memory, offset, header));
    } else if (kind == FrameLayout.REFUSE) {
      throw new IllegalStateException(
          "refused by the node: " + Refusal.parse(memory, offset, header).text());
    } else {
      throw new IllegalStateException("frame out of place: kind=" + kind);
    }
  }

  /** Sends a frame, now or when the kernel takes it. */
  void send(byte[] frame) {
    Farmed owner = peer;
    if (owner != null) {
      owner.said();
    }
    unsent.add(ByteBuffer.wrap(frame));
    if (unsent.size() == 1 && channel.isConnected()) {
      flush();
    }
  }

  /** Sends what has waited. */
  void flush() {
    try {
      ByteBuffer next = unsent.peek();
      while (next != null) {
        channel.write(next);
        if (next.hasRemaining()) {
          break;
        }
        unsent.remove();
        next = unsent.peek();
      }
      SelectionKey registered = key;
      if (registered != null && registered.isValid()) {
        registered.interestOps(
            unsent.isEmpty() ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE);
      }
    } catch (IOException e) {
      farm.ended(this, "cannot write: " + e.getMessage());
    }
  }

  void close() {
    frames.close();
    farm.close(this);
  }
}
