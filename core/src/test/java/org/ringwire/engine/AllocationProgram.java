package org.ringwire.engine;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.ReusingCodec;
import org.ringwire.codec.Writer;

/**
 * Counts what messages and requests allocate in a process of its own, whose compiler may be as
 * simple as its caller likes: all threads together, in bytes per message. What it prints is how it
 * tells the test that has started it.
 */
final class AllocationProgram {

  private static final int WARM_UP = 2_000;
  private static final int MESSAGES = 10_000;
  private static final int ATTEMPTS = 3;

  /** What is allocated by the way, by who looks how many cores there are for instance. */
  private static final long BYTES_PER_MS = 100;

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** A number. */
  private static final class Note {
    private long number;
  }

  /** Reads a response into the same instance as the one before. */
  private static final class NoteCodec implements ReusingCodec<Note> {

    private final Note response = new Note();

    @Override
    public int length(Note message) {
      return Long.BYTES;
    }

    @Override
    public void encode(Note message, Writer writer) {
      writer.putLong(message.number);
    }

    @Override
    public Note create() {
      return response;
    }

    @Override
    public void decodeInto(Reader reader, Note target) {
      target.number = reader.getLong();
    }
  }

  private long sum;

  private AllocationProgram() {}

  public static void main(String[] args) {
    Dispatch.Mode mode = Dispatch.Mode.valueOf(System.getProperty("mode"));
    new AllocationProgram().run(System.getProperty("transport"), new Dispatch(mode, false));
  }

  private void run(String transport, Dispatch dispatch) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(1, settings -> settings.catalog(catalog()));
      Node two = nodes.open(2, settings -> settings.catalog(catalog()));
      two.handle(
          Note.class,
          dispatch,
          (note, exchange) -> {
            sum += note.number;
            if (exchange.isRequest()) {
              exchange.reply(note);
            }
          });
      Note note = new Note();
      System.out.println("message: " + least(() -> one.send(2, note)));
      System.out.println("request: " + least(() -> one.request(2, note, Note.class, TIMEOUT)));
    }
  }

  private static long least(Runnable message) {
    repeat(WARM_UP, message);
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      long before = THREADS.getTotalThreadAllocatedBytes();
      long beganNs = System.nanoTime();
      repeat(MESSAGES, message);
      long elapsedMs = (System.nanoTime() - beganNs) / 1_000_000;
      long bytes = THREADS.getTotalThreadAllocatedBytes() - before;
      System.out.println(bytes + " bytes in " + elapsedMs + " ms");
      least = Math.min(least, Math.max(0, bytes - elapsedMs * BYTES_PER_MS));
    }
    return least / MESSAGES;
  }

  private static void repeat(int times, Runnable message) {
    for (int index = 0; index < times; index++) {
      message.run();
    }
  }

  private static MessageCatalog catalog() {
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(Note.class, new NoteCodec());
    return catalog;
  }
}
