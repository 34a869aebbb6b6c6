package org.ringwire.tools.bench.check;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * Checks that messages are handled once each by handlers that may overtake one another.
 *
 * <p>{@link #accept} may be called by any number of threads. A platform thread collects a run of
 * neighbouring messages in a notebook of its own before it marks them for all to see, which keeps
 * the cost of the check below that of a contended cache line per message. Virtual threads, of which
 * there is one per message, mark at once.
 */
final class ExactlyOnceCheck implements MessageCheck {

  /** 2^15 words are a million messages: more than fit into the windows of a connection. */
  private static final int WORD_BITS = 15;

  private final SeenWindow[] seen;
  private final byte[][] contents;
  private final Queue<Notebook> notebooks = new ConcurrentLinkedQueue<>();
  private final ThreadLocal<Notebook> notebook = ThreadLocal.withInitial(this::newNotebook);
  private final LongAdder handledVirtually = new LongAdder();
  private final LongAdder altered = new LongAdder();

  ExactlyOnceCheck(int senderCount, int contentLength) {
    seen = new SeenWindow[senderCount];
    contents = new byte[senderCount][];
    for (int i = 0; i < senderCount; i++) {
      seen[i] = new SeenWindow(WORD_BITS);
      contents[i] = Content.of(i, contentLength);
    }
  }

  @Override
  public void accept(Numbered message) {
    long sequence = message.sequence();
    int sender = message.sender();
    byte[] expected = contents[sender];
    byte[] content = message.content();
    if (content.length != expected.length
        || (sequence % SAMPLE == 0 && !Content.matches(content, expected, sequence))) {
      altered.increment();
    }
    if (Thread.currentThread().isVirtual()) {
      seen[sender].mark(sequence / SeenWindow.WORD, 1 << sequence % SeenWindow.WORD);
      handledVirtually.increment();
    } else {
      notebook.get().note(sender, sequence);
    }
  }

  @Override
  public long handled() {
    long count = handledVirtually.sum();
    for (Notebook each : notebooks) {
      count += each.count();
    }
    return count;
  }

  @Override
  public boolean suspicious() {
    if (altered.sum() != 0) {
      return true;
    }
    for (SeenWindow window : seen) {
      if (window.duplicated() != 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public CheckResult result(long[] sent) {
    for (Notebook each : notebooks) {
      each.count(); // acquires what its thread wrote
      each.flush();
    }
    long lost = altered.sum();
    long duplicated = 0;
    for (int i = 0; i < seen.length; i++) {
      lost += sent[i] - seen[i].seen();
      duplicated += seen[i].duplicated();
    }
    return new CheckResult(handled(), lost, duplicated, null);
  }

  private Notebook newNotebook() {
    Notebook created = new Notebook(seen);
    notebooks.add(created);
    return created;
  }

  /**
   * A run of messages of one thread. Owned by that thread; another one may flush it while its owner
   * handles nothing.
   */
  private static final class Notebook {

    private static final VarHandle COUNT;

    static {
      try {
        COUNT = MethodHandles.lookup().findVarHandle(Notebook.class, "count", long.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    private final SeenWindow[] seen;
    private int sender;
    private long word;
    private int bits;

    @SuppressWarnings("UnusedVariable") // by COUNT
    private long count;

    Notebook(SeenWindow[] seen) {
      this.seen = seen;
    }

    void note(int messageSender, long sequence) {
      long messageWord = sequence / SeenWindow.WORD;
      int bit = 1 << (int) (sequence % SeenWindow.WORD);
      if (messageWord != word || messageSender != sender || (bits & bit) != 0) {
        flush();
        word = messageWord;
        sender = messageSender;
      }
      bits |= bit;
      COUNT.setRelease(this, count + 1); // pairs with getAcquire in count()
    }

    long count() {
      return (long) COUNT.getAcquire(this);
    }

    void flush() {
      if (bits != 0) {
        seen[sender].mark(word, bits);
        bits = 0;
      }
    }
  }
}
