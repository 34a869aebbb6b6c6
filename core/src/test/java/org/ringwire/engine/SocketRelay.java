package org.ringwire.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;

/**
 * Stands in front of a node: whoever connects is connected to that, by what a test puts between.
 */
final class SocketRelay implements AutoCloseable {

  private final ServerSocket listener;
  private final URI target;
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();

  /** In front of a node. */
  SocketRelay(String address) throws IOException {
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    target = URI.create("tcp://" + address);
  }

  /**
   * Begins to accept.
   *
   * @param joined told of the two sockets of each connection, of who connects first; starts what
   *     goes between them
   */
  void accept(BiConsumer<Socket, Socket> joined) {
    start("accept", () -> acceptAll(joined));
  }

  /** Starts work that ends with its socket, or by an interrupt. */
  void start(String name, Runnable work) {
    threads.add(Thread.ofPlatform().daemon().name("relay-" + name).start(work));
  }

  /** Where it listens. */
  String address() {
    return listener.getInetAddress().getHostAddress() + ":" + listener.getLocalPort();
  }

  private void acceptAll(BiConsumer<Socket, Socket> joined) {
    try {
      while (true) {
        Socket from = listener.accept();
        sockets.add(from);
        Socket to = new Socket(target.getHost(), target.getPort());
        sockets.add(to);
        from.setTcpNoDelay(true);
        to.setTcpNoDelay(true);
        joined.accept(from, to);
      }
    } catch (IOException e) {
      if (!listener.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
    for (Thread thread : threads) {
      thread.interrupt(); // it may wait for what comes next
      try {
        thread.join(TestNodes.PATIENCE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
