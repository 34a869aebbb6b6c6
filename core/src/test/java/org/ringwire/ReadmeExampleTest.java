package org.ringwire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** The program of the README, which must compile, run, and be the one that the README shows. */
@ExtendWith(NodeWatcher.class)
class ReadmeExampleTest {

  private final System.Logger log = System.getLogger("example");

  record Ping(long id, String text) {}

  record Pong(long id) {}

  record Event(String text) {}

  @Test
  void shouldRunTheProgramOfTheReadme() {
    // README
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node one = Node.open(config(1, directory));
        Node two = Node.open(config(2, directory))) {
      directory.put(1, one.address()).put(2, two.address());
      two.handle(Ping.class, (ping, exchange) -> exchange.reply(new Pong(ping.id())));
      two.handle(Event.class, (event, exchange) -> log.log(Level.INFO, event.text()));

      one.send(2, new Event("no answer needed"));
      Pong pong = one.request(2, new Ping(8, "hi"), Pong.class, Duration.ofSeconds(5));
      log.log(Level.INFO, "answered: " + pong.id());
      // README
      assertThat(pong.id()).isEqualTo(8);
    }
  }

  // README
  static NodeConfig config(int id, NodeDirectory directory) {
    return NodeConfig.builder(id).listen("127.0.0.1:0").peers(directory).build();
  }

  // README

  @Test
  void shouldBeWhatTheReadmeShows() throws IOException {
    String source = Files.readString(Path.of("src/test/java/org/ringwire/ReadmeExampleTest.java"));
    String readme = Files.readString(Path.of("../README.md"));
    String[] parts = source.split(" *// README\n", -1);
    assertThat(squeeze(readme)).contains(squeeze(parts[1]), squeeze(parts[3]));
  }

  private static String squeeze(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }
}
