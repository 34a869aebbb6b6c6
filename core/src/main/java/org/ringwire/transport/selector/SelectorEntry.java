package org.ringwire.transport.selector;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.support.InterestQueue;
import org.ringwire.transport.support.TransportLog;

/**
 * Something that a {@link SelectorLoop} watches: a listener, a connection attempt, a link, or a
 * link that lingers. Everything but {@link #signal} belongs to the loop's thread.
 */
public abstract class SelectorEntry extends InterestQueue.Node {

  /** Interest: bring the channel into the selector. */
  public static final int CONNECT = 1;

  /** Interest: watch for input again. */
  public static final int READ = 2;

  /** Interest: tell when the channel takes bytes again. */
  public static final int WRITE = 4;

  /** Interest: end. */
  public static final int CLOSE = 8;

  /** Interest: look every now and then while others lead. */
  public static final int ATTEND = 16;

  /** Interest: tell of room once there is more. */
  public static final int ROOM = 32;

  /** No deadline. */
  static final long NEVER = Long.MAX_VALUE;

  private static final TransportLog LOG = TransportLog.of(SelectorEntry.class);

  /** The loop that owns this entry, for ever. */
  public final SelectorLoop loop;

  /** When {@link #expired} is due, as {@link System#nanoTime}, or {@link #NEVER}. */
  long deadlineNs = NEVER;

  /** Whether the loop's list of deadlines has this entry. */
  boolean timed;

  private @Nullable SelectionKey key;

  protected SelectorEntry(SelectorLoop loop) {
    this.loop = loop;
  }

  /**
   * Leaves interests for the loop and wakes it if need be; any thread.
   *
   * @return false if the loop has ended, and will do nothing
   */
  public final boolean signal(int interests) {
    return loop.signal(this, interests);
  }

  /** {@link #CONNECT}: begins. */
  protected void begin() throws IOException {}

  /** {@link #READ}: watches for input. */
  protected void watchRead() {}

  /** {@link #ATTEND}: looks every now and then. */
  protected void attend() {}

  /** {@link #WRITE}: watches for writability. */
  protected void watchWrite() {}

  /** {@link #ROOM}: tells of room. */
  protected void watchRoom() {}

  /** {@link #CLOSE}: ends if nothing prevents it; otherwise whatever prevents it asks again. */
  protected void tryEnd() {}

  /** The channel is ready for these operations, of those asked for. */
  protected abstract void ready(int readyOps) throws IOException;

  /**
   * A spinning loop looks whether there is input, without asking the selector.
   *
   * @param times how often to look while there is none, at most {@link #looks}
   * @return whether there was some, if the entry knows
   */
  protected boolean look(int times) throws IOException {
    ready(SelectionKey.OP_READ);
    return false;
  }

  /**
   * How often a spinning loop looks before it looks at the clock, and at everything else: many
   * times where a look costs next to nothing, once where it is a system call.
   */
  protected int looks() {
    return 1;
  }

  /** Whether a spinning loop may go on looking for input. */
  protected boolean isActive() {
    return false;
  }

  /** Whether a spinning loop has found nothing for so long. */
  protected boolean isSilent(long nowNs, long spinNs) {
    return true;
  }

  /** A spinning loop looks for input no more; from now on the selector must tell. */
  protected void deactivated() throws IOException {}

  /** {@link #deadlineNs} has passed, and was reset to {@link #NEVER}. */
  protected void expired(long nowNs) throws IOException {}

  /**
   * Ends as soon as possible, because of a defect or because the transport closes.
   *
   * @param cause null if the transport closes
   */
  protected abstract void end(@Nullable Throwable cause);

  /** Ends at once, whoever is still inside, because the loop ends and will not come back. */
  public void forceEnd() {
    end(null);
  }

  /** Registers a channel for this entry. */
  protected final void register(SelectableChannel channel, int ops) throws ClosedChannelException {
    key = channel.register(loop.selector(), ops, this);
  }

  /** Stays known to its loop, whose selector is another one now, until its channel is closed. */
  final void remain(SelectableChannel channel) throws ClosedChannelException {
    if (channel.isOpen()) {
      register(channel, 0);
    }
  }

  /** Hands the registration on to another entry of the same loop. */
  public final void handKeyTo(SelectorEntry successor) {
    SelectionKey handed = key;
    key = null;
    if (handed != null) {
      successor.key = handed;
      handed.attach(successor);
    }
  }

  /** Whether there is a registration. */
  protected final boolean isRegistered() {
    return key != null;
  }

  /** Closes a channel or selector that is given up; that it fails to close changes nothing. */
  public static void closeQuietly(Closeable channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "closing a channel failed", e);
    }
  }

  /** Changes what the selector watches for. */
  protected final void setOps(int ops) {
    SelectionKey current = key;
    if (current == null) {
      return;
    }
    try {
      if (current.interestOps() != ops) {
        current.interestOps(ops);
      }
    } catch (CancelledKeyException e) {
      key = null; // the channel is closed; this entry ends or has ended
    }
  }
}
