package org.ringwire.transport.selector;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.support.TransportLog;

/**
 * Accepts connections. When that fails, most likely because the process has no file descriptor or
 * no heap left, the listener says so, now and then, stops for a while, longer each time, and tries
 * again: links that exist are not disturbed, and peers wait in the backlog. It keeps a spare
 * descriptor, unused, which it gives up to be able to say so, and takes again when it can.
 *
 * <p>Nothing but the end of its transport ends it, whatever fails, be it the selector: a node that
 * lives and does not listen any more would be lost to all that do not know it yet.
 */
public final class Listener extends SelectorEntry {

  /** Connections accepted in a row before other channels have their turn. */
  private static final int ACCEPTS_PER_TURN = 64;

  private static final long REPORT_INTERVAL_NS = TimeUnit.SECONDS.toNanos(30);
  private static final long FIRST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);

  private static final TransportLog LOG = TransportLog.of(Listener.class);

  private final ServerSocketChannel channel;
  private final String address;
  private final Taker taker;
  private @Nullable SocketChannel spare;
  private long pauseNs;
  private boolean reported;
  private long reportedNs;

  /** What becomes of a connection. */
  @FunctionalInterface
  public interface Taker {
    /** Takes the channel over; if it throws, the listener closes it. */
    void take(SocketChannel accepted) throws IOException;
  }

  /**
   * A listener that does not accept yet.
   *
   * @param channel bound, and not blocking; owned by the listener from now on
   * @param address for people
   * @throws IOException if there is no descriptor to spare
   */
  public Listener(SelectorLoop loop, ServerSocketChannel channel, String address, Taker taker)
      throws IOException {
    super(loop);
    this.channel = channel;
    this.address = address;
    this.taker = taker;
    spare = SocketChannel.open();
  }

  /** The address that is bound. */
  public String address() {
    return address;
  }

  @Override
  protected void begin() throws IOException {
    register(channel, SelectionKey.OP_ACCEPT);
  }

  @Override
  protected void ready(int readyOps) {
    for (int i = 0; i < ACCEPTS_PER_TURN && channel.isOpen(); i++) {
      SocketChannel accepted;
      try {
        accepted = channel.accept();
      } catch (IOException e) {
        pause(e);
        return;
      }
      if (accepted == null) {
        resume();
        return;
      }
      take(accepted);
    }
  }

  private void pause(Throwable cause) {
    pauseNs = pauseNs == 0 ? FIRST_PAUSE_NS : Math.min(2 * pauseNs, LONGEST_PAUSE_NS);
    long nowNs = System.nanoTime();
    loop.schedule(this, nowNs + pauseNs); // first: there may be no heap for what follows
    setOps(0);
    if (!reported || nowNs - reportedNs >= REPORT_INTERVAL_NS) {
      reported = true;
      reportedNs = nowNs;
      giveUpSpare(); // the first message may need a file descriptor: of the time zones
      LOG.log(
          System.Logger.Level.WARNING,
          "cannot accept connections for now; links that exist go on, others wait: address="
              + address
              + ": "
              + (cause instanceof IOException ? DescriptorLimit.explain(cause) : cause),
          null);
    }
  }

  private void giveUpSpare() {
    SocketChannel held = spare;
    spare = null;
    if (held != null) {
      closeQuietly(held);
    }
  }

  /** All who had waited are accepted: if that took pauses, they are over. */
  private void resume() {
    if (pauseNs == 0) {
      return;
    }
    pauseNs = 0;
    if (spare == null) {
      try {
        spare = SocketChannel.open();
      } catch (IOException e) {
        LOG.log(System.Logger.Level.DEBUG, "no descriptor to spare: address=" + address, e);
      }
    }
  }

  @Override
  protected void expired(long nowNs) throws IOException {
    if (isRegistered()) {
      setOps(SelectionKey.OP_ACCEPT);
    } else if (channel.isOpen()) {
      begin();
    }
  }

  private void take(SocketChannel accepted) {
    try {
      taker.take(accepted);
    } catch (Throwable e) { // the peer is gone again, or the acceptor has a defect
      closeQuietly(accepted);
      LOG.log(System.Logger.Level.DEBUG, "connection not accepted: address=" + address, e);
    }
  }

  @Override
  protected void tryEnd() {
    end(null);
  }

  @Override
  protected void end(@Nullable Throwable cause) {
    if (cause != null && channel.isOpen()) {
      pause(cause);
      return;
    }
    giveUpSpare();
    closeQuietly(channel);
  }
}
