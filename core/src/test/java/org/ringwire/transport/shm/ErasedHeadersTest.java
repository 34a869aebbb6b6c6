package org.ringwire.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.SendStatus;
import org.ringwire.engine.MessagingNode;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

/** Who sends through shared memory does not ask that memory what it sends. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("")
@Timeout(300)
class ErasedHeadersTest {

  record Echo(long number, String text) {}

  record Ask(long number) {}

  private static final int WARM_UP = 5_000;

  private static NodeConfig.Builder config(int id, NodeDirectory directory) {
    return NodeConfig.builder(id)
        .transport("shm")
        .peers(directory)
        .requestTimeout(TestNodes.PATIENCE);
  }

  /** A reader that makes headers in the ring of who sends to it say that there is nothing. */
  @Test
  void shouldEndALinkWhoseHeadersWereErasedAndFreeItsRing() throws Exception {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    RecordingProvider provider = new RecordingProvider();
    LongAdder handled = new LongAdder();
    AtomicBoolean stopped = new AtomicBoolean();
    CountDownLatch erased = new CountDownLatch(1);
    try (Node one = Node.open(config(1, directory).listen("*").build());
        Node three = Node.open(config(3, directory).listen("*").build());
        Node two = MessagingNode.open(config(2, directory).build(), 1, provider)) {
      directory.put(1, String.valueOf(one.address()));
      directory.put(3, String.valueOf(three.address()));
      one.handle(
          Echo.class,
          Dispatch.INLINE,
          (echo, exchange) -> {
            handled.increment();
            if (stopped.get()) {
              Awaiting.await("headers are erased", () -> erased.getCount() == 0);
            }
          });
      three.handle(Ask.class, Dispatch.INLINE, (ask, exchange) -> exchange.reply(ask));
      String text = "x".repeat(2000);
      long number = 0;
      while (number < WARM_UP) { // the window grows
        two.send(1, new Echo(number++, text));
      }
      long all = number;
      Awaiting.await("all are handled", () -> handled.sum() == all);
      stopped.set(true);
      for (int refused = 0; refused < 200; ) {
        if (two.trySend(1, new Echo(number, text)) == SendStatus.ACCEPTED) {
          number++;
        } else {
          refused++;
          TimeUnit.MILLISECONDS.sleep(1); // what can be written is written
        }
      }
      MemorySegment ring = provider.ring;
      long last = number;
      assertThat(provider.eraseHeaders(text.length(), last - 100, last)).isPositive();
      erased.countDown();

      Awaiting.await("the end of the link", () -> two.metrics().connectionsLost() == 1);
      Awaiting.await("the ring's memory is free", () -> !ring.scope().isAlive());
      assertThat(two.request(3, new Ask(1), Ask.class, TestNodes.PATIENCE)).isEqualTo(new Ask(1));
      two.close(Duration.ZERO);
    }
  }
}
