package org.ringwire.tools.soak;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.SendStatus;

/** One thread that sends one way, in bursts to one node after the other. */
final class Sender implements Runnable {

  private static final Duration PATIENCE = Duration.ofMillis(500);
  private static final long AFTER_REFUSAL_NS = 20_000_000;
  private static final long LOOK_NS = 20_000_000;
  private static final int SHORT_BURST = 100;
  private static final int LONG_BURST = 2000;

  private final SoakSpec spec;
  private final Node node;
  private final SendLedger ledger;
  private final Gate gate;
  private final int stream;
  private final SplittableRandom random;
  private final long[] next;
  private volatile Corruption corruption = Corruption.NONE;

  Sender(SoakSpec spec, Node node, SendLedger ledger, Gate gate, int stream) {
    this.spec = spec;
    this.node = node;
    this.ledger = ledger;
    this.gate = gate;
    this.stream = stream;
    random = new SplittableRandom(spec.seed() + 1_000L * spec.node() + 100L * spec.life() + stream);
    next = new long[spec.nodes() + 1];
  }

  /** Makes one mistake, soon. Any thread. */
  void corrupt(Corruption mistake) {
    corruption = mistake;
  }

  /** Whether it has not made yet the mistake that it was told to make. Any thread. */
  boolean isToErr() {
    return corruption != Corruption.NONE;
  }

  @Override
  public void run() {
    try {
      while (gate.pass()) {
        int receiver = 1 + random.nextInt(spec.nodes());
        if (receiver != spec.node()) {
          burst(receiver);
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void burst(int receiver) {
    int length = 1 + random.nextInt(random.nextInt(20) == 0 ? LONG_BURST : SHORT_BURST);
    boolean waits = random.nextInt(8) != 0;
    long beginNs = System.nanoTime();
    for (int i = 0; i < length; i++) {
      if (next[receiver] + 1 >= spec.capacity() || !sendNext(receiver, waits)) {
        LockSupport.parkNanos(AFTER_REFUSAL_NS);
        return;
      }
    }
    if (corruption != Corruption.NONE) {
      misbehave(receiver);
    }
    long endNs = beginNs + length * 1_000_000_000L / spec.rate();
    while (System.nanoTime() - endNs < 0 && corruption == Corruption.NONE) {
      LockSupport.parkNanos(Math.min(LOOK_NS, endNs - System.nanoTime()));
    }
  }

  private boolean sendNext(int receiver, boolean waits) {
    long number = next[receiver]++;
    ledger.begin(receiver, stream, number);
    if (hand(receiver, number, waits)) {
      ledger.accept(receiver, stream, number);
      return true;
    }
    ledger.refuse(receiver, stream);
    return false;
  }

  /** Whether the library has accepted the message. */
  private boolean hand(int receiver, long number, boolean waits) {
    Messages.Parcel parcel = Messages.Parcel.of(spec, stream, number);
    if (!waits) {
      return node.trySend(receiver, parcel) == SendStatus.ACCEPTED;
    }
    try {
      node.send(receiver, parcel, PATIENCE);
      return true;
    } catch (MessagingException e) {
      return false;
    }
  }

  /** Does one thing wrong, between two messages that are right. */
  private void misbehave(int receiver) {
    long number = next[receiver];
    if (number + 2 >= spec.capacity() || !sendNext(receiver, true)) {
      return;
    }
    switch (corruption) {
      case NONE -> {}
      case LOSS -> {
        ledger.begin(receiver, stream, next[receiver]);
        ledger.accept(receiver, stream, next[receiver]++);
      }
      case DUPLICATE -> hand(receiver, number, true);
      case REORDER -> {
        ledger.begin(receiver, stream, number + 2);
        hand(receiver, number + 2, true);
        hand(receiver, number + 1, true);
        ledger.accept(receiver, stream, number + 2);
        ledger.accept(receiver, stream, number + 1);
        next[receiver] = number + 3;
      }
    }
    corruption = Corruption.NONE;
    sendNext(receiver, true);
  }
}
