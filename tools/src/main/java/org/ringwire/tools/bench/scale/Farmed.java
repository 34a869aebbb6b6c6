package org.ringwire.tools.bench.scale;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.Handshake;
import org.ringwire.wire.Hello;
import org.ringwire.wire.Incarnation;
import org.ringwire.wire.Limits;
import org.ringwire.wire.TypeAnnouncement;
import org.ringwire.wire.Welcome;

/**
 * One farmed peer: a link that the node has opened to it, on which it takes messages, and a link
 * that it opens to the node, on which it sends each of them back. The farm's thread only.
 */
final class Farmed {

  private static final int WINDOW = 64 << 10;
  private static final Limits LIMITS = new Limits(1 << 20, WINDOW, WINDOW);
  private static final Limits NO_WINDOW = new Limits(1 << 20, 0, WINDOW);

  private final int id;
  private final Incarnation incarnation =
      new Incarnation(ThreadLocalRandom.current().nextLong() | 1, System.currentTimeMillis());
  private final Queue<byte[]> echoes = new ArrayDeque<>();
  private final FarmLink in;
  private @Nullable FarmLink out;
  private long processedBytes;
  private long processedMessages;
  private long sentBytes;
  private long granted;
  private boolean quiet;
  private boolean turn;

  /** The node has opened a link. */
  Farmed(int id, FarmLink in) {
    this.id = id;
    this.in = in;
  }

  /** Answers the node's HELLO. */
  void welcome(Hello hello) {
    Welcome welcome =
        new Welcome(
            Handshake.VERSION,
            0,
            id,
            incarnation,
            hello.incarnation().id(),
            true,
            false,
            null,
            LIMITS,
            List.of());
    in.send(welcome.encode());
  }

  /** Opens the way back, on which it may send what the node has announced itself. */
  void helloTo(FarmLink opened, Incarnation node, List<TypeAnnouncement> types) {
    out = opened;
    Hello hello =
        new Hello(
            Handshake.VERSION,
            Handshake.VERSION,
            0,
            ScaleSpec.CLUSTER,
            id,
            ScaleSpec.NODE,
            incarnation,
            node.id(),
            true,
            false,
            false,
            Handshake.NO_AUTHENTICATION,
            null,
            NO_WINDOW,
            types);
    opened.send(hello.encode());
  }

  /** The node has answered our HELLO. */
  void welcomed(Welcome welcome) {
    granted = welcome.limits().initialWindow();
    sendEchoes();
  }

  /** A frame of either link after its handshake. */
  void frame(FarmLink link, int kind, MemorySegment memory, long offset, long header) {
    switch (kind) {
      case FrameLayout.MESSAGE -> message(memory, offset, header);
      case FrameLayout.CREDIT -> credit(link, memory, offset);
      case FrameLayout.PING -> link.send(ControlFrames.pong(ControlFrames.token(memory, offset)));
      case FrameLayout.WAIVE -> {
        processedBytes += ControlFrames.waivedBytes(memory, offset);
        sendCredit();
      }
      case FrameLayout.CLOSE -> end();
      default -> {} // PONG, TYPE: nothing to do
    }
  }

  private void message(MemorySegment memory, long offset, long header) {
    long occupied = FrameLayout.occupied(FrameLayout.length(header));
    byte[] frame = new byte[(int) occupied];
    MemorySegment.copy(memory, offset, MemorySegment.ofArray(frame), 0, occupied);
    echoes.add(frame);
    processedBytes += occupied;
    processedMessages++;
    sendEchoes();
    sendCredit();
  }

  private void sendCredit() {
    in.send(ControlFrames.credit(processedBytes, processedMessages, processedBytes + WINDOW));
  }

  private void credit(FarmLink link, MemorySegment memory, long offset) {
    if (link == out) {
      granted = Math.max(granted, ControlFrames.granted(memory, offset));
      sendEchoes();
    }
  }

  private void sendEchoes() {
    FarmLink way = out;
    byte[] next = echoes.peek();
    while (way != null && next != null && sentBytes + next.length <= granted) {
      way.send(echoes.remove());
      sentBytes += next.length;
      next = echoes.peek();
    }
  }

  /** Something is sent on one of its links. */
  void said() {
    quiet = false;
  }

  /** A sign of life on either link in turn, unless something was said since the last time. */
  void pulse() {
    FarmLink way = out;
    if (quiet && way != null) {
      turn = !turn;
      FarmLink link = turn ? in : way;
      if (link.isIdle()) {
        link.send(ControlFrames.pong(0));
      }
    }
    quiet = true;
  }

  /** Both links end. */
  void end() {
    quiet = false;
    in.close();
    FarmLink way = out;
    if (way != null) {
      way.close();
    }
  }
}
