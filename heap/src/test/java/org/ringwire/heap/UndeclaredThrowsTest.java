package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.MessagingException;
import org.ringwire.codec.DecodingException;
import org.ringwire.testing.NodeWatcher;

/** Methods of applications that throw checked exceptions without declaring them. */
@ExtendWith(NodeWatcher.class)
class UndeclaredThrowsTest {

  private final TestChannels channels = new TestChannels();

  @AfterEach
  void close() {
    channels.close();
  }

  /** Throws what the compiler would not let it throw, as other languages do. */
  @SuppressWarnings("unchecked") // nothing is cast, which is the point
  private static <T extends Throwable> RuntimeException undeclared(Throwable thrown) throws T {
    throw (T) thrown;
  }

  /** Set while graphs are made and encoded. */
  static final ThreadLocal<Boolean> IS_QUIET = ThreadLocal.withInitial(() -> true);

  private static void fail() {
    if (!IS_QUIET.get()) {
      throw undeclared(new IOException("on purpose"));
    }
  }

  record Hashed(int number, @Nullable Object open) implements Comparable<Hashed> {
    @Override
    public int hashCode() {
      fail();
      return number;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int compareTo(Hashed other) {
      fail();
      return Integer.compare(number, other.number);
    }
  }

  static final class Picky implements Validated {
    int number = 1;

    @Override
    public void validate() {
      fail();
    }
  }

  static List<Object> graphs() {
    return List.of(
        new HashSet<>(Set.of(new Hashed(1, null))),
        new HashMap<>(Map.of(new Hashed(1, "open"), 1)),
        new TreeMap<>(Map.of(new Hashed(1, null), 1, new Hashed(2, List.of()), 2)),
        new Picky());
  }

  private static void assertRefused(HeapCodec codec, Object graph) {
    byte[] image = codec.encode(graph);
    IS_QUIET.set(false);
    try {
      assertThatThrownBy(() -> codec.decode(image))
          .isInstanceOf(DecodingException.class)
          .hasCauseInstanceOf(IOException.class)
          .hasMessageContaining("on purpose");
    } finally {
      IS_QUIET.set(true);
    }
    assertThat(codec.decode(codec.encode("still works"))).isEqualTo("still works");
  }

  @ParameterizedTest
  @MethodSource("graphs")
  void shouldRefuseAGraphWhoseObjectsThrow(Object graph) {
    assertRefused(HeapCodecTest.CODEC, graph);
    Object tangled = new Object[] {graph, new Object[] {graph}};
    assertRefused(HeapCodecTest.CODEC, tangled);
  }

  @Test
  void shouldRefuseAGraphWhoseValidatorThrowsAndKeepItsInterrupt() {
    HeapCodec codec =
        HeapCodec.builder()
            .validator(graph -> {
              if (graph instanceof Integer) {
                fail();
              } else if (graph instanceof Long) {
                throw undeclared(new InterruptedException("on purpose"));
              }
            })
            .build();

    assertRefused(codec, 1);
    assertThatThrownBy(() -> codec.decode(codec.encode(2L)))
        .isInstanceOf(DecodingException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  /** As that of an application that its server has stopped. */
  private static final class Stopped extends ClassLoader {
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      fail();
      return super.loadClass(name, resolve);
    }
  }

  @Test
  void shouldRefuseAClassOfWhichWhoIsAskedThrows() {
    HeapCodec asks =
        HeapCodec.builder()
            .acceptNames(name -> {
              fail();
              return true;
            })
            .build();
    HeapCodec loads = HeapCodec.builder().acceptNames(_ -> true).classLoader(new Stopped()).build();

    assertRefused(asks, new Picky());
    assertRefused(asks, Picky.class);
    assertRefused(loads, new Picky());
    assertRefused(loads, TimeUnit.class);
  }

  /** Throws when some of what it had has left. */
  private static final class Throwing implements Iterator<String> {
    private int count;

    @Override
    public boolean hasNext() {
      return true;
    }

    @Override
    public String next() {
      if (count++ == 2) {
        throw undeclared(new IOException("on purpose"));
      }
      return "x".repeat(4000);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldGiveUpAGraphWhoseSourceThrows(boolean isCarried) {
    HeapChannel one = channels.open(1, isCarried ? channels.left : null).to(2);
    HeapChannel two = channels.open(2, isCarried ? channels.right : null).to(1);
    Iterable<String> source = Throwing::new;
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> one.writeIterable(source)).isInstanceOf(IOException.class);
      one.writeObject("next");

      assertThatThrownBy(two::readObject)
          .isInstanceOf(GraphLostException.class)
          .hasMessageContainingAll("gave it up", "on purpose");
      assertThat(two.readObject()).isEqualTo("next");
    }
  }

  /** Has memory for some, and then throws what it does not declare. */
  private static BlockCarrier unreliable(MemoryCarrier carrier, boolean[] fails) {
    return new BlockCarrier() {
      @Override
      public String kind() {
        return carrier.kind();
      }

      @Override
      public Announcement announce(java.lang.foreign.MemorySegment memory, Listener listener) {
        if (fails[0]) {
          throw undeclared(new IOException("on purpose"));
        }
        return carrier.announce(memory, listener);
      }

      @Override
      public Target open(int nodeId, byte[] descriptor) {
        return carrier.open(nodeId, descriptor);
      }
    };
  }

  @Test
  void shouldTellWhoAsksForMemoryWhateverACarrierThrows() {
    boolean[] fails = {true};
    HeapChannel one = channels.open(1, channels.left).to(2);
    HeapChannel two = channels.open(2, unreliable(channels.right, fails)).to(1);

    for (int i = 0; i < 30; i++) { // more often than the window has segments
      assertThatThrownBy(() -> one.writeObject("text"))
          .isInstanceOf(MessagingException.class)
          .hasMessageContaining("on purpose");
    }
    fails[0] = false;
    one.writeObject("text");

    assertThat(two.readObject()).isEqualTo("text");
  }
}
