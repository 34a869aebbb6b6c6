package org.ringwire.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A way to a node on which everything takes a while, in either direction, as over an ocean: however
 * much is under way, nothing is held up by what goes ahead of it.
 */
final class LongWay implements AutoCloseable {

  private final ServerSocket listener;
  private final URI target;
  private final long latencyNs;
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();

  /**
   * What is under way.
   *
   * @param bytes none at the end
   * @param dueNs when it arrives
   */
  private record Piece(ByteBuffer bytes, long dueNs) {}

  private LongWay(ServerSocket listener, URI target, Duration latency) {
    this.listener = listener;
    this.target = target;
    latencyNs = latency.toNanos();
  }

  /** A way to a node, half of which is the time that an answer takes. */
  static LongWay to(String address, Duration latency) throws IOException {
    ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    LongWay way = new LongWay(listener, URI.create("tcp://" + address), latency);
    way.start(way::accept);
    return way;
  }

  /** Where it begins. */
  String address() {
    return listener.getInetAddress().getHostAddress() + ":" + listener.getLocalPort();
  }

  private void start(Runnable work) {
    threads.add(Thread.ofVirtual().start(work));
  }

  private void accept() {
    try {
      while (true) {
        Socket from = listener.accept();
        sockets.add(from);
        Socket to = new Socket(target.getHost(), target.getPort());
        sockets.add(to);
        from.setTcpNoDelay(true);
        to.setTcpNoDelay(true);
        carry(from, to);
        carry(to, from);
      }
    } catch (IOException e) {
      if (!listener.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void carry(Socket from, Socket to) {
    BlockingQueue<Piece> underWay = new LinkedBlockingQueue<>();
    start(() -> depart(from, underWay));
    start(() -> arrive(underWay, to));
  }

  private void depart(Socket from, BlockingQueue<Piece> underWay) {
    byte[] room = new byte[1 << 16];
    int length;
    do {
      try {
        length = from.getInputStream().read(room);
      } catch (IOException e) {
        length = -1;
      }
      byte[] bytes = Arrays.copyOf(room, Math.max(0, length));
      underWay.add(new Piece(ByteBuffer.wrap(bytes), System.nanoTime() + latencyNs));
    } while (length > 0);
  }

  private static void arrive(BlockingQueue<Piece> underWay, Socket to) {
    try (to) {
      WritableByteChannel out = Channels.newChannel(to.getOutputStream());
      for (Piece piece = underWay.take(); piece.bytes.hasRemaining(); piece = underWay.take()) {
        for (long leftNs = piece.dueNs - System.nanoTime();
            leftNs > 0;
            leftNs = piece.dueNs - System.nanoTime()) {
          LockSupport.parkNanos(leftNs);
        }
        int _ = out.write(piece.bytes);
      }
    } catch (IOException | InterruptedException e) {
      // one of the nodes has closed its end, or the test is over
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
    threads.forEach(Thread::interrupt); // those that wait for what comes next
  }
}
