package org.ringwire.infiniband.msgrc;

import java.io.IOException;
import java.util.Objects;
import org.ringwire.MessagingException;
import org.ringwire.infiniband.link.EngineThread;
import org.ringwire.infiniband.link.LinkData;
import org.ringwire.infiniband.verbs.RcQueuePair;
import org.ringwire.transport.support.TransportLog;

/**
 * A link's queue pair at its end. What stops it is its error state, in which the device gives all
 * requests back. The memory that they name stays registered until then, or until the queue pair is
 * destroyed, after which the device uses nothing of it. The send thread only.
 *
 * <p><em>Receive requests.</em> Those that the queue pair has taken of the queue that all share
 * come back in its error state as completions; but when it is destroyed the library drops what
 * completions of it nobody has polled, and those requests would be lost to all links. So it is
 * destroyed as the InfiniBand specification says (10.3.1): after the event that it has taken its
 * last request, and when who receives has found the completion queue empty after that. Soft-RoCE
 * loses a request whose message has begun, and some of its versions tell nothing; the wait is
 * bounded.
 */
final class ChannelData implements LinkData {

  private static final TransportLog LOG = TransportLog.of(ChannelData.class);

  private final IbTransport transport;
  private final IbLink link;
  private final Runnable tellPolled = this::polled; // made before: there may be no heap for it
  private boolean stopped;
  private boolean lastReached;
  private boolean asked; // whether who receives tells when it has polled what was there
  private volatile boolean polled; // written by who receives
  private boolean unclean; // the device may complete something after the end

  ChannelData(IbTransport transport, IbLink link) {
    this.transport = transport;
    this.link = link;
  }

  private Channel channel() {
    return Objects.requireNonNull(link.channel(), "channel");
  }

  @Override
  public boolean isConnected() {
    return link.channel() != null;
  }

  /** Also if a write has failed half way: the device has requests that nobody would wait for. */
  @Override
  public boolean isBroken() {
    Channel channel = link.channel();
    return link.isBroken() || (channel != null && channel.queue().hasUnoffered());
  }

  @Override
  public boolean isDrained() {
    return channel().queue().isQuiet();
  }

  @Override
  public Farewell sayFarewell() {
    if (!transport.budget().hasSpare()) { // as when a node with very many links is closed
      boolean _ = transport.completions().tryPoll();
      return Farewell.LATER;
    }
    try {
      boolean said = channel().queue().postSignal(Immediate.FAREWELL);
      return said ? Farewell.SAID : Farewell.LATER;
    } catch (IOException e) {
      return Farewell.IMPOSSIBLE;
    }
  }

  @Override
  public void stop() {
    try {
      channel().queuePair().toError();
    } catch (MessagingException e) {
      LOG.log(System.Logger.Level.DEBUG, "no error state: remote=" + link.remote(), e);
    }
    stopped = true; // after it: it is tried again if there was no heap
  }

  @Override
  public boolean isGivenBack(boolean late) {
    if (!stopped) {
      stop();
    }
    return late || (isDrained() && channel().queue().isGivenBack());
  }

  @Override
  public boolean isReceivingOver() {
    if (!stopped) {
      stop();
    }
    if (lastReached && !asked) {
      transport.afterInput(tellPolled);
      asked = true;
    }
    return polled;
  }

  /** The queue pair takes no more receive requests: what it has taken is complete. */
  void lastRequestReached() {
    lastReached = true;
    if (link.life().isClosing()) {
      link.life().signal(EngineThread.CLOSE);
    }
  }

  /** Who receives: what was complete was polled. */
  private void polled() {
    polled = true; // volatile; before the signal, which pairs with the read in isReceivingOver()
    link.life().signal(EngineThread.CLOSE);
  }

  @Override
  public void release() {
    boolean _ = link.unblock(); // who waited for room waits no more
    RcQueuePair queuePair = link.queuePair();
    if (queuePair != null) {
      queuePair.close();
    }
    Channel channel = link.channel();
    if (channel != null) {
      unclean |= !channel.queue().isGivenBack();
      channel.queue().completeAll();
      transport.reuse(channel.queue().posted());
    }
    if (!unclean && link.number() >= 0) {
      transport.links().remove(link.number());
    } // else a late completion could be taken for one of the next link with that number
  }

  /**
   * Who is inside may still make the queue pair ready, or post to it, so it is never destroyed
   * then, nor what it was made from.
   */
  @Override
  public void giveUp(boolean isUsed) {
    if (!isUsed) {
      return;
    }
    transport.abandon(link);
    if (isConnected()) {
      stop();
    }
  }
}
