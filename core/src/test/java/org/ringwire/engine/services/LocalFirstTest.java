package org.ringwire.engine.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.LocalTransport;
import org.ringwire.transport.Transport;

/** Two transports end as one. */
@ExtendWith(NodeWatcher.class)
class LocalFirstTest {

  private final List<String> calls = new ArrayList<>();
  private String failing = "none";

  private <T> T transport(Class<T> type, String name) {
    Object made =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, _) -> {
              String call = name + "." + method.getName();
              calls.add(call);
              if (call.equals(failing)) {
                throw new IllegalStateException(call);
              }
              return null;
            });
    return type.cast(made);
  }

  private Transport both() {
    Transport main = transport(Transport.class, "main");
    LocalTransport local = transport(LocalTransport.class, "local");
    return new LocalFirst(main, "tcp", local, "shm");
  }

  /** A thread that does not end would otherwise be waited for twice. */
  @Test
  void shouldBeginToCloseOneBeforeItWaitsForTheOther() {
    both().close();
    assertThat(calls).containsExactly("local.beginClose", "main.close", "local.close");
  }

  @ParameterizedTest
  @ValueSource(strings = {"local.beginClose", "local.close", "main.close"})
  void shouldCloseBothWhateverFails(String call) {
    failing = call;
    assertThatThrownBy(() -> both().close()).hasMessage(call);
    assertThat(calls).contains("main.close", "local.close");
  }
}
