package org.ringwire.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.selector.LeaderSeat;
import org.ringwire.transport.selector.LinkInput;
import org.ringwire.transport.selector.ReadBuffer;
import org.ringwire.transport.support.Gate;
import org.ringwire.transport.support.TurnPace;

/**
 * The input of a channel. A turn is bounded by bytes and by time ({@link TurnPace}); what it leaves
 * is in the channel, which its selector tells of again. Of what a handler has kept nobody tells:
 * whoever gives the role of reading back looks for that, and it comes before what is in the
 * channel, the end included.
 */
final class ChannelInput implements LinkInput {

  /** Bytes read in a row before other links have their turn. */
  private static final int MAX_READ = 1 << 20;

  private final SocketChannel channel;
  private final String remote;
  private final LinkHandler handler;
  private final Gate gate;
  private final TurnPace pace = new TurnPace();
  private boolean ended;

  ChannelInput(SocketChannel channel, String remote, LinkHandler handler, Gate gate) {
    this.channel = channel;
    this.remote = remote;
    this.handler = handler;
    this.gate = gate;
  }

  @Override
  public long read(ReadBuffer own) throws IOException {
    if (handler.hasRest()) {
      handler.handleRest();
      return 1; // it was input, though not new
    }
    long total = 0;
    boolean more = true;
    while (more && total < MAX_READ) {
      ByteBuffer destination = handler.destination();
      ByteBuffer buffer = destination == null ? own.cleared(pace.amount()) : destination;
      int room = buffer.remaining();
      if (room == 0) {
        return total == 0 ? NO_ROOM : total;
      }
      int length = read(buffer);
      more = length == room;
      if (length > 0) {
        boolean timed = more || pace.isTimed(length);
        if (timed && total == 0) {
          pace.begin(System.nanoTime());
        }
        total += length;
        if (destination == null) {
          handler.received(own.segment(), 0, length);
        } else {
          handler.receivedInDestination(length);
        }
        more &= !timed || goesOn(destination == null, length);
      }
      if (handler.hasRest()) {
        pace.slower();
        more = false;
      }
      more &= !gate.isClosing();
    }
    return total;
  }

  /** Of a long frame little is handled, before its last bytes. */
  private boolean goesOn(boolean isHandled, int length) {
    long nowNs = System.nanoTime();
    return isHandled ? pace.handled(length, nowNs) : pace.goesOn(nowNs);
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
  public void await(LeaderSeat seat, long timeoutNs) throws IOException {
    if (!handler.hasRest()) {
      seat.await(timeoutNs);
    }
  }

  @Override
  public boolean rest() {
    return !handler.hasRest();
  }

  @Override
  public boolean isEnded() {
    return ended;
  }
}
