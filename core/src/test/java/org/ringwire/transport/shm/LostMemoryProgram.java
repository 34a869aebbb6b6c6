package org.ringwire.transport.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.ringwire.transport.selector.SelectorEntry;

/**
 * Reads a word of a file and rings for it until that is compiled, and once more when the file has
 * become shorter; says what that throws, and whether another thread can close the channel then.
 */
final class LostMemoryProgram {

  private static final int USES = 30_000;

  private LostMemoryProgram() {}

  /** Rings, whatever the word is, as for a peer that has just announced that it sleeps. */
  private static void press(MemorySegment memory, Doorbell.Button button, int number) {
    long word = (long) SideLayout.WORD.getVolatile(memory, 0L);
    button.press((word << 32 ^ (long) number << 1) | 1);
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    try (SharedFolder folder = SharedFolder.open();
        Arena arena = Arena.ofShared();
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      SharedFolder.Mapped mapped = folder.create("side", SideLayout.LENGTH, arena);
      Path path = folder.resolve("pair");
      listener.bind(UnixDomainSocketAddress.of(path));
      SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path));
      channel.configureBlocking(false);
      Doorbell.Button button = new Doorbell(channel).new Button();
      for (int number = 1; number < USES; number++) {
        press(mapped.memory(), button, number);
      }
      try (FileChannel file = FileChannel.open(mapped.file(), StandardOpenOption.WRITE)) {
        file.truncate(0);
      }
      try {
        press(mapped.memory(), button, USES);
        System.out.println("nothing thrown");
      } catch (InternalError e) {
        System.out.println("thrown in " + e.getStackTrace()[0]);
      }
      Thread closer = Thread.ofPlatform().daemon().start(() -> SelectorEntry.closeQuietly(channel));
      closer.join(TimeUnit.SECONDS.toMillis(10));
      System.out.println("closed " + !closer.isAlive());
      SharedFolder.delete(path);
    }
  }
}
