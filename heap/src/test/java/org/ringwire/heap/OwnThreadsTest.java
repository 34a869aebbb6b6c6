package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.heap.channel.ChannelMessages.Announced;
import org.ringwire.heap.channel.ChannelMessages.HeapRequest;
import org.ringwire.heap.channel.ChannelMessages.Offer;
import org.ringwire.heap.channel.ChannelMessages.Open;
import org.ringwire.heap.channel.ChannelMessages.Opened;
import org.ringwire.heap.channel.ChannelMessages.Truncate;
import org.ringwire.testing.NodeWatcher;

/**
 * Threads that channels start for what others may not wait for: caused by whoever happens to read,
 * or to write for a carrier.
 */
@ExtendWith(NodeWatcher.class)
class OwnThreadsTest {
  private static final int SEGMENT = 4096;

  private final CarriedPair pair = new CarriedPair();
  private final ClassLoader opener = Thread.currentThread().getContextClassLoader();
  private final ClassLoader other = new ClassLoader(opener) {};
  private final InheritableThreadLocal<@Nullable String> user = new InheritableThreadLocal<>();
  private final Queue<String> seen = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() throws Exception {
    becomeNobody(); // the thread goes on with other tests
    pair.close();
  }

  private void becomeSomebody() {
    user.set("somebody");
    Thread.currentThread().setContextClassLoader(other);
  }

  private void becomeNobody() {
    user.remove();
    Thread.currentThread().setContextClassLoader(opener);
  }

  private void note() {
    boolean own = Objects.equals(Thread.currentThread().getContextClassLoader(), opener);
    seen.add(user.get() + (own ? "" : " in another class loader"));
  }

  /** Notes who takes memory back. */
  private final class Noting implements ForwardingCarrier {
    @Override
    public BlockCarrier carrier() {
      return pair.right;
    }

    @Override
    public Announcement announce(MemorySegment memory, Listener listener) {
      Announcement announced = pair.right.announce(memory, listener);
      return new Announcement() {
        @Override
        public byte[] descriptor() {
          return announced.descriptor();
        }

        @Override
        public void close() {
          note();
          announced.close();
        }
      };
    }

    @Override
    public Target open(int nodeId, byte[] descriptor) {
      return pair.right.open(nodeId, descriptor);
    }
  }

  @Test
  void shouldRevokeMemoryWithNothingOfTheThreadThatHappensToCauseIt() {
    HeapChannels from = pair.channels(1, ChannelOptions.DEFAULT, pair.left);
    HeapChannels to = pair.channels(2, ChannelOptions.DEFAULT, new Noting());
    pair.left.beforeWrite = this::becomeSomebody;

    from.to(2).writeObject(new byte[3 << 20]);
    byte[] _ = (byte[]) to.to(1).readObject();

    await("a segment that was taken back", () -> !seen.isEmpty());
    assertThat(seen).containsOnly("null");
  }

  private Announced announced() {
    MemorySegment memory = Arena.ofAuto().allocate(SEGMENT);
    BlockCarrier.Announcement each = pair.owns(pair.right.announce(memory, (_, _) -> {}));
    return new Announced(true, List.of(new Offer(1, SEGMENT, each.descriptor())));
  }

  /** Notes who gives memory back, and leaves it to the test to answer when more is asked for. */
  private Node noting(Node node, CompletableFuture<Object> answer, AtomicBoolean isAsked) {
    return (Node)
        Proxy.newProxyInstance(
            OwnThreadsTest.class.getClassLoader(),
            new Class<?>[] {Node.class},
            (_, method, arguments) -> {
              Object message = arguments == null || arguments.length < 2 ? null : arguments[1];
              if (message instanceof Truncate) {
                note();
              } else if (message instanceof HeapRequest request && request.known() > 0) {
                isAsked.set(true);
                return answer;
              }
              return method.invoke(node, arguments);
            });
  }

  @Test
  void shouldGiveBackALateAnswerWithNothingOfTheThreadThatHappensToTakeIt() {
    Node receiver = pair.node(2);
    receiver.handle(
        Open.class, Dispatch.INLINE, (_, exchange) -> exchange.reply(new Opened(0, 1 << 20)));
    receiver.handle(
        HeapRequest.class, Dispatch.BLOCKING, (_, exchange) -> exchange.reply(announced()));
    receiver.handle(Truncate.class, Dispatch.INLINE, (_, _) -> {});
    CompletableFuture<Object> answer = new CompletableFuture<>();
    AtomicBoolean isAsked = new AtomicBoolean();
    Node node = noting(pair.node(1), answer, isAsked);
    HeapCodec codec = HeapCodec.builder().build();
    HeapChannels channels =
        pair.owns(HeapChannels.of(node, codec, ChannelOptions.DEFAULT, pair.left));

    channels.to(2).writeObject(new byte[SEGMENT / 4 * 3]);
    channels.to(2).writeObject("asks ahead, as more than half is written");
    assertThat(isAsked).isTrue();
    try {
      becomeSomebody();
      boolean _ = answer.complete(new Announced(true, List.of(new Offer(2, SEGMENT, new byte[0]))));
    } finally {
      becomeNobody();
    }

    await("what was given back", () -> !seen.isEmpty());
    assertThat(seen).containsExactly("null");
  }
}
