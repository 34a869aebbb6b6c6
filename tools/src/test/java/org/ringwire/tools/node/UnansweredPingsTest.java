package org.ringwire.tools.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ringwire.Exchange;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.tools.CommandRun;
import org.ringwire.tools.Schemas;

/** Pings of a node that is there, and answers none of them. */
final class UnansweredPingsTest {

  private Node node;

  @BeforeEach
  void openNode() {
    NodeConfig config =
        NodeConfig.builder(7)
            .cluster("test")
            .listen("127.0.0.1:0")
            .lookup(MethodHandles.lookup())
            .build();
    node = Node.open(config, it -> it.handle(Echo.class, UnansweredPingsTest::answerIntroduction));
  }

  private static void answerIntroduction(Echo echo, Exchange exchange) {
    if (echo.id() == Echo.INTRODUCTION) {
      exchange.reply(echo);
    } else {
      exchange.fail("out of order");
    }
  }

  @AfterEach
  void closeNode() {
    node.close();
  }

  @Test
  void shouldBeALineOfJsonForScriptsToo() {
    CommandRun ping = ping("--json");

    assertThat(ping.status()).isEqualTo(2);
    assertThat(ping.err()).contains("ping 1 to node 7: ", "no answer from ", "out of order");
    assertThat(ping.out().strip()).isEqualTo("{\"sent\":2,\"received\":0,\"rttMicros\":null}");
    assertThat(Schemas.problems("ping", ping.out())).isEmpty();
  }

  @Test
  void shouldBeCountedForPeople() {
    CommandRun ping = ping();

    assertThat(ping.status()).isEqualTo(2);
    assertThat(ping.out()).endsWith("2 sent, 0 received" + System.lineSeparator());
    assertThat(ping.err()).contains("no answer from ", "out of order").hasLineCount(1);
  }

  private CommandRun ping(String... options) {
    String[] words = {
      "ping", node.address(), "--cluster", "test", "--count", "2", "--interval", "0"
    };
    String[] all = new String[words.length + options.length];
    System.arraycopy(words, 0, all, 0, words.length);
    System.arraycopy(options, 0, all, words.length, options.length);
    return CommandRun.of(all);
  }
}
