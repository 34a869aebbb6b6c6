package org.ringwire.tools.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringwire.discovery.FileDirectory;
import org.ringwire.tools.console.CommandException;

final class PeersFileTest {

  @TempDir private Path folder;

  @Test
  void shouldReadAddresses() throws IOException {
    Path file = write("{\"2\": \"127.0.0.1:7402\", \"65535\": \"[::1]:7403\"}");

    try (FileDirectory directory = PeersFile.watch(file)) {
      assertThat(directory.addresses()).isEqualTo(Map.of(2, "127.0.0.1:7402", 65535, "[::1]:7403"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '|',
      value = {
        "|[]|, |line 1, column 1: an object is expected|",
        "|{\"two\": \"a:1\"}|, |line 1, column 2: a node id is 0 to 65535|",
        "|{\"65536\": \"a:1\"}|, a node id is 0 to 65535",
        "|{\"2\": 7402}|, an address in quotes is expected",
        "|{\"2\": \" \"}|, the address of node 2 is empty",
        "|{\"2\": |, an address in quotes is expected",
        "||, an object is expected"
      })
  void shouldSayWhatIsWrongWithAFile(String content, String problem) throws IOException {
    Path file = write(content);

    assertThatThrownBy(() -> PeersFile.watch(file))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(problem)
        .hasMessageContaining(file.toString());
  }

  @Test
  void shouldSayThatAFileIsMissing() {
    Path file = folder.resolve("absent.json");

    assertThatThrownBy(() -> PeersFile.watch(file))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("there is no file " + file);
  }

  private Path write(String content) throws IOException {
    return Files.writeString(folder.resolve("peers.json"), content);
  }
}
