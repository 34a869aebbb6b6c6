package org.ringwire.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.TestCertificates;
import org.ringwire.transport.FaultyLinkTest.Medium;

/**
 * What becomes of the messages of four threads, short ones, ones that need a grant, multicasts,
 * with requests both ways, over links that are slow, stall, take and give pieces of any length, and
 * break: none is delivered twice, each connection delivers the beginning of what each thread gave
 * it, in order and without a gap, the reports name every message, and traffic resumes by itself.
 */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors({"cut, on purpose", "a codec that blocks in encode()"})
class FaultyLinkLedgerTest {

  private static final boolean NIGHTLY = Boolean.getBoolean("ringwire.nightly");
  private static final int LONGEST = 72;

  private static void check(Medium medium, Faults faults, int messages, boolean cuts)
      throws Exception {
    try (FaultyPair pair = new FaultyPair(medium, faults)) {
      check(pair, medium + " " + faults, messages, cuts);
    }
  }

  private static void check(FaultyPair pair, String setting, int messages, boolean cuts)
      throws Exception {
    pair.run(messages);
    FaultyPair.Account account = pair.settle();
    String story = setting + ": " + account;
    assertThat(account.wrong()).as(story).isEmpty();
    long unanswered = account.asked() - account.answered(); // of what was lost they may be a part
    assertThat(account.missing())
        .as(story)
        .isBetween(account.lost() - unanswered, account.lost() + account.uncertain());
    assertThat(account.reported())
        .as(story)
        .isBetween(account.accepted() + account.answered(), account.accepted() + account.asked());
    assertThat(account.losses() > 0).as(story).isEqualTo(cuts);
  }

  @ParameterizedTest
  @EnumSource(Medium.class)
  void shouldDeliverEverythingByteByByte(Medium medium) throws Exception {
    check(medium, Faults.NONE.withMaxRead(1).withMaxWrite(1), 150, false);
  }

  @ParameterizedTest
  @EnumSource(Medium.class)
  void shouldDeliverEverythingInPiecesOfEveryLength(Medium medium) throws Exception {
    for (int length = 2; length <= LONGEST; length += NIGHTLY || length < 18 ? 1 : 7) {
      check(medium, Faults.NONE.withMaxRead(length), 30, false);
      check(medium, Faults.NONE.withMaxWrite(length), 30, false);
    }
  }

  @ParameterizedTest
  @EnumSource(Medium.class)
  void shouldDeliverEverythingLateAndWithStalls(Medium medium) throws Exception {
    Faults slow = Faults.NONE.withMaxRead(3000).withMaxWrite(3000).withDelay(50_000);
    check(medium, slow.withStalls(20_000_000).drawn(7), 1000, false);
  }

  @ParameterizedTest
  @EnumSource(Medium.class)
  void shouldAccountForEverythingWhenLinksBreakWhereTheyAreRead(Medium medium) throws Exception {
    check(medium, Faults.NONE.withDropAfter(50_000).drawn(3), 2000, true);
  }

  @ParameterizedTest
  @EnumSource(Medium.class)
  void shouldAccountForEverythingWhenLinksBreakWhereTheyAreWritten(Medium medium) throws Exception {
    check(medium, Faults.NONE.withDropAfterWritten(50_000).drawn(3), 2000, true);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldAccountForEverythingOnALinkThatBothDirectionsShare(int silent) throws Exception {
    Faults faults = Faults.NONE.withDropAfter(100_000).withDropAfterWritten(100_000).drawn(5);
    try (FaultyPair pair = new FaultyPair(Medium.TCP, faults, silent, plain -> plain)) {
      check(pair, "node " + silent + " does not listen", 1000, true);
    }
  }

  @Test
  void shouldAccountForEverythingOverTls(@TempDir Path folder) throws Exception {
    TestCertificates authority = new TestCertificates("faulty");
    Faults faults = Faults.NONE.withMaxWrite(5000).withDropAfterWritten(100_000).drawn(5);
    try (FaultyPair pair =
        new FaultyPair(
            Medium.TCP,
            faults,
            0,
            medium -> new TlsProvider(medium, id -> authority.tls(folder, "faulty", id), 0))) {
      check(pair, "TLS", 1000, true);
    }
  }

  @ParameterizedTest
  @EnumSource(Medium.class)
  void shouldAccountForEverythingWhateverIsWrong(Medium medium) throws Exception {
    long first = ThreadLocalRandom.current().nextLong();
    for (long seed : LongStream.range(first, first + 8).toArray()) {
      Faults faults =
          Faults.NONE
              .withMaxRead(5000)
              .withMaxWrite(5000)
              .withDropAfter(200_000)
              .withDropAfterWritten(200_000)
              .withStalls(2_000_000)
              .drawn(seed);
      try {
        check(medium, faults, 1500, true);
      } catch (Exception e) {
        throw new AssertionError("seed " + seed, e);
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }
}
