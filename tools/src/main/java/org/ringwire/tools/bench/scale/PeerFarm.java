package org.ringwire.tools.bench.scale;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.wire.Hello;

/**
 * Thousands of peers of one node on one thread and one address: which of them the node means, its
 * HELLO says. Each opens a link back, returns every message, and gives its signs of life as a real
 * node does, spread over time.
 */
final class PeerFarm implements AutoCloseable {

  private static final int BUFFER = 64 << 10;
  private static final long IDLE_BYTES = 1 << 20;

  /** A real node says something in each of so many parts of its keep-alive time. */
  private static final int SIGNS = 3;

  private static final long SLICE_MS = 20;

  private final Selector selector = Selector.open();
  private final ServerSocketChannel listener = ServerSocketChannel.open();
  private final ReceiveBufferPool pool = new ReceiveBufferPool(IDLE_BYTES);
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
  private final MemorySegment memory = MemorySegment.ofBuffer(buffer);
  private final Set<FarmLink> links = new HashSet<>();
  private final List<Farmed> peers = new ArrayList<>();
  private final InetSocketAddress node;
  private final long periodNs;
  private int nextPulse;
  private long pulsesOwed;
  private long pulsedNs;

  /** Listens on a port of the loopback address. */
  PeerFarm(ScaleSpec spec) throws IOException {
    String address = spec.nodeAddress();
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    node = new InetSocketAddress(InetAddress.getLoopbackAddress(), port); // as the node listens
    periodNs = TimeUnit.MILLISECONDS.toNanos(spec.keepAliveMs()) / SIGNS;
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    listener.configureBlocking(false);
    listener.register(selector, SelectionKey.OP_ACCEPT);
  }

  /** Where all of its peers are. */
  String address() throws IOException {
    return "127.0.0.1:" + ((InetSocketAddress) listener.getLocalAddress()).getPort();
  }

  /** Serves the node for as long as this process lives. */
  void run() throws IOException {
    pulsedNs = System.nanoTime();
    while (selector.isOpen()) {
      selector.select(this::ready, SLICE_MS);
      pulse();
    }
  }

  /** As many peers give a sign of life as are due by now. */
  private void pulse() {
    long nowNs = System.nanoTime();
    pulsesOwed += (nowNs - pulsedNs) * peers.size();
    pulsedNs = nowNs;
    long due = Math.min(pulsesOwed / periodNs, peers.size());
    pulsesOwed %= periodNs;
    for (long i = 0; i < due; i++) {
      nextPulse = (nextPulse + 1) % peers.size();
      peers.get(nextPulse).pulse();
    }
  }

  private void ready(SelectionKey key) {
    if (key.isAcceptable()) {
      accept();
      return;
    }
    FarmLink link = (FarmLink) key.attachment();
    try {
      if (key.isConnectable() && !link.channel().finishConnect()) {
        return;
      }
      if (key.isConnectable() || key.isWritable()) {
        link.flush();
      }
      if (key.isValid() && key.isReadable()) {
        read(link);
      }
    } catch (IOException | RuntimeException e) {
      ended(link, String.valueOf(e.getMessage()));
    }
  }

  private void accept() {
    try {
      SocketChannel accepted = listener.accept();
      while (accepted != null) {
        add(accepted, null);
        accepted = listener.accept();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("farm cannot accept: " + e.getMessage(), e);
    }
  }

  private FarmLink add(SocketChannel channel, @Nullable Farmed peer) throws IOException {
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    FarmLink link = new FarmLink(this, channel, peer, pool);
    boolean connected = channel.isConnected() || channel.connect(node);
    link.key(
        channel.register(
            selector, connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, link));
    links.add(link);
    return link;
  }

  private void read(FarmLink link) throws IOException {
    int length = link.channel().read(buffer.clear());
    if (length < 0) {
      ended(link, "closed by the node");
    } else if (length > 0) {
      link.received(memory, length);
    }
  }

  /** The node wants one of the peers. */
  Farmed hello(FarmLink link, Hello hello) {
    Farmed peer = new Farmed(hello.expectedNodeId(), link);
    peer.welcome(hello);
    try {
      FarmLink back = add(SocketChannel.open(), peer);
      peer.helloTo(back, hello.incarnation(), hello.types());
    } catch (IOException e) {
      throw new UncheckedIOException("farm cannot connect: " + e.getMessage(), e);
    }
    peers.add(peer);
    return peer;
  }

  /** A link is over, and with it the other one of its peer. */
  void ended(FarmLink link, String why) {
    System.err.println("a farmed peer has lost the node: " + why);
    Farmed peer = link.peer();
    if (peer == null) {
      link.close();
    } else {
      peer.end();
      peers.remove(peer);
    }
  }

  void close(FarmLink link) {
    if (links.remove(link)) {
      try {
        link.channel().close();
      } catch (IOException e) {
        System.err.println("cannot close a link: " + e.getMessage());
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (FarmLink link : List.copyOf(links)) {
      link.close();
    }
    listener.close();
    selector.close();
    pool.close();
  }
}
