package org.ringwire.infiniband.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.link.Transfer;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/** What is left of a transport that cannot be opened. */
@Tag("rdma")
@ExtendWith(NodeWatcher.class)
class OpeningTest {

  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  @AfterEach
  void restore() {
    System.clearProperty("ringwire.ib.engine");
  }

  /** However many descriptors there are, too few of them cost none. */
  @ParameterizedTest
  @ValueSource(strings = {"msgrc", "msgud"})
  void shouldLeaveNothingOpenWhenThereAreTooFewDescriptors(String engine) throws Exception {
    System.setProperty("ringwire.ib.engine", engine);
    open().close(); // all that is loaded once
    try (DescriptorBound bound = new DescriptorBound()) {
      boolean opened = false;
      int failures = 0;
      for (int spare = 0; !opened; spare++) {
        int before = descriptors().size();
        bound.set(limit(spare));
        Transport transport = openIfPossible();
        bound.lift();
        if (transport != null) {
          opened = true;
          transport.close();
        } else {
          failures++;
        }
        Awaiting.await("closed, spare=" + spare, () -> descriptors().size() <= before);
      }
      assertThat(failures).isGreaterThan(3);
    }
  }

  private static @Nullable Transport openIfPossible() {
    try {
      return open();
    } catch (RuntimeException e) {
      return null;
    }
  }

  private static Transport open() {
    return new InfinibandTransportProvider()
        .open(
            new TransportConfig(
                1, 1, IdleStrategy.adaptive(), Transfer.RING, Duration.ofSeconds(30)));
  }

  /** Below which so many numbers are free. */
  private static int limit(int spare) {
    SortedSet<Integer> used = descriptors();
    int free = 0;
    int limit = 0;
    while (free < spare || used.contains(limit)) {
      free += used.contains(limit) ? 0 : 1;
      limit++;
    }
    return limit;
  }

  private static SortedSet<Integer> descriptors() {
    SortedSet<Integer> found = new TreeSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path entry : entries) {
        if (Files.isSymbolicLink(entry)) { // not that of the stream itself, when it is closed
          found.add(Integer.valueOf(String.valueOf(entry.getFileName())));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }
}
