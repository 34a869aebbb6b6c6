package org.ringwire.transport.shm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.ringwire.transport.support.LostMemory;

/**
 * The socket of a link: a byte in it wakes the peer's I/O thread, and its end tells that the peer
 * is gone. What is rung while the peer has not listened to the last one may be lost: it will look
 * anyway.
 */
final class Doorbell {

  private static final int MANY = 256;

  /** Reads in a row: a peer that rings all the time keeps nobody for ever. */
  private static final int MOST_READS = 16;

  private final SocketChannel channel;
  private final ByteBuffer heard = ByteBuffer.allocateDirect(MANY);

  Doorbell(SocketChannel channel) {
    this.channel = channel;
  }

  /** A button of the peer's bell; for one thread at a time. */
  final class Button {

    private final ByteBuffer one = ByteBuffer.allocateDirect(1);
    private long rungFor;

    /**
     * Rings, if the peer wants it and was not rung for the same.
     *
     * @param wanted what the peer says: odd if it wants to be rung
     */
    void press(long wanted) {
      if ((wanted & 1) != 0 && wanted != rungFor) {
        LostMemory.check(); // the word may be of it
        try {
          channel.write(one.rewind());
          rungFor = wanted; // not if the stack has ended: the next one rings
        } catch (IOException e) {
          return; // the peer is gone: who reads this side of the socket will find out
        }
      }
    }
  }

  /** Takes what has rung; false if the peer is gone. The owner of the role of reading. */
  boolean listen() {
    LostMemory.check();
    try {
      int length = MANY;
      for (int i = 0; i < MOST_READS && length == MANY; i++) {
        length = channel.read(heard.clear());
      }
      return length >= 0;
    } catch (IOException e) {
      return false; // reset: as good as its end
    }
  }
}
