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
import org.ringwire.tools.CommandException;

final class PeersFileTest {

  @TempDir private Path folder;

  @Test
  void shouldReadAddresses() throws IOException {
    Path file = write("{\"2\": \"127.0.0.1:7402\", \"65535\": \"[::1]:7403\"}");

    assertThat(PeersFile.read(file)).isEqualTo(Map.of(2, "127.0.0.1:7402", 65535, "[::1]:7403"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '|',
      value = {
        "|[]|, must be an object",
        "|{\"two\": \"a:1\"}|, 'two' is not a node id",
        "|{\"65536\": \"a:1\"}|, '65536' is not a node id",
        "|{\"-1\": \"a:1\"}|, '-1' is not a node id",
        "|{\"2\": 7402}|, the address of node 2 must be text",
        "|{\"2\": \" \"}|, the address of node 2 must be text",
        "|{\"2\": |, is not JSON",
        "||, must be an object"
      })
  void shouldSayWhatIsWrongWithAFile(String content, String problem) throws IOException {
    Path file = write(content);

    assertThatThrownBy(() -> PeersFile.read(file))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(problem)
        .hasMessageContaining(file.toString());
  }

  @Test
  void shouldSayThatAFileIsMissing() {
    Path file = folder.resolve("absent.json");

    assertThatThrownBy(() -> PeersFile.read(file))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("there is no file " + file);
  }

  private Path write(String content) throws IOException {
    return Files.writeString(folder.resolve("peers.json"), content);
  }
}
