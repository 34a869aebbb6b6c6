package org.ringwire.transport.selector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** What tells that there are no file descriptors, in any language. */
@ExtendWith(NodeWatcher.class)
class DescriptorTextsTest {

  private static final String NONE_LEFT = "Zu viele offene Dateien";

  @Test
  void shouldTellWantOfDescriptorsByWhatTheSystemSaysToWhoAsksForSome() {
    for (IOException failure :
        new IOException[] {new IOException(NONE_LEFT), new SocketException(NONE_LEFT)}) {
      assertThat(DescriptorLimit.explain(failure, () -> NONE_LEFT))
          .startsWith(NONE_LEFT + " (no file descriptor is left: ")
          .contains("ulimit -n");
      assertThat(DescriptorLimit.explain(failure, () -> null)).isEqualTo(NONE_LEFT);
      assertThat(DescriptorLimit.explain(failure, () -> "other")).isEqualTo(NONE_LEFT);
    }
  }

  @Test
  void shouldCompareWhatTheSystemSaysOfAFileWithoutItsName() {
    IOException failure = new FileSystemException("/dev/shm/ring", null, NONE_LEFT);
    assertThat(DescriptorLimit.explain(failure, () -> NONE_LEFT))
        .startsWith("/dev/shm/ring: " + NONE_LEFT + " (no file descriptor is left: ");
    assertThat(DescriptorLimit.explain(failure, () -> "other"))
        .isEqualTo("/dev/shm/ring: " + NONE_LEFT);
  }

  @Test
  void shouldNotAskForDescriptorsWhereTheFailureHasAClassOfItsOwn() {
    assertThat(
            DescriptorLimit.explain(
                new ConnectException("abgelehnt"),
                () -> {
                  throw new AssertionError("asked");
                }))
        .isEqualTo("abgelehnt");
  }
}
