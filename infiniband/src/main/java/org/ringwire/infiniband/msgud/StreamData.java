package org.ringwire.infiniband.msgud;

import java.io.IOException;
import java.util.Objects;
import org.ringwire.infiniband.datagram.Datagram;
import org.ringwire.infiniband.link.LinkData;

/**
 * A link's stream of datagrams at its end. What stops it is that nothing is sent again; memory is
 * released when the device has completed what names it, which needs no peer. The thread of the
 * engine only.
 */
final class StreamData implements LinkData {

  private final UdTransport transport;
  private final UdLink link;

  StreamData(UdTransport transport, UdLink link) {
    this.transport = transport;
    this.link = link;
  }

  private UdStream stream() {
    return Objects.requireNonNull(link.stream(), "stream");
  }

  @Override
  public boolean isConnected() {
    return link.stream() != null;
  }

  @Override
  public boolean isBroken() {
    return transport.adapter().sender().failure() != null;
  }

  @Override
  public boolean isDrained() {
    return stream().isDrained();
  }

  @Override
  public Farewell sayFarewell() {
    try {
      if (!stream().sendSignal(Datagram.FAREWELL)) {
        return Farewell.LATER;
      }
    } catch (IOException e) {
      return Farewell.IMPOSSIBLE;
    }
    transport.thread().touch(link);
    return Farewell.SAID;
  }

  @Override
  public void stop() {
    stream().abandon();
  }

  @Override
  public boolean isGivenBack(boolean late) {
    boolean _ = transport.adapter().sender().poll();
    stream().abandon();
    boolean given = stream().isDrained();
    if (late && !given) {
      transport.failDevice(new IOException("the device does not complete what it was given"));
    }
    return late || given;
  }

  /** Its receive buffers are those of the queue pair, which lives on. */
  @Override
  public boolean isReceivingOver() {
    return true;
  }

  @Override
  public void release() {
    transport.thread().forget(link);
    UdStream stream = link.stream();
    if (stream != null) {
      stream.close(transport.adapter().receiver());
    }
    if (link.number() >= 0) {
      transport.links().remove(link.number());
    }
  }

  @Override
  public void giveUp(boolean isUsed) {
    if (isUsed) {
      transport.abandon(link);
    }
    if (!isConnected()) {
      return;
    }
    stop();
    if (!isDrained()) {
      transport.failDevice(new IOException("the transport was closed"));
    }
  }
}
