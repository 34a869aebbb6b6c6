package org.ringwire.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.selector.LinkInput;
import org.ringwire.transport.selector.ReadBuffer;
import org.ringwire.transport.support.Gate;

/** The input of a channel. */
final class ChannelInput implements LinkInput {

  /** Bytes read in a row before other links have their turn. */
  private static final int MAX_READ = 1 << 20;

  private final SocketChannel channel;
  private final String remote;
  private final LinkHandler handler;
  private final Gate gate;
  private boolean ended;

  ChannelInput(SocketChannel channel, String remote, LinkHandler handler, Gate gate) {
    this.channel = channel;
    this.remote = remote;
    this.handler = handler;
    this.gate = gate;
  }

  @Override
  public long read(ReadBuffer own) throws IOException {
    long total = 0;
    boolean more = true;
    while (more && total < MAX_READ) {
      ByteBuffer destination = handler.destination();
      ByteBuffer buffer = destination == null ? own.cleared() : destination;
      int room = buffer.remaining();
      if (room == 0) {
        return total == 0 ? NO_ROOM : total;
      }
      int length = read(buffer);
      if (length > 0) {
        total += length;
        if (destination == null) {
          handler.received(own.segment(), 0, length);
        } else {
          handler.receivedInDestination(length);
        }
      }
      more = length == room && !gate.isClosing();
    }
    return total;
  }

  private int read(ByteBuffer buffer) throws IOException {
    int length;
    try {
      length = channel.read(buffer);
    } catch (IOException e) {
      ended = true;
      throw TcpLink.broken(remote, e);
    }
    if (length < 0) {
      ended = true;
    }
    return length;
  }

  @Override
  public boolean isEnded() {
    return ended;
  }
}
