package org.ringwire.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.ringwire.Dispatch;
import org.ringwire.EndReason;
import org.ringwire.Exchange;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.testing.HeapShortage;

/**
 * Two nodes over {@code -Dtransport}, in whose process there is no heap left again and again while
 * they do with each other what nodes do, and then plenty; says whether each of it goes on, and
 * whether anything has come that was not sent.
 */
final class NoHeapProgram {

  private static final long WITHOUT_NS = 4_000_000_000L;
  private static final long PATIENCE_NS = 30_000_000_000L;
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final int SMALL = 16;
  private static final int LONG = 1 << 20; // longer than a quarter of a ring
  private static final int MOST_MS = 30;
  private static final byte CONTENT = 0x5A;
  private static final String RULE_BROKEN = EndReason.RULE_BROKEN.name();

  private final LongAdder corrupted = new LongAdder();
  private volatile boolean isOver;

  @SuppressWarnings("ArrayRecordComponent")
  record Ask(byte[] bytes) {}

  @SuppressWarnings("ArrayRecordComponent")
  record AskInline(byte[] bytes) {}

  @SuppressWarnings("ArrayRecordComponent")
  record AskBlocking(byte[] bytes) {}

  @SuppressWarnings("ArrayRecordComponent")
  record Tell(byte[] bytes) {}

  @SuppressWarnings("ArrayRecordComponent")
  record Answer(byte[] bytes) {}

  /** What is tried again and again, and may fail. */
  @FunctionalInterface
  private interface Use {
    void run() throws Exception;
  }

  private NoHeapProgram() {}

  public static void main(String[] args) throws InterruptedException {
    new NoHeapProgram().run();
    System.exit(0); // whatever the hunger has left behind
  }

  private void run() throws InterruptedException {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node one = open(1, directory);
        Node two = open(2, directory)) {
      two.handle(Ask.class, (ask, exchange) -> answer(ask.bytes(), exchange));
      two.handle(
          AskInline.class, Dispatch.INLINE, (ask, exchange) -> answer(ask.bytes(), exchange));
      two.handle(
          AskBlocking.class, Dispatch.BLOCKING, (ask, exchange) -> answer(ask.bytes(), exchange));
      two.handle(Tell.class, (tell, exchange) -> check(tell.bytes()));
      Map<String, Use> uses = new LinkedHashMap<>();
      uses.put("request", () -> ask(one, new Ask(bytes(SMALL)), SMALL));
      uses.put("long request", () -> ask(one, new Ask(bytes(LONG)), LONG));
      uses.put("inline request", () -> ask(one, new AskInline(bytes(SMALL)), SMALL));
      uses.put("blocking request", () -> ask(one, new AskBlocking(bytes(SMALL)), SMALL));
      uses.put("future", () -> askLater(one));
      uses.put("message", () -> one.send(2, new Tell(bytes(SMALL)), SHORT));
      uses.forEach((name, use) -> System.out.println(name + " before: " + succeeds(use)));
      useWithoutHeap(uses);
      uses.forEach((name, use) -> System.out.println(name + " after: " + succeeds(use)));
      long broken =
          Stream.of(one, two)
              .mapToLong(node -> node.metrics().connectionEnds().getOrDefault(RULE_BROKEN, 0L))
              .sum();
      System.out.println("broken rules: " + broken);
    }
    System.out.println("corrupted: " + corrupted.sum());
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, CONTENT);
    return bytes;
  }

  private void answer(byte[] bytes, Exchange exchange) {
    check(bytes);
    exchange.reply(new Answer(bytes));
  }

  private void ask(Node node, Object ask, int length) {
    checkAnswer(node.request(2, ask, Answer.class, SHORT), length);
  }

  private void askLater(Node node) throws Exception {
    CompletableFuture<Answer> future =
        node.requestAsync(2, new Ask(bytes(SMALL)), Answer.class, SHORT);
    try {
      checkAnswer(future.get(PATIENCE_NS, TimeUnit.NANOSECONDS), SMALL);
    } catch (TimeoutException e) { // its request has half a second
      System.out.println("lost future");
    }
  }

  private void checkAnswer(Answer answer, int length) {
    check(answer.bytes());
    if (answer.bytes().length != length) {
      corrupted.increment();
    }
  }

  /** It is what was sent, and nothing else, whatever was lost before. */
  private void check(byte[] bytes) {
    for (byte each : bytes) {
      if (each != CONTENT) {
        corrupted.increment();
        return;
      }
    }
  }

  private void useWithoutHeap(Map<String, Use> uses) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    uses.forEach((name, use) ->
        threads.add(
            Thread.ofPlatform()
                .name(name)
                .start(() -> {
                  while (!isOver) {
                    boolean _ = isDone(use);
                  }
                })));
    try {
      starve();
    } finally {
      isOver = true;
    }
    long deadlineNs = System.nanoTime() + 2 * PATIENCE_NS;
    for (Thread thread : threads) {
      if (!thread.join(Duration.ofNanos(Math.max(1, deadlineNs - System.nanoTime())))) {
        System.out.println(thread.getName() + " hangs: " + List.of(thread.getStackTrace()));
      }
    }
  }

  /** Again and again for a moment, which finds threads in other places each time. */
  private static void starve() throws InterruptedException {
    long deadlineNs = System.nanoTime() + WITHOUT_NS;
    for (int round = 1; System.nanoTime() - deadlineNs < 0; round++) {
      HeapShortage.last(TimeUnit.MILLISECONDS.toNanos(10 + 7 * round % MOST_MS));
      pause(13 * round % MOST_MS);
    }
  }

  private static void pause(long ms) throws InterruptedException {
    try {
      Thread.sleep(ms);
    } catch (OutOfMemoryError e) {
      // no pause, then
    }
  }

  private static boolean isDone(Use use) {
    try {
      use.run();
      return true;
    } catch (Exception | OutOfMemoryError e) {
      return false;
    }
  }

  private static boolean succeeds(Use use) {
    long deadlineNs = System.nanoTime() + PATIENCE_NS;
    while (System.nanoTime() - deadlineNs < 0) {
      if (isDone(use)) {
        return true;
      }
    }
    return false;
  }

  private static Node open(int id, NodeDirectory.Mutable directory) {
    return ProgramNodes.openKnown(
        id,
        directory,
        settings ->
            settings.connectTimeout(Duration.ofSeconds(1)).keepAlive(Duration.ofSeconds(1)));
  }
}
