package org.ringwire.transport.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A peer that keeps to the rules until it is attached, and then writes whatever it likes into the
 * memory that it shares.
 */
final class HostilePeer implements AutoCloseable {

  private final SharedFolder folder;
  private final Arena arena = Arena.ofShared();
  private final SocketChannel channel;
  private final FileChannel file;
  private final Path path;
  final MemorySegment side;

  HostilePeer(String address) throws IOException {
    folder = SharedFolder.open();
    SharedFolder.Mapped mapped = folder.create("side", SideLayout.LENGTH, arena);
    path = mapped.file();
    side = mapped.memory();
    file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    channel = SocketChannel.open(UnixDomainSocketAddress.of(address));
    channel.write(Greeting.of(path));
    Greeting greeting = new Greeting();
    while (greeting.file() == null) {
      if (channel.read(greeting.rest()) < 0) {
        throw new IOException("closed");
      }
    }
    channel.write(ByteBuffer.wrap(new byte[] {Greeting.MAPPED}));
    while (!greeting.isComplete()) {
      if (channel.read(greeting.rest()) < 0) {
        throw new IOException("closed");
      }
    }
  }

  /** Writes a word. */
  void word(long offset, long value) {
    SideLayout.WORD.setVolatile(side, offset, value);
  }

  /** Describes something, as the descriptor of this number, which publishes it. */
  void describe(long number, int kind, long offset, long length) {
    word(SideLayout.descriptor(number) + Long.BYTES, offset);
    word(SideLayout.descriptor(number), SideLayout.word(number, kind, length));
  }

  /** Writes text where copies are. */
  void text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, side, SideLayout.COPIES, bytes.length);
  }

  /** Wakes the other side. */
  void ring() throws IOException {
    channel.write(ByteBuffer.allocate(1));
  }

  /** A ring of this peer, mapped for writing. */
  SharedFolder.Mapped newRing(long length) throws IOException {
    return folder.create("ring", length, arena);
  }

  /** Takes the memory away that the other side has mapped. */
  void truncate() throws IOException {
    file.truncate(0);
  }

  /** The file that this peer writes. */
  Path path() {
    return path;
  }

  /** Waits until the other side has closed the connection. */
  void awaitEnd() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(64);
    while (channel.read(bytes) >= 0) {
      bytes.clear();
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    file.close();
    arena.close();
    folder.close();
  }
}
