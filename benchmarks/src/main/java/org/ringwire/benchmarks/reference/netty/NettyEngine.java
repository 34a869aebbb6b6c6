package org.ringwire.benchmarks.reference.netty;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SelectStrategy;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import org.ringwire.benchmarks.reference.harness.Settings.Mode;
import org.ringwire.tools.console.CommandException;

/**
 * The way Netty talks to the kernel.
 *
 * @param kind what really runs
 */
public record NettyEngine(
    Kind kind,
    IoHandlerFactory handlers,
    Class<? extends Channel> channel,
    Class<? extends ServerChannel> serverChannel) {
  /** The ways that there are. */
  public enum Kind {
    /** By Netty's library, with epoll. */
    EPOLL("netty-epoll"),
    /** By the JDK's selector. */
    NIO("netty-nio"),
    /** By Netty's library, with io_uring. */
    IO_URING("netty-io_uring");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** As in {@code --system}. */
    String label() {
      return label;
    }
  }

  /** 0 lets Netty choose how many events one wait may return, as without this option. */
  private static final int DEFAULT_EVENTS = 0;

  /** Epoll falls back to NIO, with a note, when its native library does not load. */
  static NettyEngine of(Kind kind, Mode mode) {
    return switch (kind) {
      case EPOLL -> Epoll.isAvailable() ? epoll(mode) : fallback(mode);
      case IO_URING -> ioUring();
      case NIO -> nio();
    };
  }

  private static NettyEngine epoll(Mode mode) {
    IoHandlerFactory handlers =
        mode == Mode.SPIN
            ? EpollIoHandler.newFactory(
                DEFAULT_EVENTS, () -> (supplier, hasTasks) -> SelectStrategy.BUSY_WAIT)
            : EpollIoHandler.newFactory();
    return new NettyEngine(
        Kind.EPOLL, handlers, EpollSocketChannel.class, EpollServerSocketChannel.class);
  }

  private static NettyEngine fallback(Mode mode) {
    String cause = String.valueOf(Epoll.unavailabilityCause());
    if (mode == Mode.SPIN) {
      throw new CommandException(
          "netty-epoll is not available, and netty-nio cannot spin: " + cause);
    }
    System.err.println("note: netty-epoll is not available, using netty-nio: " + cause);
    return nio();
  }

  private static NettyEngine nio() {
    return new NettyEngine(
        Kind.NIO, NioIoHandler.newFactory(), NioSocketChannel.class, NioServerSocketChannel.class);
  }

  private static NettyEngine ioUring() {
    if (!IoUring.isAvailable()) {
      throw new CommandException(
          "netty-io_uring is not available: " + IoUring.unavailabilityCause());
    }
    return new NettyEngine(
        Kind.IO_URING,
        IoUringIoHandler.newFactory(),
        IoUringSocketChannel.class,
        IoUringServerSocketChannel.class);
  }

  /** One event loop: each side has one connection, and a connection lives on one loop. */
  EventLoopGroup newGroup() {
    return new MultiThreadIoEventLoopGroup(1, handlers);
  }
}
