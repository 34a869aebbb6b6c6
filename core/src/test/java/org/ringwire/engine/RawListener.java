package org.ringwire.engine;

import static org.ringwire.engine.TestNodes.PATIENCE;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.ringwire.NodeDirectory;

/** Where a node finds a peer that is made of plain sockets ({@link RawPeer}). One thread. */
final class RawListener implements AutoCloseable {

  private static final int BACKLOG = 5;

  private final ServerSocket socket;

  private RawListener(ServerSocket socket) {
    this.socket = socket;
  }

  /** Listens as a node, which a directory knows from now on. */
  static RawListener open(int id, NodeDirectory.Mutable directory) throws IOException {
    ServerSocket socket = new ServerSocket(0, BACKLOG, InetAddress.getByName("127.0.0.1"));
    socket.setSoTimeout((int) PATIENCE.toMillis());
    directory.put(id, "127.0.0.1:" + socket.getLocalPort());
    return new RawListener(socket);
  }

  /** The next link that a node opens. */
  RawPeer accept() throws IOException {
    return RawPeer.over(socket.accept());
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
