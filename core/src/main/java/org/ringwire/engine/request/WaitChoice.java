package org.ringwire.engine.request;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether the threads of a crowd yield their cores to each other before they park, or park at once:
 * chosen by what comes out, the answers in a time. Yielding brings several times as many where the
 * cores are free, and a fraction where others want them, since a thread of another program keeps
 * the core for its time slice; no look at a single wait tells which. All threads of a connection
 * wait in the same way: some that yield among others that park do worse than either.
 *
 * <p><b>Trials.</b> What was chosen holds for a while. Then come a window of the other way, one of
 * the chosen, and one more of the other, each after a pause in which the waits of the way before
 * end; the sums decide, and a first window that is far behind ends the trial. A trial that confirms
 * the choice doubles the time until the next, so that the worse way gets about a hundredth of the
 * time. Before that the answers themselves call for one: when there are half as many, or twice as
 * many, as there were, in two windows in a row. That bounds how long a wrong choice lasts, when
 * others begin to want the cores, by some windows; docs/experiments/waiting.md has what was
 * measured.
 *
 * <p><b>When in doubt</b> threads park, which takes no processor time: yielding must bring clearly
 * more to be chosen, and a little more to stay. Where it brings nothing because handlers are slow,
 * nobody yields.
 *
 * <p>Any thread. Each wait asks, and the one that finds a window over ends it; the state belongs to
 * who holds {@code turning}. Others go on meanwhile as in the window before.
 */
public final class WaitChoice {

  /** Length of a window; some time slices of other programs. */
  static final long WINDOW_NS = 12_000_000;

  /** Waits that began before it end within this time, mostly. */
  static final long SETTLE_NS = 4_000_000;

  /** How long a choice holds, at first, and when trials have confirmed it again and again. */
  static final long HOLD_NS = 160_000_000;

  static final long LONGEST_HOLD_NS = 1_280_000_000;

  /** After a trial the answers call for none so soon. */
  private static final long LEAST_HOLD_NS = 100_000_000;

  /** A window with fewer answers goes on, up to {@link #LONGEST_WINDOW_NS}. */
  private static final int LEAST_ANSWERS = 64;

  static final long LONGEST_WINDOW_NS = 100_000_000;

  /** A longer one had nobody waiting in between. */
  private static final long STALE_NS = 2 * LONGEST_WINDOW_NS;

  /** Times as many answers as parking must yielding bring to be chosen, and to stay. */
  private static final double CLEARLY_MORE = 1.15;

  private static final double A_LITTLE_MORE = 1.05;

  /** The part of the chosen way's answers below which the other one needs no second window. */
  private static final double HOPELESS = 0.75;

  /** Answers that are so many times more, or fewer, than before call for a trial. */
  private static final double CHANGED = 2;

  private enum Phase {
    HOLD,
    SETTLE_OTHER,
    OTHER,
    SETTLE_CHOSEN,
    CHOSEN,
    SETTLE_AGAIN,
    AGAIN
  }

  private final AtomicBoolean turning = new AtomicBoolean();
  private volatile boolean yields;
  private volatile long endNs;

  // Of who holds turning.
  private Phase phase = Phase.HOLD;
  private boolean chosen; // whether to yield
  private long beganNs;
  private int answersBefore;
  private long trialDueNs;
  private long trialEndedNs;
  private long holdNs = HOLD_NS;
  private double usual; // answers per nanosecond of the chosen way; 0 if not known
  private boolean changed;
  private double chosenRate;
  private double otherRate;

  /**
   * Parks, and tries the other way soon.
   *
   * @param nowNs the time, as {@link System#nanoTime}
   * @param answers that have come so far
   */
  public WaitChoice(long nowNs, int answers) {
    answersBefore = answers;
    beganNs = nowNs;
    endNs = nowNs + WINDOW_NS;
    trialDueNs = nowNs;
    trialEndedNs = nowNs;
  }

  /** Whether threads yield now. */
  public boolean yields() {
    return yields;
  }

  /**
   * A wait begins.
   *
   * @param nowNs the time
   * @param answers that have come so far; may overflow
   * @return whether it yields
   */
  public boolean begin(long nowNs, int answers) {
    if (nowNs - endNs >= 0 && !turning.get() && turning.compareAndSet(false, true)) {
      try {
        if (nowNs - endNs >= 0) { // else another thread has just done so
          end(nowNs, answers);
        }
      } finally {
        turning.set(false); // what was written is seen by who takes it next
      }
    }
    return yields;
  }

  private void end(long nowNs, int answers) {
    long lengthNs = nowNs - beganNs;
    int count = answers - answersBefore;
    if (lengthNs >= STALE_NS) {
      usual = 0;
      hold(nowNs, answers);
    } else if (isMeasured() && count < LEAST_ANSWERS && lengthNs < LONGEST_WINDOW_NS) {
      endNs = nowNs + WINDOW_NS / 2;
    } else {
      next(nowNs, answers, (double) count / lengthNs);
    }
  }

  private boolean isMeasured() {
    return switch (phase) {
      case HOLD, OTHER, CHOSEN, AGAIN -> true;
      case SETTLE_OTHER, SETTLE_CHOSEN, SETTLE_AGAIN -> false;
    };
  }

  private void next(long nowNs, int answers, double rate) {
    switch (phase) {
      case HOLD -> held(nowNs, answers, rate);
      case SETTLE_OTHER -> begin(Phase.OTHER, !chosen, nowNs, answers);
      case OTHER -> {
        otherRate = rate;
        if (rate <= HOPELESS * chosenRate) {
          confirm(nowNs, answers);
        } else {
          begin(Phase.SETTLE_CHOSEN, chosen, nowNs, answers);
        }
      }
      case SETTLE_CHOSEN -> begin(Phase.CHOSEN, chosen, nowNs, answers);
      case CHOSEN -> {
        chosenRate += rate;
        begin(Phase.SETTLE_AGAIN, !chosen, nowNs, answers);
      }
      case SETTLE_AGAIN -> begin(Phase.AGAIN, !chosen, nowNs, answers);
      case AGAIN -> decide(nowNs, answers, otherRate + rate);
    }
  }

  private void held(long nowNs, int answers, double rate) {
    boolean differs = usual > 0 && (rate * CHANGED < usual || rate > usual * CHANGED);
    boolean calls = differs && changed && nowNs - trialEndedNs >= LEAST_HOLD_NS;
    changed = differs;
    if (!differs) {
      usual = rate;
    }
    if (calls || nowNs - trialDueNs >= 0) {
      if (calls) {
        holdNs = HOLD_NS;
      }
      chosenRate = rate;
      begin(Phase.SETTLE_OTHER, !chosen, nowNs, answers);
    } else {
      begin(Phase.HOLD, chosen, nowNs, answers);
    }
  }

  private void decide(long nowNs, int answers, double rate) {
    double yielding = chosen ? chosenRate : rate;
    double parking = chosen ? rate : chosenRate;
    boolean better = yielding > parking * (chosen ? A_LITTLE_MORE : CLEARLY_MORE);
    if (better == chosen) {
      confirm(nowNs, answers);
    } else {
      chosen = better;
      holdNs = HOLD_NS;
      trialEnded(nowNs, answers);
    }
  }

  private void confirm(long nowNs, int answers) {
    holdNs = Math.min(2 * holdNs, LONGEST_HOLD_NS);
    trialEnded(nowNs, answers);
  }

  private void trialEnded(long nowNs, int answers) {
    usual = 0;
    changed = false;
    trialEndedNs = nowNs;
    trialDueNs = nowNs + holdNs;
    hold(nowNs, answers);
  }

  private void hold(long nowNs, int answers) {
    begin(Phase.HOLD, chosen, nowNs, answers);
  }

  private void begin(Phase next, boolean yield, long nowNs, int answers) {
    phase = next;
    beganNs = nowNs;
    answersBefore = answers;
    if (yields != yield) {
      yields = yield;
    }
    endNs = nowNs + (isMeasured() ? WINDOW_NS : SETTLE_NS);
  }
}
