package org.ringwire.engine;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.engine.outbound.Waits;
import org.ringwire.transport.loopback.LoopbackTransportProvider;

/**
 * The moment at which two threads could read the same lane, as one fixed interleaving of two real
 * nodes: a pooled handler waits, so that another thread goes on with its lane; it is done, and its
 * thread has said that what it has handled with may be used again; now the other thread takes that
 * for the next message, and only then looks the first whether the lane is still its own. Public,
 * because {@link org.ringwire.testing.MutantLoader} makes one.
 */
public final class HandOnScenario implements BooleanSupplier {

  private static final long PATIENCE_S = 30;
  private static volatile Runnable between = () -> {};

  private final CountDownLatch taken = new CountDownLatch(1);
  private final CountDownLatch looked = new CountDownLatch(1);
  private final Queue<Long> handled = new ConcurrentLinkedQueue<>();

  /** What is sent. */
  record Event(long number) {}

  private static final Codec<Event> EVENTS =
      new Codec<>() {
        @Override
        public int length(Event event) {
          return Long.BYTES;
        }

        @Override
        public void encode(Event event, Writer writer) {
          writer.putLong(event.number());
        }

        @Override
        public Event decode(Reader reader) {
          return new Event(reader.getLong());
        }
      };

  /** By reflection. */
  public HandOnScenario() {}

  /** Called when a thread that had handed its lane on has said that it is done. */
  public static void between() {
    Runnable once = between;
    between = () -> {};
    once.run();
  }

  private static Node open(int id, Consumer<NodeConfig.Builder> settings) {
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(7, Event.class, EVENTS);
    NodeConfig.Builder builder =
        NodeConfig.builder(id)
            .transport("loopback")
            .listen("hand-on-" + id)
            .catalog(catalog)
            .peers(peer -> "hand-on-" + peer);
    settings.accept(builder);
    return MessagingNode.open(builder.build(), 1, new LoopbackTransportProvider());
  }

  /** Whether each message was handled once, and no rule was broken. */
  @Override
  public boolean getAsBoolean() {
    try (Node one = open(1, settings -> {});
        Node two = open(2, settings -> settings.handlerThreads(1).compensatingThreads(1))) {
      between =
          () -> {
            one.send(2, new Event(1));
            await(taken);
          };
      two.handle(Event.class, Dispatch.POOLED, (event, exchange) -> handle(event.number()));
      one.send(2, new Event(0));
      await(taken);
      TestNodes.await("the first thread ends", () -> two.metrics().messagesHandled() > 0);
      TimeUnit.MILLISECONDS.sleep(50); // what it does then, if it goes on
      looked.countDown();
      one.send(2, new Event(2));
      TestNodes.await("all", () -> handled.size() >= 3);
      return List.copyOf(handled).equals(List.of(0L, 1L, 2L))
          && two.metrics().framesRejected() == 0;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void handle(long number) {
    handled.add(number);
    if (number == 0) {
      Waits.begin(); // as before any wait inside of the library
    } else if (number == 1) {
      taken.countDown();
      await(looked);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(PATIENCE_S, TimeUnit.SECONDS)) {
        throw new AssertionError("nothing happens");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
