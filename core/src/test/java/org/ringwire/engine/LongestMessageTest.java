package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Node;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.testing.NodeWatcher;

/**
 * A message of nearly 1 GiB through a ring of 1 MiB; encoded and decoded without being on the heap.
 * A process that makes room for it, and copies it, may stop as a whole for as long as that takes.
 */
@ExtendWith(NodeWatcher.class)
class LongestMessageTest {

  private static final int BLOCK_WORDS = 1 << 17; // 1 MiB
  private static final int BLOCK_LENGTH = 8 * BLOCK_WORDS;

  /** So many blocks, each with its number in every word; and some words that are no block. */
  record Words(int blocks, int words) {}

  /** Writes and checks block after block. */
  private static final class WordsCodec implements Codec<Words> {
    private final long[] block = new long[BLOCK_WORDS];
    private final long[] expected = new long[BLOCK_WORDS];

    @Override
    public int length(Words message) {
      return message.blocks() * BLOCK_LENGTH + 8 * message.words();
    }

    @Override
    public void encode(Words message, Writer writer) {
      for (int index = 0; index < message.blocks(); index++) {
        Arrays.fill(block, index);
        writer.putLongs(block, 0, BLOCK_WORDS);
      }
      for (int index = 0; index < message.words(); index++) {
        writer.putLong(~index);
      }
    }

    @Override
    public Words decode(Reader reader) {
      int blocks = (int) (reader.remaining() / BLOCK_LENGTH);
      for (int index = 0; index < blocks; index++) {
        Arrays.fill(expected, index);
        reader.getLongs(block, 0, BLOCK_WORDS);
        assertThat(Arrays.equals(block, expected)).as("block %s", index).isTrue();
      }
      int words = (int) (reader.remaining() / 8);
      for (int index = 0; index < words; index++) {
        assertThat(reader.getLong()).isEqualTo(~index);
      }
      return new Words(blocks, words);
    }
  }

  private static MessageCatalog catalog() {
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(Words.class, new WordsCodec());
    return catalog;
  }

  @ParameterizedTest
  @Tag("nightly")
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldPassAGibibyteThroughARingOfAMebibyte(String transport) {
    Queue<Words> arrived = new ConcurrentLinkedQueue<>();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one =
          nodes.open(
              1,
              settings ->
                  settings
                      .catalog(catalog())
                      .maxMessageLength(1 << 30)
                      .ringCapacity(1 << 20)
                      .keepAlive(PATIENCE));
      Node two =
          nodes.open(
              2,
              settings ->
                  settings.catalog(catalog()).maxMessageLength(1 << 30).keepAlive(PATIENCE));
      two.handle(Words.class, (message, exchange) -> arrived.add(message));
      Words longest = new Words(1023, BLOCK_WORDS - 8); // 64 bytes less than 1 GiB
      one.send(2, new Words(0, 3));
      one.send(2, longest);
      one.send(2, new Words(1, 5));
      await("all three", () -> arrived.size() == 3);
      assertThat(arrived).containsExactly(new Words(0, 3), longest, new Words(1, 5));
    }
  }
}
