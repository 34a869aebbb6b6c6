package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.NodeWatcher;

/** Images in memory that its owner takes away, as a peer may do that shares it. */
@ExtendWith(NodeWatcher.class)
class TakenImageTest {
  private static final int NUMBERS = 20_000;
  private static final int KEPT = 4096;
  private static final int ROUNDS = 20;
  private static final int OFTEN = 8000; // until what copies and decodes is compiled

  @TempDir private Path folder;
  private final HeapCodec codec = HeapCodec.builder().build();

  /**
   * The JVM tells of an access to memory that is gone a little later, wherever the thread is then:
   * in the initialiser of an accepted class, which would be lost for ever, or where a decoder is
   * being made ready for the image of somebody else.
   */
  @Test
  void shouldTellOfItBeforeAnythingIsMadeOfTheImage() throws IOException {
    byte[] image = codec.encode(new int[NUMBERS]);
    for (int round = 0; round < ROUNDS; round++) {
      Throwable told = decodeWhatIsTaken(image, round == 0 ? OFTEN : 1);

      assertThat(told).isInstanceOf(InternalError.class);
      assertThat(told.getStackTrace())
          .anyMatch(frame -> frame.getClassName().endsWith(".ImageCopy"));
      assertThat((int[]) codec.decode(image)).hasSize(NUMBERS);
    }
  }

  private Throwable decodeWhatIsTaken(byte[] image, int times) throws IOException {
    Path file = folder.resolve("image");
    try (FileChannel channel =
            FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        Arena arena = Arena.ofShared()) {
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, image.length, arena);
      mapped.copyFrom(MemorySegment.ofArray(image));
      for (int i = 0; i < times; i++) {
        Object _ = codec.decode(mapped);
      }
      channel.truncate(KEPT);
      return catchThrowable(() -> codec.decode(mapped));
    }
  }
}
