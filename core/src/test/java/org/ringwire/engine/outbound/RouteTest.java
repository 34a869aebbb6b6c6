package org.ringwire.engine.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.NodeWatcher;

/** What a thread sends again goes the short way, also if it alternates. */
@ExtendWith(NodeWatcher.class)
class RouteTest {

  private static final List<Integer> RECEIVERS = List.of(2, 3, 4, 5);
  private static final int CONTEXTS = 256; // that are found fast

  record Buy(long number) {}

  record Sell(long number) {}

  record Cancel(long number) {}

  record Amend(long number) {}

  record Fill(long number) {}

  record Quote(long number) {}

  record Trade(long number) {}

  record Halt(long number) {}

  private static final List<Record> MESSAGES =
      List.of(
          new Buy(1),
          new Sell(1),
          new Cancel(1),
          new Amend(1),
          new Fill(1),
          new Quote(1),
          new Trade(1),
          new Halt(1));

  private static Node openAll(TestNodes nodes) {
    for (int id : RECEIVERS) {
      Node receiver = nodes.open(id);
      MESSAGES.forEach(
          message -> receiver.handle(message.getClass(), Dispatch.INLINE, (_, _) -> {}));
    }
    return nodes.open(1);
  }

  private static boolean leads(Node sender, int id, Record message) {
    Class<?> type = message.getClass();
    return SendContext.current().route(id, type).leads(sender, id, type);
  }

  /** Whichever they are, whatever their hash codes, and whatever was sent before. */
  @Test
  void shouldKeepTheWaysOfTwoTypesToAFewNodes() {
    try (TestNodes nodes = new TestNodes("loopback")) {
      Node sender = openAll(nodes);
      for (int index = 1; index < MESSAGES.size(); index++) {
        List<Record> two = MESSAGES.subList(index - 1, index + 1);
        for (int round = 0; round < 3; round++) {
          RECEIVERS.forEach(id -> two.forEach(message -> sender.send(id, message)));
        }
        for (int id : RECEIVERS) {
          assertThat(two).as("%s", two).allMatch(message -> leads(sender, id, message));
        }
      }
    }
  }

  /** Else a thread of a pool would keep an application that was loaded again, with its classes. */
  @Test
  void shouldLeadNowhereOnceItsNodeHasClosedThoughAnotherThreadHasItsPlace() throws Exception {
    Record message = MESSAGES.getFirst();
    try (ExecutorService one = Executors.newSingleThreadExecutor()) {
      Node sender;
      try (TestNodes nodes = new TestNodes("loopback")) {
        sender = openAll(nodes);
        long id =
            one.submit(
                    () -> {
                      sender.send(2, message);
                      assertThat(leads(sender, 2, message)).isTrue();
                      return Thread.currentThread().threadId();
                    })
                .get();
        takePlaceOf(id);
      }
      assertThat(one.submit(() -> leads(sender, 2, message)).get()).isFalse();
    }
  }

  private static void takePlaceOf(long id) throws InterruptedException {
    List<Thread> threads = new ArrayList<>(); // each gets the next id
    do {
      threads.add(Thread.ofPlatform().unstarted(SendContext::current));
    } while ((threads.getLast().threadId() - id) % CONTEXTS != 0);
    threads.getLast().start();
    threads.getLast().join();
  }
}
