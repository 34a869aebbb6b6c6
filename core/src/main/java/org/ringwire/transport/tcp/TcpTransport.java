package org.ringwire.transport.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.selector.DescriptorLimit;
import org.ringwire.transport.selector.Listener;
import org.ringwire.transport.selector.SelectorEntry;
import org.ringwire.transport.selector.SelectorLoop;
import org.ringwire.transport.support.TransportThreads;

/**
 * Links over TCP, by non-blocking channels and a few I/O threads ({@link SelectorLoop}); addresses
 * are {@code host:port} or {@code [ipv6]:port}.
 *
 * <p>Every channel is non-blocking from its first moment to its last. That is what makes it safe to
 * let application threads write and read: in this mode {@code SocketChannel} registers nothing with
 * the thread, so an interrupt neither closes the channel nor ends the call.
 *
 * <p>Kernel buffers are left to the kernel, which grows them with the traffic; the system property
 * {@value #SOCKET_BUFFERS} asks for a fixed size instead: a number of bytes, or {@code ring} for
 * the size of the send ring.
 */
final class TcpTransport implements Transport {

  private static final String SOCKET_BUFFERS = "ringwire.tcp.socketBuffers";
  private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

  private final TransportConfig config;
  private final SelectorLoop[] loops;
  private final LeaderResources leaders;
  private final int socketBuffers;
  private final AtomicInteger nextLoop = new AtomicInteger();
  private @Nullable Listener listener;
  private boolean closed;

  private TcpTransport(TransportConfig config, SelectorLoop[] loops, int socketBuffers) {
    this.config = config;
    this.loops = loops;
    leaders = new LeaderResources(config.idleStrategy());
    this.socketBuffers = socketBuffers;
  }

  /** Starts the threads. */
  static TcpTransport open(TransportConfig config) {
    DescriptorLimit.prepare();
    int socketBuffers = socketBuffers(config);
    SelectorLoop[] loops = new SelectorLoop[config.ioThreads()];
    try {
      for (int i = 0; i < loops.length; i++) {
        loops[i] = SelectorLoop.start(config, i);
      }
    } catch (RuntimeException e) {
      for (SelectorLoop loop : loops) {
        if (loop != null) {
          loop.shutdown();
        }
      }
      throw e;
    }
    return new TcpTransport(config, loops, socketBuffers);
  }

  private static int socketBuffers(TransportConfig config) {
    String value = System.getProperty(SOCKET_BUFFERS, "0");
    if (value.equals("ring")) {
      return config.ringCapacity();
    }
    try {
      return Math.max(0, Integer.parseInt(value));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          SOCKET_BUFFERS + " must be a number of bytes or \"ring\": value=" + value, e);
    }
  }

  @Override
  public synchronized String listen(String address, LinkAcceptor acceptor) throws IOException {
    if (closed) {
      throw new IOException("cannot listen: address=" + address + ": the transport was closed");
    }
    if (listener != null) {
      throw new IllegalStateException(
          "already listening: address=" + listener.address() + " asked=" + address);
    }
    Listener bound = TcpListener.bind(loops[0], this, TcpAddress.parse(address), acceptor);
    listener = bound;
    if (!bound.signal(SelectorEntry.CONNECT)) {
      bound.forceEnd();
    }
    return bound.address();
  }

  @Override
  public boolean isLocal(String address) {
    try {
      for (InetSocketAddress candidate : TcpAddress.parse(address).resolve()) {
        if (!candidate.getAddress().isLoopbackAddress()) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      return true; // nobody can connect: to listen on it fails, and says why
    }
  }

  @Override
  public void connect(String address, LinkHandler handler) {
    PendingConnect attempt;
    try {
      TcpAddress target = TcpAddress.parse(address);
      if (target.port() == 0) {
        throw new IllegalArgumentException("port 0 is to listen on only: address=" + address);
      }
      attempt = new PendingConnect(chooseLoop(), this, target, resolved(target), handler);
    } catch (IOException | RuntimeException e) {
      handler.closed(e);
      return;
    }
    if (!attempt.signal(SelectorEntry.CONNECT)) {
      attempt.end(null);
    }
  }

  private static InetSocketAddress[] resolved(TcpAddress address) throws IOException {
    try {
      return address.resolve();
    } catch (IOException e) {
      throw DescriptorLimit.unresolved(e);
    }
  }

  @Override
  public synchronized void stopListening() {
    Listener bound = listener;
    listener = null;
    if (bound != null) {
      bound.signal(SelectorEntry.CLOSE);
    }
  }

  @Override
  public void close() {
    stopListening();
    synchronized (this) {
      closed = true;
    }
    for (SelectorLoop loop : loops) {
      loop.shutdown();
    }
    long deadlineNs = System.nanoTime() + CLOSE_TIMEOUT_NS;
    for (SelectorLoop loop : loops) {
      TransportThreads.awaitEnd(loop.thread(), deadlineNs - System.nanoTime());
    }
    leaders.close();
  }

  /** What this transport was made for. */
  TransportConfig config() {
    return config;
  }

  /** What the leaders of this transport's links share. */
  LeaderResources leaders() {
    return leaders;
  }

  /** The loop for a new link: one after the other. */
  SelectorLoop chooseLoop() {
    return loops[Math.floorMod(nextLoop.getAndIncrement(), loops.length)];
  }

  /** Fixes the size of the kernel's buffers, if that was asked for. */
  void sizeBuffers(NetworkChannel channel) throws IOException {
    if (socketBuffers > 0) {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, socketBuffers);
      if (channel.supportedOptions().contains(StandardSocketOptions.SO_SNDBUF)) {
        channel.setOption(StandardSocketOptions.SO_SNDBUF, socketBuffers);
      }
    }
  }
}
