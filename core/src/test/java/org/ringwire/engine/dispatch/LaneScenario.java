package org.ringwire.engine.dispatch;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.engine.MessagingNode;
import org.ringwire.transport.loopback.LoopbackTransportProvider;

/** Two nodes that stop where a test wants it; in a library that was loaded once more. */
public abstract class LaneScenario implements BooleanSupplier {

  private static final long PATIENCE_S = 30;

  /** Taken by one thread, once: what another one sets meanwhile is not lost. */
  private static final AtomicReference<Runnable> BETWEEN = new AtomicReference<>(() -> {});

  /** What is sent, as one of two types. */
  sealed interface Numbered permits Event, Other {
    long number();
  }

  record Event(long number) implements Numbered {}

  record Other(long number) implements Numbered {}

  private record NumberCodec<T extends Numbered>(LongFunction<T> make) implements Codec<T> {
    @Override
    public int length(T message) {
      return Long.BYTES;
    }

    @Override
    public void encode(T message, Writer writer) {
      writer.putLong(message.number());
    }

    @Override
    public T decode(Reader reader) {
      return make.apply(reader.getLong());
    }
  }

  /** Called where the library was made to stop; does once what the scenario has said. */
  public static void between() {
    BETWEEN.getAndSet(() -> {}).run();
  }

  /** Says what is done where the library stops next. */
  static void between(Runnable action) {
    BETWEEN.set(action);
  }

  static Node open(int id, Consumer<NodeConfig.Builder> settings) {
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(7, Event.class, new NumberCodec<>(Event::new));
    catalog.register(8, Other.class, new NumberCodec<>(Other::new));
    NodeConfig.Builder builder =
        NodeConfig.builder(id)
            .transport("loopback")
            .listen("lane-" + id)
            .catalog(catalog)
            .peers(peer -> "lane-" + peer);
    settings.accept(builder);
    return MessagingNode.open(builder.build(), 1, new LoopbackTransportProvider());
  }

  static void await(CountDownLatch latch) {
    try {
      if (!latch.await(PATIENCE_S, TimeUnit.SECONDS)) {
        throw new AssertionError("nothing happens");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Gives others the time to do what they should not. */
  static void pass() {
    try {
      TimeUnit.MILLISECONDS.sleep(50);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
