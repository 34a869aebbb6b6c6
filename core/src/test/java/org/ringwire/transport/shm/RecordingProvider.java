package org.ringwire.transport.shm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;
import org.ringwire.wire.FrameLayout;

/** Remembers the ring that a node made last, so that somebody can write to it. */
final class RecordingProvider implements TransportProvider {

  volatile MemorySegment ring = MemorySegment.NULL;

  @Override
  public String name() {
    return "shm";
  }

  void scribble(SplittableRandom random) {
    MemorySegment target = ring;
    if (target.byteSize() > 0) {
      try {
        target.set(JAVA_BYTE, random.nextLong(target.byteSize()), (byte) random.nextInt());
      } catch (IllegalStateException e) {
        Thread.onSpinWait(); // freed: the next one comes
      }
    }
  }

  /** Of messages so long that begin with one of these numbers; returns how many. */
  int eraseHeaders(int length, long from, long to) {
    int count = 0;
    for (long at = 0; at + 32 < ring.byteSize(); at += FrameLayout.ALIGNMENT) {
      long word = FrameLayout.readWord(ring, at);
      int surplus = FrameLayout.length(word) - length;
      if (FrameLayout.kind(word) == FrameLayout.MESSAGE && surplus > 0 && surplus < 100) {
        for (long body = at + 8; body < at + 16; body++) {
          long number = ring.get(JAVA_LONG_UNALIGNED, body);
          if (number >= from && number < to) {
            FrameLayout.writeWord(ring, at, 0);
            count++;
          }
        }
      }
    }
    return count;
  }

  @Override
  public Transport open(TransportConfig config) {
    Transport transport = new ShmTransportProvider().open(config);
    return new Transport() {
      @Override
      public MemorySegment allocateRing(Link link, Arena arena, long capacity) {
        MemorySegment fresh = transport.allocateRing(link, arena, capacity);
        ring = fresh;
        return fresh;
      }

      @Override
      public String listen(String address, LinkAcceptor acceptor) throws IOException {
        return transport.listen(address, acceptor);
      }

      @Override
      public boolean isLocal(String address) {
        return transport.isLocal(address);
      }

      @Override
      public void connect(String address, LinkHandler handler) {
        transport.connect(address, handler);
      }

      @Override
      public void trim() {
        transport.trim();
      }

      @Override
      public void stopListening() {
        transport.stopListening();
      }

      @Override
      public void close() {
        transport.close();
      }
    };
  }
}
