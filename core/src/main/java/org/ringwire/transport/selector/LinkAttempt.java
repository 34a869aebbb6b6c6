package org.ringwire.transport.selector;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.TransportConfig;

/**
 * A link in the making, within a time limit: becomes a link, or tells the handler why not, exactly
 * once. The loop only.
 */
public abstract class LinkAttempt extends SelectorEntry {

  private final TransportConfig config;
  private final LinkHandler handler;
  private final long giveUpNs;
  private @Nullable SocketChannel channel;
  private boolean done;

  /**
   * An attempt whose time begins now.
   *
   * @param channel owned by the attempt, if there is one already
   */
  protected LinkAttempt(
      ChannelTransport transport, @Nullable SocketChannel channel, LinkHandler handler) {
    super(transport.chooseLoop());
    config = transport.config();
    this.channel = channel;
    this.handler = handler;
    giveUpNs = System.nanoTime() + config.connectTimeout().toNanos();
  }

  /** Bounds the attempt from now on. */
  protected final void limitTime() {
    loop.schedule(this, giveUpNs);
  }

  /** Bounds what follows by an equal share of the time that is left. */
  protected final void limitTime(int shares) {
    long nowNs = System.nanoTime();
    loop.schedule(this, nowNs + Math.max(0, giveUpNs - nowNs) / shares);
  }

  /** Whether there is time left. */
  protected final boolean hasTime() {
    return System.nanoTime() - giveUpNs < 0;
  }

  /** What the link will be told. */
  protected final LinkHandler handler() {
    return handler;
  }

  /** The channel of the attempt, if there is one. */
  protected final @Nullable SocketChannel channel() {
    return channel;
  }

  /** From now on the attempt owns this channel. */
  protected final void own(SocketChannel opened) {
    channel = opened;
  }

  /** Closes the channel. */
  protected final void giveUpChannel() {
    SocketChannel opened = channel;
    channel = null;
    if (opened != null) {
      closeQuietly(opened);
    }
  }

  /** Whether the attempt has ended. */
  protected final boolean isDone() {
    return done;
  }

  /**
   * Becomes a link, which then has what the attempt owned. If the link cannot be made, say for lack
   * of memory, the attempt still has it all, and ends with that failure.
   */
  protected final void become(Supplier<? extends ChannelLink> constructor) {
    ChannelLink link = constructor.get();
    done = true;
    channel = null;
    loop.unschedule(this);
    handKeyTo(link);
    link.open();
  }

  @Override
  protected void expired(long nowNs) {
    long timeoutMs = config.connectTimeout().toMillis();
    fail(new SocketTimeoutException("no answer within " + timeoutMs + " ms"));
  }

  @Override
  protected final void end(@Nullable Throwable cause) {
    fail(cause == null ? new IOException("the transport was closed") : cause);
  }

  /** Ends without a link. */
  protected final void fail(Throwable cause) {
    if (done) {
      return;
    }
    done = true;
    loop.unschedule(this);
    try {
      giveUpChannel();
    } finally { // whatever fails, be it for want of heap, what follows is not tried again
      try {
        free();
      } finally {
        failed(described(cause));
      }
    }
  }

  /** What to tell: the cause as it is if there is no heap to describe it. */
  private Throwable described(Throwable cause) {
    try {
      return describe(cause);
    } catch (OutOfMemoryError e) {
      return cause;
    }
  }

  /** Tells that there is no link. */
  protected void failed(Throwable why) {
    handler.closed(why);
  }

  /** Gives up what the attempt has besides the channel. */
  protected void free() {}

  /** A failure to connect, saying where and what to look at. */
  protected abstract IOException describe(Throwable cause);
}
