package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.ReusingCodec;
import org.ringwire.codec.Writer;
import org.ringwire.testing.NodeWatcher;

/**
 * From {@link Node#send} to the handler nothing is allocated for a message whose codec reuses its
 * instance. Over loopback one thread does all of that, so its allocations are all there are.
 */
@ExtendWith(NodeWatcher.class)
class SendAllocationTest {

  private static final int MESSAGES = 500_000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** A number and some bytes. */
  private static final class Note {
    private long number;
    private final byte[] bytes = new byte[64];
  }

  private static final class NoteCodec implements ReusingCodec<Note> {
    @Override
    public int length(Note message) {
      return Long.BYTES + message.bytes.length;
    }

    @Override
    public void encode(Note message, Writer writer) {
      writer.putLong(message.number);
      writer.putBytes(message.bytes, 0, message.bytes.length);
    }

    @Override
    public Note create() {
      return new Note();
    }

    @Override
    public void decodeInto(Reader reader, Note target) {
      target.number = reader.getLong();
      reader.getBytes(target.bytes, 0, target.bytes.length);
    }
  }

  private long sum;

  @Test
  void shouldAllocateNothingPerMessage() {
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node one = nodes.open(1, settings -> settings.catalog(catalog()));
      Node two = nodes.open(2, settings -> settings.catalog(catalog()));
      two.handle(Note.class, Dispatch.INLINE, (note, exchange) -> sum += note.number);
      Note note = new Note();
      long least = Long.MAX_VALUE;
      for (int attempt = 0; attempt < 10 && least > MESSAGES / 10; attempt++) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (note.number = 0; note.number < MESSAGES; note.number++) {
          one.send(2, note);
        }
        least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
      }
      // Some bytes per megabyte: of CREDIT frames, and of what writes a burst.
      assertThat(least).as("bytes for %s messages", MESSAGES).isLessThan(MESSAGES / 10);
      assertThat(sum).isPositive();
    }
  }

  private static MessageCatalog catalog() {
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(Note.class, new NoteCodec());
    return catalog;
  }
}
