package org.ringwire.transport.tcp;

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
abstract class SelectorEntry extends InterestQueue.Node {

  /** Interest: bring the channel into the selector. */
  static final int CONNECT = 1;

  /** Interest: watch for input again. */
  static final int READ = 2;

  /** Interest: tell when the channel takes bytes again. */
  static final int WRITE = 4;

  /** Interest: end. */
  static final int CLOSE = 8;

  /** No deadline. */
  static final long NEVER = Long.MAX_VALUE;

  private static final TransportLog LOG = TransportLog.of(SelectorEntry.class);

  /** The loop that owns this entry, for ever. */
  final SelectorLoop loop;

  /** When {@link #expired} is due, as {@link System#nanoTime}, or {@link #NEVER}. */
  long deadlineNs = NEVER;

  /** Whether the loop's list of deadlines has this entry. */
  boolean timed;

  private @Nullable SelectionKey key;

  SelectorEntry(SelectorLoop loop) {
    this.loop = loop;
  }

  /**
   * Leaves interests for the loop and wakes it if need be; any thread.
   *
   * @return false if the loop has ended, and will do nothing
   */
  final boolean signal(int interests) {
    return loop.signal(this, interests);
  }

  /** {@link #CONNECT}: begins. */
  void begin() throws IOException {}

  /** {@link #READ}: watches for input. */
  void watchRead() {}

  /** {@link #WRITE}: watches for writability. */
  void watchWrite() {}

  /** {@link #CLOSE}: ends if nothing prevents it; otherwise whatever prevents it asks again. */
  void tryEnd() {}

  /** The channel is ready for these operations, of those asked for. */
  abstract void ready(int readyOps) throws IOException;

  /** {@link #deadlineNs} has passed, and was reset to {@link #NEVER}. */
  void expired(long nowNs) throws IOException {}

  /**
   * Ends as soon as possible, because of a defect or because the transport closes.
   *
   * @param cause null if the transport closes
   */
  abstract void end(@Nullable Throwable cause);

  /** Ends at once, whoever is still inside, because the loop ends and will not come back. */
  void forceEnd() {
    end(null);
  }

  /** Registers a channel for this entry. */
  final void register(SelectableChannel channel, int ops) throws ClosedChannelException {
    key = channel.register(loop.selector(), ops, this);
  }

  /** Hands the registration on to another entry of the same loop. */
  final void handKeyTo(SelectorEntry successor) {
    SelectionKey handed = key;
    key = null;
    if (handed != null) {
      successor.key = handed;
      handed.attach(successor);
    }
  }

  /** Whether there is a registration. */
  final boolean isRegistered() {
    return key != null;
  }

  /** Closes a channel or selector that is given up; that it fails to close changes nothing. */
  static void closeQuietly(Closeable channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "closing a channel failed", e);
    }
  }

  /** Changes what the selector watches for. */
  final void setOps(int ops) {
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
