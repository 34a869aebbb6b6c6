package org.ringwire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.TestCertificates;

/** What passes on the wire: TLS records, counted by a relay between the nodes. */
@ExtendWith(NodeWatcher.class)
class TlsRecordsTest {

  private static final int MESSAGES = 4_000;
  private static final int LENGTH = 1000;

  record Block(String text) {}

  @TempDir private Path folder;
  private final TestCertificates authority = new TestCertificates("authority");
  private final TestNodes nodes = new TestNodes("tcp");

  @AfterEach
  void close() {
    nodes.close();
  }

  private Node open(int id) {
    return nodes.open(id, settings -> settings.tls(authority.tls(folder, "default", id)));
  }

  /** Each credit is for a part of the window, not for a message, so few records carry it. */
  @Test
  void shouldReturnCreditInFewRecords() throws IOException {
    Node sender = open(1);
    Node receiver = open(2);
    AtomicInteger handled = new AtomicInteger();
    receiver.handle(Block.class, Dispatch.INLINE, (block, exchange) -> handled.incrementAndGet());
    try (RecordRelay relay = RecordRelay.to(String.valueOf(receiver.address()))) {
      nodes.directory().put(2, relay.address());
      Block block = new Block("x".repeat(LENGTH));
      for (int i = 0; i < MESSAGES; i++) {
        sender.send(2, block);
      }
      await("all are handled", () -> handled.get() == MESSAGES);

      List<RecordRelay.Count> links = relay.counts();
      assertThat(links).hasSize(1);
      RecordRelay.Count there = links.getFirst();
      assertThat(there.bytesThere()).isGreaterThan((long) MESSAGES * LENGTH);
      assertThat(there.recordsThere()).isLessThan(MESSAGES);
      assertThat(there.recordsBack()).isBetween(2L, MESSAGES / 20L);
    }
  }
}
