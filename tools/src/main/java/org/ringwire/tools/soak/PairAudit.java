package org.ringwire.tools.soak;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Compares what one life of a node has sent to another with what the lives of that received. */
final class PairAudit {

  private final SendLedger sent;
  private final int receiver;
  private final List<ReceiveLedger> received;
  private final List<SendLedger.Loss> reports;
  private final Losses losses;
  private final int oneWayStreams;
  private final List<Losses.Gap> gaps = new ArrayList<>();
  private long accepted;
  private long delivered;
  private long duplicated;

  PairAudit(SendLedger sent, int receiver, List<ReceiveLedger> received) {
    this.sent = sent;
    this.receiver = receiver;
    this.received = received;
    reports = sent.losses(receiver);
    oneWayStreams = sent.streams() - 1;
    boolean complete = sent.isClosed();
    losses =
        new Losses(
            complete ? reports : withTheEnd(reports), complete && !sent.isDismissedLast(receiver));
  }

  /** The death of a process ends its connections, and nobody reports it. */
  private List<SendLedger.Loss> withTheEnd(List<SendLedger.Loss> told) {
    long[] begun = sent.begun(receiver);
    long[] since = Arrays.stream(begun).map(count -> count - Losses.UNTOLD).toArray();
    List<SendLedger.Loss> all = new ArrayList<>(told);
    all.add(new SendLedger.Loss(1, 0, 0, 1, begun, since)); // who knows what it had to report
    return all;
  }

  /** What the ledger says of this pair. */
  Tally tally() {
    for (int stream = 0; stream < oneWayStreams; stream++) {
      compare(stream);
    }
    long deliveredRequests = compareRequests();
    long damaged = 0;
    for (ReceiveLedger ledger : received) {
      duplicated += ledger.duplicates();
      damaged += ledger.damagedMessages();
    }
    if (!sent.isClosed()) {
      return new Tally(0, 0, 0, 0, accepted, duplicated, 0, outOfOrder(), 0, damaged);
    }
    long lost = reports.stream().mapToLong(SendLedger.Loss::lost).sum();
    long uncertain = reports.stream().mapToLong(SendLedger.Loss::uncertain).sum();
    return new Tally(
        accepted,
        delivered,
        lost,
        uncertain,
        0,
        duplicated,
        losses.unexplained(gaps, sent.streams()),
        outOfOrder(),
        miscounted(deliveredRequests, lost),
        damaged);
  }

  private void compare(int stream) {
    long begun = sent.begun(receiver, stream);
    long first = -1;
    long missing = 0;
    for (long base = 0; base < begun; base += Long.SIZE) {
      long taken = sent.acceptedBits(receiver, stream, base);
      long came = cameBits(stream, base);
      accepted += Long.bitCount(taken);
      delivered += Long.bitCount(taken & came);
      duplicated += Long.bitCount(came & ~possible(taken, begun - base));
      if (first < 0 && (taken & ~came) == 0) {
        continue;
      }
      for (long left = taken; left != 0; left &= left - 1) {
        long bit = left & -left;
        long number = base + Long.numberOfTrailingZeros(bit);
        if ((came & bit) == 0) {
          first = first < 0 ? number : first;
          missing++;
        } else if (first >= 0) {
          gaps.add(new Losses.Gap(stream, first, number, missing));
          first = -1;
          missing = 0;
        }
      }
    }
    if (first >= 0) {
      gaps.add(new Losses.Gap(stream, first, Losses.NOTHING, missing));
    }
  }

  /** What may have come: of a process that was killed also what it had only begun. */
  private long possible(long taken, long begun) {
    if (sent.isClosed()) {
      return taken;
    }
    return begun >= Long.SIZE ? -1 : (1L << begun) - 1;
  }

  /** Requests are not compared one by one: whether one was accepted its caller need not know. */
  private long compareRequests() {
    long begun = sent.begun(receiver, oneWayStreams);
    long came = 0;
    for (long base = 0; base < begun; base += Long.SIZE) {
      came += Long.bitCount(cameBits(oneWayStreams, base));
    }
    return came;
  }

  /** What came, in any life of the receiver; what came in two of them is a duplicate. */
  private long cameBits(int stream, long base) {
    long came = 0;
    for (ReceiveLedger ledger : received) {
      long bits = ledger.deliveredBits(stream, base);
      duplicated += Long.bitCount(came & bits);
      came |= bits;
    }
    return came;
  }

  private long outOfOrder() {
    long count = 0;
    for (ReceiveLedger ledger : received) {
      count += ledger.untoldInversions();
      for (ReceiveLedger.Inversion inversion : ledger.inversions()) {
        boolean excused =
            losses.separate(inversion.stream(), inversion.number(), inversion.higher());
        count += excused ? 0 : 1;
      }
    }
    return count;
  }

  /**
   * By how much the reports are wrong: each must add up; together they must name every message
   * accepted, and not more (a request counts if it was answered, and may count if it failed); what
   * they call processed was delivered, and what they call lost was not.
   */
  private long miscounted(long deliveredRequests, long lost) {
    long wrong = 0;
    long named = sent.dismissedAccepted(receiver);
    long processed = sent.dismissedProcessed(receiver);
    wrong += Math.abs(named - processed);
    for (SendLedger.Loss report : reports) {
      long parts = report.processed() + report.lost() + report.uncertain();
      wrong += Math.abs(report.accepted() - parts);
      named += report.accepted();
      processed += report.processed();
    }
    long answered = sent.accepted(receiver, oneWayStreams);
    long requests = sent.begun(receiver, oneWayStreams);
    long refused = sent.refused(receiver, oneWayStreams);
    wrong += Math.max(0, accepted + answered - named);
    wrong += Math.max(0, named - (accepted + requests - refused));
    wrong += Math.max(0, processed - (delivered + deliveredRequests));
    wrong += Math.max(0, lost - (accepted - delivered + requests - deliveredRequests));
    wrong += Math.max(0, answered - deliveredRequests);
    return wrong;
  }
}
