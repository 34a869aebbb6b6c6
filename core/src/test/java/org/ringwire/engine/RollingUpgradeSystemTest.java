package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.ConnectionLostException;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeClosedException;
import org.ringwire.NodeUnreachableException;
import org.ringwire.RemoteHandlerException;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.Sources;

/**
 * Three nodes send requests to each other all the time, while one after the other is replaced by
 * one with another version of the messages, each version in a class loader of its own.
 */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("constant that is not known here")
class RollingUpgradeSystemTest {

  private static final String OLD =
      """
      package v;
      import java.util.*;
      import org.ringwire.codec.*;
      public interface Types {
        enum State { NEW, PAID }
        record Item(String name, int count) {}
        sealed interface Way permits Post, Pickup {}
        record Post(String street) implements Way {}
        record Pickup() implements Way {}
        record Ask(long number, int amount, State state, List<Item> items, Way way) {}
        record Answer(long number, long total) {}
      }
      """;

  private static final String NEW =
      """
      package v;
      import java.util.*;
      import org.ringwire.codec.*;
      public interface Types {
        enum State { CANCELLED, NEW, PAID }
        record Item(@Default("1.5") double price, int count, String name) {}
        sealed interface Way permits Drone, Pickup, Post {}
        record Post(String street, Optional<String> city) implements Way {}
        record Drone(long height) implements Way {}
        record Pickup() implements Way {}
        record Ask(Optional<Map<String, Item>> extra, long number, State state, int amount,
            @Default("") List<String> tags, List<Item> items, Way way) {}
        record Answer(long total, long number, String text) {}
      }
      """;

  /** The messages of one version. */
  private static final class Version {
    private final ClassLoader loader;
    final boolean isNew;

    Version(String source, boolean isNew) {
      loader = Sources.compile("v.Types", source);
      this.isNew = isNew;
    }

    @SuppressWarnings("unchecked")
    Class<Object> type(String name) {
      try {
        return (Class<Object>) Class.forName("v.Types$" + name, true, loader);
      } catch (ClassNotFoundException e) {
        throw new AssertionError(e);
      }
    }

    Object make(String name, @Nullable Object... values) {
      try {
        Constructor<?> constructor = type(name).getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        return constructor.newInstance(values);
      } catch (InstantiationException | IllegalAccessException | InvocationTargetException e) {
        throw new LinkageError(name, e);
      }
    }

    Object state(String name) {
      return Arrays.stream(type("State").getEnumConstants())
          .filter(state -> state.toString().equals(name))
          .findFirst()
          .orElseThrow();
    }

    Object ask(long number, String state) {
      if (isNew) {
        Object item = make("Item", 2.5, 3, "pen");
        return make(
            "Ask",
            Optional.of(Map.of("key", item)),
            number,
            state(state),
            7,
            List.of("tag"),
            List.of(item),
            make("Post", "Main Street", Optional.of("Springfield")));
      }
      Object item = make("Item", "pen", 3);
      return make("Ask", number, 7, state(state), List.of(item), make("Post", "Main Street"));
    }

    Object answer(long number, long total) {
      return isNew ? make("Answer", total, number, "text") : make("Answer", number, total);
    }

    static Object get(Object message, String component) {
      try {
        var accessor = message.getClass().getDeclaredMethod(component);
        accessor.setAccessible(true);
        return accessor.invoke(message);
      } catch (ReflectiveOperationException e) {
        throw new LinkageError(component, e);
      }
    }
  }

  private final Version old = new Version(OLD, false);
  private final Version next = new Version(NEW, true);
  private final Map<Integer, Member> members = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> answered = new ConcurrentHashMap<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  /** A node of one version, with a thread that sends requests to the others. */
  private final class Member {
    final Version version;
    final Node node;
    final Thread thread = new Thread(this::exchange);
    volatile boolean stop;

    Member(TestNodes nodes, int id, Version version) {
      this.version = version;
      MessageCatalog catalog = new MessageCatalog();
      catalog.typeOf(version.type("Answer"));
      node = nodes.open(id, settings -> settings.catalog(catalog));
      node.handle(
          version.type("Ask"),
          (ask, exchange) -> {
            long number = (long) Version.get(ask, "number");
            Object item = ((List<?>) Version.get(ask, "items")).getFirst();
            int count = (int) Version.get(item, "count");
            String street = (String) Version.get(Version.get(ask, "way"), "street");
            long total = (long) (int) Version.get(ask, "amount") * count + street.length();
            exchange.reply(version.answer(number, total));
          });
    }

    void exchange() {
      for (long number = 0; !stop; number++) {
        for (int peer = 1; peer <= 3; peer++) {
          Member other = members.get(peer);
          if (other != null && other != this) {
            ask(peer, other, number);
          }
        }
      }
    }

    private void ask(int peer, Member other, long number) {
      try {
        Object answer =
            node.request(peer, version.ask(number, "PAID"), version.type("Answer"), PATIENCE);
        assertThat(Version.get(answer, "number")).isEqualTo(number);
        assertThat(Version.get(answer, "total")).isEqualTo(7L * 3 + "Main Street".length());
        String pair = version.isNew + " asks " + other.version.isNew;
        answered.computeIfAbsent(pair, key -> new AtomicLong()).incrementAndGet();
      } catch (ConnectionLostException | NodeUnreachableException | NodeClosedException e) {
        if (String.valueOf(e.getMessage()).contains("schema")) {
          failures.add(e);
        } // else it is being replaced, or was when this node last tried to connect
      } catch (MessagingException | AssertionError e) {
        failures.add(e);
      }
    }

    void close() throws InterruptedException {
      stop = true;
      thread.join(PATIENCE);
      node.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "loopback"})
  void shouldReplaceNodeAfterNodeUnderTraffic(String transport) throws InterruptedException {
    try (TestNodes nodes = new TestNodes(transport)) {
      for (int id = 1; id <= 3; id++) {
        members.put(id, new Member(nodes, id, old));
      }
      members.values().forEach(member -> member.thread.start());
      try {
        awaitTraffic("false asks false");
        for (int id = 1; id <= 3; id++) {
          replace(nodes, id, next);
          if (id < 3) {
            awaitTraffic("false asks true", "true asks false");
          }
        }
        awaitTraffic("true asks true");
        replace(nodes, 2, old); // a step back is a step like any other
        awaitTraffic("false asks true", "true asks false");
      } finally {
        for (Member member : members.values()) {
          member.close();
        }
      }
      assertThat(failures).isEmpty();
    }
  }

  private void replace(TestNodes nodes, int id, Version version) throws InterruptedException {
    Member leaving = members.remove(id);
    if (leaving != null) {
      leaving.close();
    }
    Member coming = new Member(nodes, id, version);
    members.put(id, coming);
    coming.thread.start();
  }

  private void awaitTraffic(String... pairs) {
    for (String pair : pairs) {
      long before = answered.computeIfAbsent(pair, key -> new AtomicLong()).get();
      await(pair, () -> answered.get(pair).get() > before + 200 || !failures.isEmpty());
    }
    assertThat(failures).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "loopback"})
  void shouldLoseOnlyTheMessageWithAConstantThatIsNotKnown(String transport) {
    try (TestNodes nodes = new TestNodes(transport)) {
      Member one = new Member(nodes, 1, next);
      Member two = new Member(nodes, 2, old);
      assertThat(
              catchThrowable(() ->
                  one.node.request(2, next.ask(1, "CANCELLED"), next.type("Answer"), PATIENCE)))
          .isInstanceOf(RemoteHandlerException.class)
          .hasMessageContaining("constant=CANCELLED");
      Object answer = one.node.request(2, next.ask(2, "NEW"), next.type("Answer"), PATIENCE);
      assertThat(Version.get(answer, "number")).isEqualTo(2L);
      assertThat(two.node.metrics().framesRejected()).isZero();
      assertThat(two.node.metrics().handlerFailures()).isEqualTo(1);
      assertThat(one.node.metrics().connectionsLost()).isZero();
    }
  }
}
