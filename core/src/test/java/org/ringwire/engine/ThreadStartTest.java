package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.engine.TestNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeListener;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
@ExpectedErrors("on purpose")
class ThreadStartTest {

  record Ask(long number) {}

  record Tell(long number) {}

  /** Hears of each thread on that thread, and fails then. */
  private static final class Witness implements NodeListener {
    final Set<Thread> started = ConcurrentHashMap.newKeySet();
    final Set<Thread> elsewhere = ConcurrentHashMap.newKeySet();
    final Set<Thread> twice = ConcurrentHashMap.newKeySet();

    @Override
    public void threadStarted(Thread thread) {
      if (!Thread.currentThread().equals(thread)) {
        elsewhere.add(thread);
      }
      if (!started.add(thread)) {
        twice.add(thread);
      }
      throw new IllegalStateException("on purpose");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "shm", "loopback"})
  void shouldTellOfEachThreadOnItself(String transport) {
    Witness witness = new Witness();
    try (TestNodes nodes = new TestNodes(transport)) {
      Node one = nodes.open(731, config -> config.listener(witness));
      Node two = nodes.open(732, config -> config.listener(witness));
      two.handle(Ask.class, Dispatch.POOLED, (ask, exchange) -> exchange.reply(ask));

      assertThat(one.request(732, new Ask(5), Ask.class, PATIENCE).number()).isEqualTo(5);

      await("all threads", () -> witness.started.containsAll(threads()));
      assertThat(names(threads()))
          .contains("ringwire-731-flusher", "ringwire-731-timer")
          .anyMatch(name -> name.startsWith("ringwire-732-handler-"))
          .anyMatch(
              name -> name.matches("ringwire-731-(shm-)?io-0") || name.endsWith("-731-loopback"));
      assertThat(names(witness.elsewhere)).isEmpty();
      assertThat(names(witness.twice)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "shm", "loopback"})
  void shouldRunHandlersWithTheContextClassLoaderOfWhoOpenedTheNode(String transport) {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    ClassLoader application = new ClassLoader(before) {};
    Map<Dispatch, ClassLoader> found = new ConcurrentHashMap<>();
    try (TestNodes nodes = new TestNodes(transport)) {
      Thread.currentThread().setContextClassLoader(application);
      Node one = nodes.open(731);
      Node two = nodes.open(732);
      Thread.currentThread().setContextClassLoader(before);
      two.handle(Ask.class, Dispatch.POOLED, (_, _) -> note(found, Dispatch.POOLED));
      two.handle(Tell.class, Dispatch.BLOCKING, (_, _) -> note(found, Dispatch.BLOCKING));

      one.send(732, new Ask(6));
      one.send(732, new Tell(7));

      await("both handlers", () -> found.size() == 2);
      assertThat(found.values()).containsOnly(application);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  /**
   * What a thread has for those that it starts, such as who its user is, is not for messages of
   * others, which it may happen to read while it waits for an answer.
   */
  @ParameterizedTest
  @ValueSource(strings = {"tcp", "shm", "loopback"})
  void shouldInheritNothingOfTheThreadsThatUseTheNode(String transport) {
    InheritableThreadLocal<String> user = new InheritableThreadLocal<>();
    Map<String, String> seen = new ConcurrentHashMap<>();
    Set<Dispatch.Mode> handled = ConcurrentHashMap.newKeySet();
    NodeListener listener =
        new NodeListener() {
          @Override
          public void threadStarted(Thread thread) {
            noteUser();
          }

          @Override
          public void connected(int nodeId) {
            noteUser();
          }

          private void noteUser() {
            if (user.get() != null) {
              seen.put(Thread.currentThread().toString(), user.get());
            }
          }
        };
    try (TestNodes nodes = new TestNodes(transport)) {
      user.set("somebody");
      Node one = nodes.open(731, config -> config.listener(listener));
      Node two = nodes.open(732, config -> config.listener(listener));
      for (Dispatch.Mode mode : Set.of(Dispatch.Mode.POOLED, Dispatch.Mode.BLOCKING)) {
        Class<?> type = mode == Dispatch.Mode.POOLED ? Ask.class : Tell.class;
        two.handle(
            type,
            new Dispatch(mode, false),
            (_, _) -> {
              if (user.get() != null) {
                seen.put(Thread.currentThread().toString(), user.get());
              }
              handled.add(mode);
            });
      }
      one.send(732, new Ask(6));
      one.send(732, new Tell(7));

      await("both handlers", () -> handled.size() == 2);
      assertThat(seen).isEmpty();
    } finally {
      user.remove();
    }
  }

  private static void note(Map<Dispatch, ClassLoader> found, Dispatch dispatch) {
    found.put(dispatch, Thread.currentThread().getContextClassLoader());
  }

  /** Those of the two nodes that run now. */
  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("ringwire-73[12]-.*"))
        .collect(Collectors.toSet());
  }

  private static Set<String> names(Set<Thread> threads) {
    return threads.stream().map(Thread::getName).collect(Collectors.toSet());
  }
}
