package org.ringwire.tools.bench.check;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks messages that must be handled in the order of their sequence numbers, sender by sender.
 *
 * <p>{@link #accept} is called by one thread at a time, each call happening before the next: the
 * guarantee of inline and of ordered handlers. The counter is its last write, with release, so that
 * a thread that reads the count with acquire sees everything that was counted.
 */
final class InOrderCheck implements MessageCheck {

  private static final VarHandle HANDLED;

  static {
    try {
      HANDLED = MethodHandles.lookup().findVarHandle(InOrderCheck.class, "handled", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Sender[] senders;
  private volatile boolean suspicious;

  @SuppressWarnings("UnusedVariable") // by HANDLED
  private long handled;

  InOrderCheck(int senderCount, int contentLength) {
    senders = new Sender[senderCount];
    for (int i = 0; i < senderCount; i++) {
      senders[i] = new Sender(Content.of(i, contentLength));
    }
  }

  @Override
  public void accept(Numbered message) {
    Sender sender = senders[message.sender()];
    long sequence = message.sequence();
    if (sequence == sender.next) {
      sender.next = sequence + 1;
    } else {
      suspicious = true;
      sender.unexpected(sequence);
    }
    byte[] content = message.content();
    if (content.length != sender.content.length
        || (sequence % SAMPLE == 0 && !Content.matches(content, sender.content, sequence))) {
      suspicious = true;
      sender.altered++;
    }
    HANDLED.setRelease(this, handled + 1); // pairs with getAcquire in handled()
  }

  @Override
  public long handled() {
    return (long) HANDLED.getAcquire(this);
  }

  @Override
  public boolean suspicious() {
    return suspicious;
  }

  @Override
  public CheckResult result(long[] sent) {
    long lost = 0;
    long duplicated = 0;
    long outOfOrder = 0;
    for (int i = 0; i < senders.length; i++) {
      Sender sender = senders[i];
      lost += sent[i] - sender.next + sender.missingCount() + sender.altered;
      duplicated += sender.duplicated;
      outOfOrder += sender.outOfOrder;
    }
    return new CheckResult(handled(), lost, duplicated, outOfOrder);
  }

  /** One sender's sequence: all below {@code next} were seen, but for the missing ranges. */
  private static final class Sender {

    private final byte[] content;
    private final TreeMap<Long, Long> missing = new TreeMap<>();
    private long next;
    private long duplicated;
    private long outOfOrder;
    private long altered;

    Sender(byte[] content) {
      this.content = content;
    }

    void unexpected(long sequence) {
      if (sequence > next) {
        missing.put(next, sequence);
        next = sequence + 1;
      } else if (removeMissing(sequence)) {
        outOfOrder++;
      } else {
        duplicated++;
      }
    }

    /** Ranges are from, inclusive, to, exclusive. */
    private boolean removeMissing(long sequence) {
      Map.@Nullable Entry<Long, Long> range = missing.floorEntry(sequence);
      if (range == null || range.getValue() <= sequence) {
        return false;
      }
      missing.remove(range.getKey());
      if (range.getKey() < sequence) {
        missing.put(range.getKey(), sequence);
      }
      if (sequence + 1 < range.getValue()) {
        missing.put(sequence + 1, range.getValue());
      }
      return true;
    }

    long missingCount() {
      return missing.entrySet().stream().mapToLong(r -> r.getValue() - r.getKey()).sum();
    }
  }
}
