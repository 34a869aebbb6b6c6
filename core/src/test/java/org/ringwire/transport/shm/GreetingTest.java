package org.ringwire.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** What two processes say first: whether they share the layout of what they are going to map. */
@ExtendWith(NodeWatcher.class)
class GreetingTest {

  private static final String PATH = "00000007" + "2f746d702f7a7a"; // length, and /tmp/zz

  private static Path heard(String version) throws IOException {
    Greeting greeting = new Greeting();
    byte[] bytes = HexFormat.of().parseHex(version + PATH);
    for (byte next : bytes) { // in pieces, as sockets may bring it
      greeting.file();
      greeting.rest().put(next);
    }
    return greeting.file();
  }

  @Test
  void shouldKnowThePeerOfTheSameVersion() throws IOException {
    assertThat(heard("525753484d000002")).isEqualTo(Path.of("/tmp/zz"));
    assertThat(Greeting.of(Path.of("/tmp/zz")))
        .isEqualTo(ByteBuffer.wrap(HexFormat.of().parseHex("525753484d000002" + PATH)));
  }

  /** Version 1 had the word for sleep elsewhere: its process would never be woken. */
  @Test
  void shouldRefuseAnotherLayout() {
    assertThatThrownBy(() -> heard("525753484d000001"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("this version");
  }
}
