package org.ringwire.transport.shm;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.selector.ChannelLink;
import org.ringwire.transport.selector.LinkInput;
import org.ringwire.transport.selector.LinkReader;
import org.ringwire.transport.selector.SelectorLoop;
import org.ringwire.transport.support.Gate;
import org.ringwire.transport.support.LostMemory;

/**
 * A link through memory, with a socket that wakes the peer and tells when it is gone.
 *
 * <p>What the peer has to tell is read by the I/O thread or by a leader ({@link ShmInput}); while
 * one of them spins no system call is made. An I/O thread that spins on the link and finds a leader
 * just stops spinning: the peer wakes nobody but who has announced to sleep. Only when the leader
 * sleeps too, and both are woken by the same byte, does the I/O thread stop watching the socket for
 * a while ({@link LinkReader}).
 *
 * <p>A writer that waits for the peer is told by the I/O thread ({@link Completions}). If that does
 * not watch the socket, it is asked to: by the writer, and by a leader that leaves; the writer sets
 * {@code blocked} and then looks who reads, a leader gives the role back and then looks at {@code
 * blocked}. While a leader is there, it listens.
 */
final class ShmLink extends ChannelLink {

  private final ShmTransport transport;
  private final Sides sides;
  private final DescriptorReader descriptors;
  private final LinkOutput output;
  private final Completions completions;
  private boolean spins; // the loop only

  /** A link of two sides that have mapped each other's file; not open yet. */
  ShmLink(
      SelectorLoop loop,
      ShmTransport transport,
      SocketChannel channel,
      Sides sides,
      String remote,
      LinkHandler handler) {
    Gate gate = new Gate();
    Doorbell bell = new Doorbell(channel);
    DescriptorReader descriptors = new DescriptorReader(sides, bell, handler, gate::isClosing);
    LinkOutput output =
        new LinkOutput(
            sides.own(),
            sides.peer(),
            transport.rings(),
            bell,
            transport.config().ringCapacity() / 2);
    Completions completions = new Completions(loop, sides.own(), output, handler);
    ShmInput input = new ShmInput(sides.own(), descriptors, bell, completions);
    super(loop, channel, remote, handler, gate, transport.leaders(), input);
    completions.failWith(this::fail);
    descriptors.resumeBy(this::readOn);
    this.transport = transport;
    this.sides = sides;
    this.descriptors = descriptors;
    this.output = output;
    this.completions = completions;
  }

  /** Whether this is a link of a transport. */
  boolean isOf(ShmTransport owner) {
    return transport.equals(owner);
  }

  @Override
  protected void opened() throws IOException {
    rest();
  }

  @Override
  protected boolean writeInside(OutboundSource source) throws IOException {
    try {
      boolean all;
      long before;
      do {
        before = output.completed();
        all = output.write(source);
      } while (!all && completions.stall(before));
      completions.written();
      if (!all) {
        resumeReading(); // the peer's progress is told by the socket
      }
      LostMemory.check(); // what follows is none of the link's
      return all;
    } catch (InternalError e) {
      throw taken(e);
    }
  }

  @Override
  protected void restInside() throws IOException {
    output.rest();
    if (output.isRingTold()) {
      completions.ringTold();
    }
    LostMemory.check(); // as above
  }

  private IOException taken(InternalError cause) {
    return new IOException("the peer has taken its memory away: remote=" + remote(), cause);
  }

  /** The JVM throws that error when the file behind mapped memory has become shorter. */
  @Override
  protected Throwable explain(Throwable failure) {
    return failure instanceof InternalError e ? taken(e) : failure;
  }

  @Override
  protected IOException writeFailed(IOException failure) {
    fail(failure);
    return failure;
  }

  @Override
  public boolean completesLate() {
    return true;
  }

  @Override
  public void tellOfCompletions() {
    if (!completions.isBlocked()) { // else the peer was asked already
      completions.signal(ROOM);
      resumeReading();
    }
  }

  @Override
  protected void left() {
    if (completions.isBlocked()) {
      resumeReading();
    }
  }

  @Override
  protected void watchRead() {
    super.watchRead();
    ready(0);
  }

  @Override
  protected void seriesOver() {
    ready(0);
  }

  @Override
  protected void ready(int readyOps) {
    if (gate.isClosing()) {
      unwatch(SelectionKey.OP_READ);
      return;
    }
    try {
      boolean heard = (readyOps & SelectionKey.OP_READ) != 0;
      completions.complete();
      long length = reader.readOnLoop(loop.readBuffer(), heard);
      if (length == LinkReader.LED && heard) {
        disarm();
      } else if (length > 0) {
        spins |= noteInput(length);
      }
      if (length == LinkInput.NO_ROOM) {
        pauseUntilRingIsOpen();
      } else if (spins) {
        LostMemory.check(); // as rest() does
      } else {
        rest();
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** What the peer has to tell waits for that, its end included. */
  private void pauseUntilRingIsOpen() throws IOException {
    spins = false;
    pause();
  }

  /**
   * By who has opened the ring; whether the loop has paused by then or not, nobody rings for it.
   */
  private void readOn() {
    signal(READ);
  }

  private void rest() throws IOException {
    if (!reader.restOnLoop()) {
      signal(READ);
    }
    LostMemory.check(); // the loop would take it for an error of its own
  }

  @Override
  protected int looks() {
    return ShmInput.LOOKS;
  }

  @Override
  protected boolean look(int times) {
    try {
      if (completions.isBlocked()) {
        completions.complete();
      }
      long length = reader.lookOnLoop(loop.readBuffer(), times);
      spins = length != LinkReader.LED;
      if (length == LinkInput.NO_ROOM) {
        pauseUntilRingIsOpen();
      }
      LostMemory.check();
      return length > 0 && noteInput(length);
    } catch (Throwable e) {
      fail(e);
      return false;
    }
  }

  @Override
  protected boolean isActive() {
    return spins && super.isActive();
  }

  @Override
  protected void deactivated() throws IOException {
    spins = false;
    if (!gate.isClosing()) {
      rest();
    }
  }

  @Override
  protected void free() {
    completions.stop();
    try {
      descriptors.close();
    } finally {
      try {
        sides.close();
      } finally {
        output.close(); // last: there may be no heap for it
      }
    }
  }
}
