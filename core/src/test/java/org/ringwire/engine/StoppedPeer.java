package org.ringwire.engine;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stands before a node as the kernel does before a process that is stopped: takes connections and
 * what comes over them, and also their ends, and hands all of it over, in order, once the process
 * goes on. From then on it passes everything.
 */
final class StoppedPeer implements AutoCloseable {

  /** A connection that was taken. */
  private static final class Taken {
    final Socket socket;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream(); // guarded by this
    private @Nullable Socket node; // guarded by this, as the next
    private boolean ended;

    Taken(Socket socket) {
      this.socket = socket;
    }

    /** What the other side sends, and its end. */
    void read() {
      byte[] bytes = new byte[8192];
      try (socket) {
        InputStream in = socket.getInputStream();
        for (int count = in.read(bytes); count > 0; count = in.read(bytes)) {
          pass(bytes, count);
        }
      } catch (IOException _) {
        // an end like others
      }
      end();
    }

    private synchronized void pass(byte[] bytes, int count) throws IOException {
      OutputStream out = node == null ? kept : node.getOutputStream();
      out.write(bytes, 0, count);
    }

    private synchronized void end() {
      ended = true;
      close(node);
    }

    synchronized void resume(int port) throws IOException {
      Socket to = new Socket(InetAddress.getLoopbackAddress(), port);
      to.getOutputStream().write(kept.toByteArray());
      node = to;
      if (ended) {
        to.close();
      } else {
        Thread.ofPlatform().daemon().start(() -> answer(to));
      }
    }

    private void answer(Socket from) {
      try (from) {
        from.getInputStream().transferTo(socket.getOutputStream());
      } catch (IOException _) {
        // an end like others
      }
      close(socket);
    }

    synchronized void close() {
      close(node);
      close(socket);
    }

    private static void close(@Nullable Socket socket) {
      try {
        if (socket != null) {
          socket.close();
        }
      } catch (IOException _) {
        // closed for good anyway
      }
    }
  }

  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<Taken> taken = new ArrayList<>(); // guarded by this
  private int port; // of the node, or 0 while it is stopped; guarded by this

  StoppedPeer() throws IOException {
    Thread.ofPlatform().daemon().name("stopped peer").start(this::accept);
  }

  /** Where others find the node. */
  String address() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        take(new Taken(server.accept()));
      }
    } catch (IOException _) {
      // closed
    }
  }

  private synchronized void take(Taken connection) throws IOException {
    taken.add(connection);
    if (port != 0) {
      connection.resume(port);
    }
    Thread.ofPlatform().daemon().start(connection::read);
  }

  /** Connections that were taken so far. */
  synchronized int count() {
    return taken.size();
  }

  /** The process goes on. */
  synchronized void resume(String address) throws IOException {
    port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    for (Taken connection : taken) {
      connection.resume(port);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    server.close();
    taken.forEach(Taken::close);
  }
}
