package org.ringwire.transport.selector;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The rest of a link that this side closed: nothing more is sent, and what still comes is dropped,
 * until the peer closes too or a time has passed.
 *
 * <p>Closing a socket at once would not do: if it has unread input, or the peer still sends, the
 * kernel answers with a reset, which may destroy at the peer what was sent before, a farewell that
 * says why included.
 *
 * <p>Strangers can open links as fast as they are refused, and none of those counts any more while
 * it lingers. So of links that may still be theirs, which are all that are new, only the last
 * {@link #MOST_NEW} of a loop linger: else they would take all descriptors of the process.
 */
public final class LingeringClose extends SelectorEntry {

  /** Channels of new links that linger at a time. */
  static final int MOST_NEW = 256;

  private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long ENDING_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final SocketChannel channel;

  private LingeringClose(SelectorLoop loop, SocketChannel channel) {
    super(loop);
    this.channel = channel;
  }

  /**
   * Lets the JDK load what it uses first when it closes a channel: if there is no memory for that
   * then, it cannot close channels any more.
   */
  static void prepare() {
    try (SocketChannel any = SocketChannel.open()) {
      any.getOption(StandardSocketOptions.SO_LINGER);
    } catch (IOException e) {
      // whoever opens a loop has the same trouble, and says so
    }
  }

  /**
   * Takes the channel of a link over; returns false if it is broken and should just be closed.
   *
   * @param isNew whether the link may be that of a stranger
   */
  static boolean start(SelectorEntry link, SocketChannel channel, boolean isNew) {
    if (!link.isRegistered()) {
      return false;
    }
    try {
      channel.shutdownOutput();
    } catch (IOException e) {
      return false;
    }
    LingeringClose rest = new LingeringClose(link.loop, channel);
    link.handKeyTo(rest);
    rest.setOps(SelectionKey.OP_READ);
    rest.schedule();
    if (isNew) {
      rest.joinNew();
    }
    return true;
  }

  private void joinNew() {
    if (loop.lingering().size() == MOST_NEW) {
      loop.lingering().element().finish();
    }
    loop.lingering().add(this);
  }

  private void schedule() {
    long timeoutNs = loop.isEnding() ? ENDING_TIMEOUT_NS : TIMEOUT_NS;
    loop.schedule(this, System.nanoTime() + timeoutNs);
  }

  @Override
  protected void ready(int readyOps) {
    try {
      if (channel.read(loop.readBuffer().cleared()) >= 0) {
        return;
      }
    } catch (IOException e) {
      // the peer is gone: as good as its close
    }
    finish();
  }

  @Override
  protected void expired(long nowNs) {
    finish();
  }

  /** The transport closes: linger, but not for long. */
  @Override
  protected void end(@Nullable Throwable cause) {
    schedule();
  }

  @Override
  public void forceEnd() {
    finish();
  }

  private void finish() {
    loop.unschedule(this);
    boolean _ = loop.lingering().remove(this);
    closeQuietly(channel);
  }
}
