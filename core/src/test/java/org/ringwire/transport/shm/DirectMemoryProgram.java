package org.ringwire.transport.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.ringwire.IdleStrategy;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/**
 * Uses up all memory for direct buffers of its process, just before a peer says the last word that
 * a link waits for; says what its handler is told, and whether the peer hears of the end, and what
 * is left in the folder.
 */
final class DirectMemoryProgram {

  private DirectMemoryProgram() {}

  public static void main(String[] args) throws IOException {
    TransportConfig config =
        new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofMinutes(5));
    ProbeHandler handler = new ProbeHandler();
    try (Transport transport = new ShmTransportProvider().open(config);
        SharedFolder folder = SharedFolder.open();
        Arena arena = Arena.ofShared()) {
      String address = transport.listen("*", remote -> handler);
      Path file = folder.create("side", SideLayout.LENGTH, arena).file();
      try (SocketChannel peer = SocketChannel.open(UnixDomainSocketAddress.of(address))) {
        greet(peer, file);
        List<ByteBuffer> taken = takeAll();
        peer.write(ByteBuffer.wrap(new byte[] {Greeting.MAPPED}));
        System.out.println("told " + handler.cause().getCause());
        System.out.println("heard " + peer.read(ByteBuffer.allocate(1)));
        System.out.println("left " + names(Path.of(address)) + (taken.isEmpty() ? "?" : ""));
      }
    }
  }

  /** Until the other side waits for one byte only; each thread has a buffer for that by now. */
  private static void greet(SocketChannel peer, Path file) throws IOException {
    peer.write(Greeting.of(file));
    Greeting greeting = new Greeting();
    while (greeting.file() == null || !greeting.isComplete()) {
      if (peer.read(greeting.rest()) < 0) {
        throw new IOException("closed");
      }
    }
  }

  private static List<ByteBuffer> takeAll() {
    List<ByteBuffer> taken = new ArrayList<>();
    for (int length = 1 << 20; length > 0; length >>= 1) {
      try {
        while (true) {
          taken.add(ByteBuffer.allocateDirect(length));
        }
      } catch (OutOfMemoryError e) {
        // not so much
      }
    }
    return taken;
  }

  private static List<String> names(Path socket) throws IOException {
    try (Stream<Path> found = Files.list(socket.resolveSibling("."))) {
      return found.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
