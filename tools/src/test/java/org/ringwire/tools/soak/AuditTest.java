package org.ringwire.tools.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.EndReason;
import org.ringwire.LossReport;

/** What the ledger says of histories that are written into it by hand: node 1 sends to node 2. */
final class AuditTest {

  private static final int PEER = 2;
  private static final int THREADS = 2;
  private static final int REQUESTS = THREADS;
  private static final long CAPACITY = 20_000;

  @TempDir private Path folder;

  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<String> strange = new ArrayList<>();

  @AfterEach
  void closeFiles() throws Exception {
    for (AutoCloseable file : open) {
      file.close();
    }
  }

  private SoakSpec spec(int node, int life) {
    return new SoakSpec(
        node, life, 2, THREADS, 2, 100, CAPACITY, 1, folder.toString(), "127.0.0.1:0", "");
  }

  private SendLedger sender() {
    SendLedger ledger = SendLedger.create(spec(1, 0));
    open.add(ledger);
    return ledger;
  }

  private ReceiveLedger receiver(int life) {
    ReceiveLedger ledger = ReceiveLedger.create(spec(PEER, life), 1, 0);
    open.add(ledger);
    return ledger;
  }

  private static void send(SendLedger sent, int stream, long from, long to) {
    for (long number = from; number < to; number++) {
      sent.begin(PEER, stream, number);
      sent.accept(PEER, stream, number);
    }
  }

  private static void deliver(ReceiveLedger received, int stream, long from, long to) {
    for (long number = from; number < to; number++) {
      received.deliver(stream, number);
    }
  }

  private static LossReport report(long processed, long lost, long uncertain) {
    return new LossReport(
        PEER, EndReason.LINK_LOST, "cut", processed + lost + uncertain, processed, lost, uncertain);
  }

  private static LossReport dismissal(long accepted) {
    return new LossReport(PEER, EndReason.DISMISSED, "too many", accepted, accepted, 0, 0);
  }

  private static void passSecond(SendLedger sent) {
    for (int i = 0; i < Successors.MOMENTS; i++) {
      sent.tick();
    }
  }

  private Tally audit() {
    return Audit.of(folder, strange::add);
  }

  @Test
  void shouldAddUpWhenEverythingCame() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    send(sent, 0, 0, 130);
    send(sent, 1, 0, 64);
    deliver(received, 0, 0, 130);
    deliver(received, 1, 0, 64);
    sent.report(report(194, 0, 0));
    sent.closed();
    assertThat(audit()).isEqualTo(new Tally(194, 194, 0, 0, 0, 0, 0, 0, 0, 0));
    assertThat(strange).isEmpty();
    assertThat(Audit.accepted(folder)).isEqualTo(194);
  }

  @Test
  void shouldSeeMessageThatVanishedOnConnectionThatWentOn() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    send(sent, 0, 0, 200);
    deliver(received, 0, 0, 70);
    deliver(received, 0, 71, 200);
    sent.report(report(199, 0, 1));
    sent.closed();
    assertThat(audit().unaccounted()).as("a report explains the end of a connection").isOne();
    assertThat(strange).hasSize(1);
  }

  /** On its connection, which ends with something uncertain of another stream. */
  @Test
  void shouldSeeMessageThatVanishedLongBeforeAReport() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    sent.connected(PEER);
    send(sent, 0, 0, 10_000);
    send(sent, 1, 0, 9000);
    deliver(received, 0, 0, 9995);
    deliver(received, 1, 0, 1000);
    deliver(received, 1, 1001, 9000);
    passSecond(sent);
    sent.report(report(18_900, 0, 100));
    sent.connected(PEER);
    send(sent, 0, 10_000, 10_010);
    send(sent, 1, 9000, 9010);
    deliver(received, 0, 10_000, 10_010);
    deliver(received, 1, 9000, 9010);
    sent.report(report(20, 0, 0));
    sent.closed();
    assertThat(audit().unaccounted()).isOne();
  }

  /** A connection that has lost ten messages at its end, and that is not reported yet; another. */
  private static void beginAfterALoss(SendLedger sent, ReceiveLedger received) {
    sent.connected(PEER);
    send(sent, 0, 0, 100);
    deliver(received, 0, 0, 90);
    passSecond(sent);
    sent.connected(PEER);
  }

  /** A last connection behind 5,000 messages, which loses nothing. */
  private static void endWithAnother(SendLedger sent, ReceiveLedger received) {
    sent.connected(PEER);
    send(sent, 0, 5000, 5100);
    deliver(received, 0, 5000, 5100);
    sent.report(report(100, 0, 0));
    sent.closed();
  }

  /**
   * As long as links are in use a connection is not reported, and the next one goes on meanwhile.
   */
  @Test
  void shouldExplainLossesByReportsThatComeLongAfterTheNextConnection() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    beginAfterALoss(sent, received);
    send(sent, 0, 100, 5000);
    deliver(received, 0, 100, 5000);
    passSecond(sent);
    sent.report(report(90, 0, 10));
    send(sent, 0, 5000, 5100);
    deliver(received, 0, 5000, 5100);
    sent.report(report(5000, 0, 0));
    sent.closed();
    assertThat(audit()).isEqualTo(new Tally(5100, 5090, 0, 10, 0, 0, 0, 0, 0, 0));
  }

  /** The report of the one that ended last comes first. */
  @Test
  void shouldExplainLossesByReportsThatOvertakeEachOther() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    beginAfterALoss(sent, received);
    send(sent, 0, 100, 5000);
    deliver(received, 0, 100, 5000);
    passSecond(sent);
    sent.report(report(4900, 0, 0));
    passSecond(sent);
    sent.report(report(90, 0, 10));
    endWithAnother(sent, received);
    assertThat(audit()).isEqualTo(new Tally(5100, 5090, 0, 10, 0, 0, 0, 0, 0, 0));
  }

  /** What a connection that has overlapped another one loses in its middle no report explains. */
  @Test
  void shouldNotExplainLossesLongAfterConnectionsHaveOverlapped() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    beginAfterALoss(sent, received);
    sent.report(report(90, 0, 10));
    send(sent, 0, 100, 5000);
    deliver(received, 0, 100, 200);
    deliver(received, 0, 201, 5000);
    for (int second = 0; second < 10; second++) {
      passSecond(sent);
    }
    sent.report(report(4899, 0, 1));
    endWithAnother(sent, received);
    assertThat(audit().isGood()).isFalse();
  }

  /** The listener hears of an end a little late. */
  @Test
  void shouldExplainLossesByReportsThatComeSoonAfterwards() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    sent.connected(PEER);
    send(sent, 0, 0, 100);
    deliver(received, 0, 0, 90);
    sent.tick();
    send(sent, 0, 100, 2100);
    deliver(received, 0, 100, 2100);
    sent.report(report(90, 0, 10));
    sent.connected(PEER);
    sent.report(report(2000, 0, 0));
    sent.closed();
    assertThat(audit().isGood()).isTrue();
  }

  @Test
  void shouldExplainWhatConnectionsThatEndedDidNotDeliver() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    send(sent, 0, 0, 100);
    send(sent, 1, 0, 50);
    deliver(received, 0, 0, 90);
    deliver(received, 1, 0, 45);
    sent.report(report(130, 5, 15)); // five of the uncertain were handled
    send(sent, 0, 100, 300);
    deliver(received, 0, 100, 300);
    sent.report(report(200, 0, 0));
    sent.closed();
    assertThat(audit()).isEqualTo(new Tally(350, 335, 5, 15, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void shouldNotExplainMoreThanReportsName() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    send(sent, 0, 0, 100);
    deliver(received, 0, 0, 90);
    sent.report(report(90, 2, 5));
    sent.closed();
    Tally tally = audit();
    assertThat(tally.unaccounted()).isEqualTo(3);
    assertThat(tally.miscounted()).as("three were never named").isEqualTo(3);
  }

  @Test
  void shouldNotExplainTwoGapsByOneReport() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    send(sent, 0, 0, 100);
    deliver(received, 0, 0, 50);
    deliver(received, 0, 51, 90);
    sent.report(report(79, 0, 21));
    send(sent, 0, 100, 200);
    deliver(received, 0, 100, 200);
    sent.report(report(100, 0, 0));
    sent.closed();
    assertThat(audit().unaccounted()).isOne();
  }

  @Test
  void shouldNotBelieveThatWhatIsMissingWasProcessed() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    send(sent, 0, 0, 100);
    deliver(received, 0, 0, 90);
    sent.report(report(95, 0, 5));
    sent.closed();
    assertThat(audit().miscounted()).isEqualTo(5);
    assertThat(audit().unaccounted()).isEqualTo(5);
  }

  @Test
  void shouldNotBelieveThatWhatCameWasLost() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    send(sent, 0, 0, 100);
    deliver(received, 0, 0, 98);
    sent.report(report(90, 10, 0));
    sent.closed();
    assertThat(audit().miscounted()).isEqualTo(8);
  }

  @Test
  void shouldSeeDuplicatesInOneLifeAndAcrossLives() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    send(sent, 0, 0, 100);
    deliver(received, 0, 0, 100);
    received.deliver(0, 7);
    received.deliverUnordered(REQUESTS, 3);
    received.deliverUnordered(REQUESTS, 3);
    receiver(1).deliver(0, 8);
    sent.report(report(100, 0, 0));
    sent.closed();
    assertThat(audit().duplicated()).isEqualTo(3);
  }

  @Test
  void shouldSeeWhatCameAlthoughItWasRefused() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    sent.begin(PEER, 0, 0);
    sent.refuse(PEER, 0);
    send(sent, 0, 1, 5);
    deliver(received, 0, 0, 5);
    sent.report(report(4, 0, 0));
    sent.closed();
    assertThat(audit().duplicated()).isOne();
  }

  @Test
  void shouldSeeMessagesOutOfOrderOnOneConnection() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    send(sent, 0, 0, 10_000);
    deliver(received, 0, 0, 5);
    received.deliver(0, 6);
    received.deliver(0, 5);
    deliver(received, 0, 7, 10_000);
    sent.report(report(10_000, 0, 0));
    sent.closed();
    assertThat(audit().outOfOrder()).isOne();
  }

  @Test
  void shouldAllowOldConnectionToBeServedBesideTheNewOne() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    send(sent, 0, 0, 10);
    sent.report(report(5, 0, 5));
    send(sent, 0, 10, 20);
    deliver(received, 0, 0, 5);
    deliver(received, 0, 10, 15);
    deliver(received, 0, 5, 10);
    deliver(received, 0, 15, 20);
    sent.report(report(10, 0, 0));
    sent.closed();
    assertThat(audit().isGood()).isTrue();
  }

  @Test
  void shouldExpectThatDismissedConnectionsHaveDeliveredEverything() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    send(sent, 0, 0, 100);
    deliver(received, 0, 0, 100);
    sent.dismissed(dismissal(100));
    send(sent, 0, 100, 120);
    deliver(received, 0, 100, 110);
    sent.report(report(10, 0, 10));
    send(sent, 0, 120, 150);
    deliver(received, 0, 120, 150);
    sent.dismissed(dismissal(30));
    sent.closed();
    assertThat(audit()).isEqualTo(new Tally(150, 140, 0, 10, 0, 0, 0, 0, 0, 0));
    assertThat(Audit.dismissals(folder)).isEqualTo(2);
  }

  @Test
  void shouldSeeMessageThatVanishedWithDismissedConnection() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    send(sent, 0, 0, 100);
    deliver(received, 0, 0, 99);
    sent.dismissed(dismissal(100));
    send(sent, 0, 100, 150);
    deliver(received, 0, 100, 150);
    sent.report(report(50, 0, 0));
    sent.closed();
    assertThat(audit().unaccounted()).isOne();
    assertThat(audit().miscounted()).as("it was not processed").isOne();
  }

  @Test
  void shouldNotExcuseDisorderByConnectionsThatEndedWithEverythingHandled() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    send(sent, 0, 0, 10);
    sent.dismissed(dismissal(10));
    send(sent, 0, 10, 20);
    sent.report(report(10, 0, 0));
    send(sent, 0, 20, 30);
    deliver(received, 0, 0, 9);
    received.deliver(0, 10);
    received.deliver(0, 9);
    deliver(received, 0, 11, 19);
    received.deliver(0, 20);
    received.deliver(0, 19);
    deliver(received, 0, 21, 30);
    sent.dismissed(dismissal(10));
    sent.closed();
    assertThat(audit().outOfOrder()).isEqualTo(2);
  }

  @Test
  void shouldJudgeKilledSendersByWhatTheyHadBegun() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    send(sent, 0, 0, 100);
    sent.begin(PEER, 0, 100); // killed before the library has answered
    deliver(received, 0, 0, 50);
    received.deliver(0, 100);
    assertThat(audit()).isEqualTo(new Tally(0, 0, 0, 0, 100, 0, 0, 0, 0, 0));
    received.deliver(0, 101);
    received.deliver(0, 102);
    assertThat(audit().duplicated()).as("never begun").isEqualTo(2);
  }

  @Test
  void shouldCountRequestsBetweenAnsweredAndBegun() {
    SendLedger sent = sender();
    ReceiveLedger received = receiver(0);
    for (long number = 0; number < 10; number++) {
      sent.begin(PEER, REQUESTS, number);
      received.deliverUnordered(REQUESTS, number);
    }
    sent.accept(PEER, REQUESTS, 0);
    sent.refuse(PEER, REQUESTS);
    sent.closed();
    assertThat(audit().miscounted()).as("an answered one must be reported").isOne();
    sent.report(report(9, 0, 0));
    assertThat(audit().miscounted()).isZero();
    sent.report(report(1, 0, 0));
    assertThat(audit().miscounted()).as("a refused one must not").isOne();
  }

  @Test
  void shouldSeeDamage() {
    SendLedger sent = sender();
    receiver(0).damaged();
    sent.closed();
    assertThat(audit().damaged()).isOne();
  }

  @Test
  void shouldHaveRoomForTheReportsOfAWeek() {
    SoakSpec week =
        new SoakSpec(
            1,
            0,
            2,
            THREADS,
            2,
            1,
            SoakCommand.capacity(7 * 24 * 60, 1),
            1,
            folder.toString(),
            "127.0.0.1:0",
            "");
    SendLedger sent = SendLedger.create(week);
    open.add(sent);
    send(sent, 0, 0, 1);
    for (int i = 0; i < 100_000; i++) {
      sent.report(report(0, 0, 0));
    }
    assertThat(sent.losses(PEER)).hasSize(100_000);
  }

  @Test
  void shouldPassOverFilesThatWereOnlyJustCreated() throws IOException {
    Files.createFile(folder.resolve("sent-1-0"));
    Files.write(folder.resolve("received-1-0-by-2-0"), new byte[128]);
    assertThat(audit()).isEqualTo(Tally.NONE);
  }
}
