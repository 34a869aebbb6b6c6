package org.ringwire.tools.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.await;

import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.tools.console.Problem;

/** Two nodes of a soak in this process: what one sender does wrong is all that the ledger tells. */
@ExpectedErrors("memory access operation") // where a test has taken the ledger away
final class SoakNodeTest {

  private static final long SOME = 500;
  private static final long PATIENCE_NS = 60_000_000_000L;
  private static final long POLL_NS = 5_000_000;

  @TempDir private Path folder;

  private final Queue<Throwable> ledgerLost = new ConcurrentLinkedQueue<>();

  private SoakNode open(int id) {
    String secret = "of two nodes in one process";
    return new SoakNode(
        new SoakSpec(id, 0, 2, 2, 1, 1000, 1 << 20, 1, folder.toString(), "127.0.0.1:0", secret),
        ledgerLost::add);
  }

  /** Until both send. */
  private void run(SoakNode one, SoakNode two) {
    one.peer(2, two.address());
    two.peer(1, one.address());
    one.run();
    two.run();
    awaitTraffic();
  }

  @ParameterizedTest
  @EnumSource
  void shouldTellWhatOneSenderDoesWrong(Corruption mistake) throws Exception {
    SoakNode one = open(1);
    SoakNode two = open(2);
    run(one, two);
    one.corrupt(mistake);
    awaitTraffic();
    one.close();
    two.close();
    Queue<String> strange = new ConcurrentLinkedQueue<>();
    Tally tally = Audit.of(folder, strange::add);
    assertThat(tally.isGood()).as(tally + " " + strange).isEqualTo(mistake == Corruption.NONE);
    assertThat(tally.unaccounted()).isEqualTo(mistake == Corruption.LOSS ? 1 : 0);
    assertThat(tally.duplicated()).isEqualTo(mistake == Corruption.DUPLICATE ? 1 : 0);
    assertThat(tally.outOfOrder()).isEqualTo(mistake == Corruption.REORDER ? 1 : 0);
    assertThat(strange).hasSize(mistake == Corruption.NONE ? 0 : 1);
    assertThat(one.wrongRequests() + two.wrongRequests()).isZero();
    assertThat(ledgerLost).isEmpty();
  }

  /** As it is when the disk is full: the memory is there, and nothing behind it. */
  @ParameterizedTest
  @ValueSource(strings = {"sent-1-*", "received-1-*"})
  void shouldTellThatItsLedgerIsLost(String ledger) throws Exception {
    SoakNode one = open(1);
    SoakNode two = open(2);
    run(one, two);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, ledger)) {
      for (Path file : files) {
        FileChannel.open(file, StandardOpenOption.WRITE).truncate(0).close();
      }
    }
    await("the loss", () -> !ledgerLost.isEmpty());
    two.close();
    try {
      one.close();
    } catch (InternalError e) {
      assertThat(ledger).startsWith("sent");
    }
    assertThat(Problem.describe(ledgerLost.element())).contains("is its disk full?");
  }

  /** More messages are accepted. */
  private void awaitTraffic() {
    long target = Audit.accepted(folder) + SOME;
    long endNs = System.nanoTime() + PATIENCE_NS;
    while (Audit.accepted(folder) < target) {
      assertThat(System.nanoTime() - endNs).as("traffic").isNegative();
      LockSupport.parkNanos(POLL_NS);
    }
  }
}
