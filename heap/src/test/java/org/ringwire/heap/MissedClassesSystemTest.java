package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Iterator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.EncodingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.WaitInterruptedException;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.Samples.Circle;
import org.ringwire.heap.Samples.Square;
import org.ringwire.testing.NodeWatcher;

/** Graphs that have arrived, of classes that were declared in graphs that have not. */
@ExtendWith(NodeWatcher.class)
class MissedClassesSystemTest {
  private static final ChannelOptions OPTIONS =
      ChannelOptions.DEFAULT.withBlockBytes(4096).withTimeout(Duration.ofSeconds(60));

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final End one = new End(1, HeapCodec.builder().acceptPackage("org.ringwire.heap"));
  private final End two = new End(2, HeapCodec.builder().accept(Circle.class, Square.class));

  /** A node with its channels. */
  private final class End implements AutoCloseable {
    private final Node node;
    private final HeapChannels channels;

    End(int id, HeapCodec.Builder codec) {
      String address = "missed-" + id + "-" + System.identityHashCode(directory);
      directory.put(id, address);
      node =
          Node.open(
              NodeConfig.builder(id)
                  .transport("loopback")
                  .listen(address)
                  .peers(directory)
                  .build());
      channels = HeapChannels.of(node, codec.build(), OPTIONS);
    }

    @Override
    public void close() {
      channels.close();
      node.close();
    }
  }

  private final HeapChannel writing = one.channels.to(2);
  private final HeapChannel reading = two.channels.to(1);

  @AfterEach
  void close() {
    one.close();
    two.close();
  }

  @Test
  void shouldDeclareAgainWhatWasDeclaredInAGraphThatDidNotLeave() {
    Object[] bad = {new Circle(1), Thread.currentThread()};
    assertThatThrownBy(() -> writing.writeObject(bad)).isInstanceOf(EncodingException.class);

    writing.writeObject(new Circle(2));
    one.close();

    assertThat(((Circle) reading.readObject()).radius()).isEqualTo(2);
  }

  @Test
  void shouldDeclareAgainWhatWasDeclaredInTheRestOfAGraphThatWasGivenUp() {
    assertThatThrownBy(() -> writing.writeIterable(MissedClassesSystemTest::endingBadly))
        .isInstanceOf(EncodingException.class);

    writing.writeObject(new Object[] {new Circle(2), new Square(3, null)});
    assertThatThrownBy(reading::readObject).isInstanceOf(GraphLostException.class);
    one.close();

    Object[] next = (Object[]) reading.readObject();
    assertThat(((Circle) next[0]).radius()).isEqualTo(2);
    assertThat(((Square) next[1]).side()).isEqualTo(3);
  }

  /** A class in the first block, another one just before the end. */
  private static Iterator<Object> endingBadly() {
    return Stream.concat(
            Stream.generate(() -> (Object) new Circle(1)).limit(10_000),
            Stream.of(new Square(1, null), Thread.currentThread()))
        .iterator();
  }

  @Test
  void shouldReadWhatHasArrivedThoughItsSenderBeganAnew() {
    writing.writeObject(new Object[] {new Samples.Wide(), new Circle(1)});
    writing.writeObject(new Circle(2));
    beginAnew();
    writing.writeObject(new Circle(3));

    assertThatThrownBy(reading::readObject).isInstanceOf(DecodingException.class);
    assertThat(((Circle) reading.readObject()).radius()).isEqualTo(2);
    assertThatThrownBy(reading::readObject).isInstanceOf(GraphLostException.class);
    assertThat(((Circle) reading.readObject()).radius()).isEqualTo(3);
  }

  /** A writer that is interrupted, at the latest when the window is full, loses its stream. */
  private void beginAnew() {
    Iterable<byte[]> endless =
        () ->
            Stream.generate(
                    () -> {
                      Thread.currentThread().interrupt();
                      return new byte[1000];
                    })
                .iterator();
    try {
      assertThatThrownBy(() -> writing.writeIterable(endless))
          .isInstanceOf(WaitInterruptedException.class);
    } finally {
      boolean _ = Thread.interrupted();
    }
  }

  @Test
  void shouldSayThatAGraphIsLostWhoseClassesNobodyKnowsAnyMore() {
    writing.writeObject(new Object[] {new Samples.Wide(), new Circle(1)});
    writing.writeObject(new Circle(2));
    writing.writeObject("the next");
    one.close();

    assertThatThrownBy(reading::readObject).isInstanceOf(DecodingException.class);
    assertThatThrownBy(reading::readObject)
        .isInstanceOf(GraphLostException.class)
        .hasMessageContaining("nodeId=1")
        .hasMessageContaining("a class");
    assertThat(reading.readObject()).isEqualTo("the next");
  }
}
