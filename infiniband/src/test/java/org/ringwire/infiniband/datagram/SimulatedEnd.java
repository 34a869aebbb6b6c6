package org.ringwire.infiniband.datagram;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One end of a link whose datagrams go over a {@link SimulatedNetwork}; sends a known stream. */
final class SimulatedEnd implements DatagramPort<SimulatedEnd.Piece> {

  static final int MOST_CONTENT = 97;

  private static final int NUMBER = 0xfedc;

  private final Datagram in = new Datagram();
  private final SimulatedNetwork network;
  private final long token;
  private long trusts;
  private final Map<Integer, byte[]> held = new HashMap<>();
  private int holders;
  final Conversation<Piece> conversation;
  @Nullable SimulatedEnd peer;
  long toSend;
  long prepared;
  long released;
  long received;
  int room = Integer.MAX_VALUE;
  long refused;
  int mostHeld;

  /** A segment of a stream whose bytes are known by their position. */
  static final class Piece extends Segment {
    private long start;
    private int length;

    @Override
    public int length() {
      return length;
    }
  }

  SimulatedEnd(SimulatedNetwork network, long token) {
    this.network = network;
    this.token = token;
    trusts = token;
    conversation = new Conversation<>(this, new Datagram(), NUMBER, Piece::new, 256);
  }

  static byte byteAt(long position) {
    return (byte) (position * 31 + (position >>> 9));
  }

  @Override
  public boolean hasRoom() {
    return room > 0;
  }

  @Override
  public void send(Datagram head, @Nullable Piece segment) {
    room--;
    int length = head.contentLength() + Datagram.LENGTH;
    byte[] bytes = new byte[length];
    SimulatedEnd other = peer;
    assertThat(other).isNotNull();
    int written = head.write(MemorySegment.ofArray(bytes), 0, other.token);
    if (segment != null) {
      for (int i = 0; i < segment.length; i++) {
        bytes[written + i] = byteAt(segment.start + i);
      }
      written += segment.length;
    }
    assertThat(written).isEqualTo(length);
    network.send(other, bytes);
  }

  /** Sends what may be sent. */
  void pump(long nowNs) {
    conversation.expire(nowNs);
    boolean _ = conversation.answer(nowNs);
    for (Piece done = conversation.releasable(); done != null; done = conversation.releasable()) {
      released += done.length;
      conversation.release();
    }
    while (prepared < toSend && conversation.maySend()) {
      Piece piece = conversation.prepare();
      piece.start = prepared;
      piece.length = (int) Math.min(toSend - prepared, 1 + (prepared * 7) % MOST_CONTENT);
      prepared += piece.length;
      conversation.send(piece, Datagram.DATA, nowNs);
    }
  }

  /** Takes datagrams with another token from now on. */
  void trust(long other) {
    trusts = other;
  }

  /** Something has arrived, whatever it is. */
  void arrived(byte[] bytes, long nowNs) {
    MemorySegment memory = MemorySegment.ofArray(bytes);
    if (!in.read(memory, 0, bytes.length)
        || in.linkNumber() != NUMBER
        || !in.isGenuine(memory, 0, trusts)
        || !conversation.heard(in, nowNs)) {
      refused++;
      return;
    }
    if (!in.isNumbered()) {
      return;
    }
    switch (conversation.look(in, nowNs)) {
      case NEXT -> {
        conversation.advance();
        take(bytes);
        for (int next = conversation.takeHeld(); next >= 0; next = conversation.takeHeld()) {
          take(held.remove(next));
        }
      }
      case AHEAD -> {
        conversation.hold(in, ++holders);
        held.put(holders, bytes);
        mostHeld = Math.max(mostHeld, held.size());
      }
      case DUPLICATE, BEYOND -> {}
    }
  }

  private void take(byte[] bytes) {
    MemorySegment memory = MemorySegment.ofArray(bytes);
    for (long at = Datagram.LENGTH; at < bytes.length; at++) {
      assertThat(memory.get(JAVA_BYTE, at)).isEqualTo(byteAt(received));
      received++;
    }
  }
}
