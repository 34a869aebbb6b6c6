package org.ringwire.engine.request;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.ringwire.idle.Pause;

/**
 * The threads that wait for answers over one connection. When few wait, each writes its request at
 * once, and one of them reads the link for all, which saves a wake-up. In a crowd both cost more
 * than they save: who reads soon has its own answer and hands on, and each write wakes the peer for
 * a single request. So then the transport reads, and requests stay in the ring: for the flusher,
 * which takes those of many threads at once; or, while threads yield their cores to each other, for
 * the first of them that runs again.
 *
 * <p><b>Yielding</b>: a thread that has put its request into the ring lets others run, which do the
 * same; it writes, for all of them, unless one of them has written its request, too; and then it
 * yields a few times more before it parks. Meanwhile whoever reads the link takes the answers, so
 * when a thread runs again, its request is often answered, and nobody had to be parked and woken.
 * {@link WaitChoice} finds out whether that pays off.
 *
 * <p><b>Who answers writes</b>: each of the threads that park is woken by its answer, and asks
 * again before the reading thread is done with the answers of the others. So they leave their
 * requests to that thread, which writes them together when it has handed out what it read, and the
 * flusher need not be woken for them. Nothing is forgotten: a requester commits, passes a full
 * fence, and reads {@code answering}; the reading thread takes {@code answering} back, passes a
 * full fence, and looks into the ring. Either the requester sees that nobody is going to look, or
 * the look finds its request. While the reading thread is held up in between, nobody could be
 * answered either.
 *
 * <p>Any thread. The counts are hints: with a wrong one a request is written early, or within a
 * tick of the flusher.
 */
public final class Crowd {

  /** So many threads that park are no crowd: measured, see docs/experiments. */
  static final int FEW = 5;

  /** So many that could yield are none. */
  static final int FEW_YIELDING = 2;

  /** Yields of one wait at most. */
  static final int MOST_YIELDS = 24;

  private static final int ANSWERS_SHIFT = 32;

  /** Threads that wait in the lower half; waits that have ended in the upper one. */
  private final AtomicLong counts = new AtomicLong();

  /** Requests whose ends futures tell. */
  private final AtomicInteger futures = new AtomicInteger();

  private final WaitChoice choice = new WaitChoice(System.nanoTime(), 0);

  private volatile boolean answering; // written by the reading thread

  /** The calling thread asks, and is going to wait. */
  public void enter() {
    counts.incrementAndGet();
  }

  /** It has its answer, or none. */
  public void leave() {
    counts.addAndGet((1L << ANSWERS_SHIFT) - 1);
  }

  /** A request has begun for which nobody waits but a future. */
  void futureBegins() {
    futures.incrementAndGet();
  }

  /** It has ended. */
  void futureEnds() {
    futures.decrementAndGet();
  }

  /**
   * Requests of threads that wait, or are about to, and of futures: at a moment when one is in the
   * table of requests it is never none, and otherwise a hint.
   */
  public int requests() {
    return (int) counts.get() + futures.get();
  }

  /** Whether so many wait that they do better together. */
  public boolean isCrowded() {
    return (int) counts.get() > (choice.yields() ? FEW_YIELDING : FEW);
  }

  /** Whether a thread that is going to wait yields to the others; asked once per wait. */
  public boolean mayYield() {
    long word = counts.get();
    return (int) word > FEW_YIELDING
        && choice.begin(System.nanoTime(), (int) (word >>> ANSWERS_SHIFT));
  }

  /**
   * Reading thread, before the first of the answers that it is about to hand out.
   *
   * @return whether those that are answered leave their next requests to it from now on, and {@link
   *     #endAnswers} must follow
   */
  public boolean beginAnswers() {
    if (choice.yields() || (int) counts.get() <= FEW) { // the counts last: their line is contended
      return false;
    }
    answering = true;
    return true;
  }

  /** Reading thread: looks after this for what was left to it, behind a full fence. */
  public void endAnswers() {
    answering = false; // pairs with leavesToReader()
  }

  /** Whether the reading thread is going to write what the calling one has committed. */
  public boolean leavesToReader() {
    VarHandle.fullFence(); // the commit comes before this look; pairs with endAnswers()
    return answering;
  }

  /**
   * Waits by yielding: not beyond the deadline, as where many want the cores, one yield may take a
   * tenth of a second.
   *
   * @param afterFirst run after the first yield: writes what has come together
   * @return whether it is there; else the caller parks
   */
  public static boolean awaitYielding(BooleanSupplier done, long deadlineNs, Runnable afterFirst) {
    Pause.crowded();
    afterFirst.run();
    int yields = 1;
    while (yields < MOST_YIELDS && !done.getAsBoolean() && System.nanoTime() - deadlineNs < 0) {
      Pause.crowded();
      yields++;
    }
    return done.getAsBoolean();
  }
}
