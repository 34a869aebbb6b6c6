package org.ringwire.engine.inbound.workers;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.ringwire.IdleStrategy;
import org.ringwire.engine.outbound.Flusher;
import org.ringwire.engine.outbound.SendContext;
import org.ringwire.engine.outbound.Waits.Busy;
import org.ringwire.idle.ActiveThread;
import org.ringwire.idle.Pause;
import org.ringwire.idle.WaitingPlace;
import org.ringwire.metrics.ErrorLog;

/**
 * One place of the handler pool: takes lanes and tasks from its queue and runs them, batch by
 * batch, on a thread of its own. Spins for a bounded time when it has nothing to do, if its {@link
 * WaitingPlace} lets it, then parks.
 *
 * <p>No wake-up is lost: the worker sets {@code parked} (volatile) and looks at the queue again
 * before it parks; who adds work moves the queue's tail (volatile) and then reads {@code parked}.
 * The first work starts the thread: a node whose handlers are all inline has none.
 *
 * <p><b>Replacement</b> (design rule 8). A handler that waits for another node stops its thread,
 * and what waits behind it may be what that other node needs. So before a thread waits it hands its
 * place on: {@link #handOn} starts another thread and makes it the {@code owner}, if the pool's
 * bound allows it, and the work that is running gives up what others can go on with: else those
 * that help, see below. The thread that has waited sees when its work is done that it owns nothing
 * any more, and ends; so there are more threads than places only as long as some wait.
 *
 * <p>The {@link HandlerWatch} does the same for a thread that waits elsewhere, at any moment, so
 * {@code owner} is written with this held, and not before the other thread has started, which may
 * fail: the thread to be replaced may go on at that moment, and ends once it is no owner. One that
 * is no owner any more may not have seen it: then it runs one more batch, or sets {@code parked} or
 * {@code overdue} to what it was: so it wakes the owner when it ends, adds what is left of its
 * batch as anybody else, and is woken itself, as it may have parked. The queue has one consumer at
 * a time in any case, and what a thread is running is its own.
 *
 * <p><b>Help.</b> While a worker is overdue ({@link HandlerWatch}), or waits and has nobody in its
 * place, others take work from its queue, whose consumer is whoever takes, in turn with their own,
 * which may never end. If all are like that, tasks get virtual threads: what a thread waits for may
 * be one of them. Somebody who is asked to help sets nothing but that ({@link WorkerHelp}), which
 * is read after {@code parked} was set, as the queue is. Who has taken something looks at {@code
 * parked}: its own look at the queue may have made the owner believe that there is nothing.
 *
 * <p><b>The end.</b> What is added after the last thread has found its queue empty, and will not
 * look again, is run on a virtual thread: a future of a call that came too late must end, too. The
 * thread sets {@code parked} before its last look, so that either that look or whoever adds work
 * finds what is left; the queue is then guarded by this.
 */
public final class HandlerWorker {

  private static final int POLLS_PER_CLOCK = 64;

  private final WorkQueue queue = new WorkQueue();
  private final String name;
  private final LateThreads late;
  private final Runnable runLate = this::runLate; // made before, as there may be no heap for it
  private final Predicate<Work> giveAway; // made here: there may be no heap for it later
  private final WaitingPlace place;
  private final ErrorLog errors;
  private final Replacements replacements;
  private final HandlerWatch watch;
  private final WorkerHelp help;
  private final Consumer<Thread> threadStarted;
  private volatile HandlerThread owner;
  private final ActiveThread active = new ActiveThread(); // its owner only, as the next
  private int generation; // with this held
  private final BatchLook looked = new BatchLook(); // the watch's
  private volatile boolean overdue; // set by the watch, cleared by both
  private volatile boolean waits; // and nobody has the place; written with this held
  private volatile boolean parked = true; // or not started
  private volatile boolean started; // written with this held, as the next
  private volatile boolean closed;
  private volatile boolean ended; // written with this held, before parked

  HandlerWorker(
      String name,
      IdleStrategy idleStrategy,
      ErrorLog errors,
      Replacements replacements,
      HandlerWatch watch,
      Consumer<Thread> threadStarted) {
    this.name = name;
    late = new LateThreads(this, name, errors);
    giveAway = work -> work.isForAnyThread() && late.tryRun(work);
    place = WaitingPlace.of(idleStrategy);
    this.errors = errors;
    this.replacements = replacements;
    this.watch = watch;
    help = new WorkerHelp(queue, watch, errors);
    this.threadStarted = threadStarted;
    owner = new HandlerThread(this, name, threadStarted);
  }

  /** Any thread. */
  public void submit(Work work) {
    queue.add(work);
    if (parked) {
      wake();
    } else if (isHeldUp() && !watch.askFor(this) && work.isForAnyThread()) {
      watch.rescue();
    }
  }

  /** The watch's: whether this has been in one batch since the last look. */
  boolean look() {
    boolean same = looked.isInSame(owner);
    overdue = same;
    return same;
  }

  /** Any thread, a hint. */
  boolean isInBatch() {
    return HandlerThread.isInBatch(owner.batch());
  }

  /** Whether what is added now waits for long; any thread, a hint. */
  public boolean isOverdue() {
    return overdue;
  }

  /** Whether it comes for nothing in its queue, nor in those of others, for long or ever. */
  boolean isHeldUp() {
    return waits || overdue || ended;
  }

  /** Any thread. */
  boolean hasWork() {
    return !queue.isEmpty();
  }

  /** Any thread: this one is to take what waits behind others. */
  void help() {
    help.ask();
    if (parked) {
      wake();
    }
  }

  /** Another worker, which helps. */
  @Nullable Work give() {
    Work work = queue.poll();
    if (parked && !queue.isEmpty()) {
      wake();
    }
    return work;
  }

  /** Any thread, while nobody comes for them: a thread for each, as one may wait for another. */
  void giveTasksAway() {
    boolean kept = queue.giveAway(giveAway);
    if (kept && parked) { // its thread may be back, and have found nothing
      wake();
    }
  }

  /** By who runs work of this: what handles messages until its batch ends. */
  public void handles(Busy handling) {
    if (Thread.currentThread() instanceof HandlerThread thread) {
      thread.handling = handling;
    }
  }

  /** Changes every {@link HandlerWatch#PERIOD_NS} while a batch goes on. */
  public int ticks() {
    return watch.ticks();
  }

  /** By its thread, after a tick: whether what waits behind a long batch is left to this one. */
  public boolean takesTurns() {
    return overdue && watch.leavesTo(this);
  }

  private void wake() {
    if (started && !ended) {
      LockSupport.unpark(owner);
    } else {
      start();
    }
  }

  private synchronized void start() {
    if (ended || (closed && !started)) {
      ended = true;
      startLate();
    } else if (started) {
      LockSupport.unpark(owner); // it may have looked at the queue and parked in the meantime
    } else {
      owner.start(); // looks at the queue first
      started = true;
    }
  }

  private synchronized void end() { // by its last thread
    ended = true;
    parked = true; // before the queue is looked at
    startLate();
  }

  private void startLate() { // with this held, after the end
    if (!queue.isEmpty()) {
      late.start(runLate);
    }
  }

  private void runLate() {
    for (Work work = pollLate(); work != null; work = pollLate()) {
      if (late.run(work)) {
        queue.add(work);
      }
    }
  }

  private synchronized @Nullable Work pollLate() {
    return queue.poll();
  }

  void run(HandlerThread thread) {
    awaitReplacement();
    parked = false;
    boolean goesOn = true;
    while (goesOn && owns(thread)) {
      goesOn = tryLook(thread);
    }
    if (goesOn) {
      replacements.ended(thread);
      LockSupport.unpark(owner); // parked may have been set to what it was for this thread
    }
  }

  /** A thread may run before it is the owner, which it becomes with this held. */
  private synchronized void awaitReplacement() {}

  /** No memory may show anywhere, also where it is told of; nobody else has this queue. */
  private boolean tryLook(HandlerThread thread) {
    try {
      return look(thread);
    } catch (Throwable e) {
      help.tellOf(e); // and nothing else, for which there might be no memory either
      return true;
    }
  }

  /** Runs what there is, or waits for it; false at the end. */
  private boolean look(HandlerThread thread) {
    Work work = help.isAsked() ? help.takeOfAll() : queue.poll();
    if (work != null) {
      runWork(thread, work);
    } else if (closed && queue.isEmpty()) {
      end();
      watch.rescue(); // others may have counted on this one
      return false;
    } else {
      idle();
    }
    return true;
  }

  @SuppressWarnings("ReferenceEquality") // a thread is asked for itself
  private boolean owns(HandlerThread thread) {
    return owner == thread;
  }

  /** By a thread of this: whether the watch writes what that puts off for pipes of a flusher. */
  boolean isWatched(HandlerThread thread, Flusher flusher) {
    return owns(thread) && watch.flushes(flusher);
  }

  private void runWork(HandlerThread thread, Work work) {
    thread.begin(work); // before the watch is read
    boolean more = true; // unless it was begun
    try {
      watch.wake();
      SendContext context = SendContext.current();
      context.beginBatch(thread);
      try {
        more = false;
        more = work.run(this);
      } finally {
        forgetInterrupt();
        context.endBatch();
        forgetInterrupt(); // of inline handlers of other nodes, which may have run by that
      }
    } catch (Throwable e) { // whatever a handler does, the pool goes on
      errors.report("handler thread", e); // even a text may need heap where it comes first
    } finally {
      goOn(thread, work, more);
    }
  }

  private void goOn(HandlerThread thread, Work work, boolean more) {
    thread.end();
    if (overdue && owns(thread)) {
      overdue = false;
    }
    hasWaited(thread);
    if (more) {
      submit(work); // who has just taken the place of this thread may be asleep
    }
  }

  /**
   * By its thread, after each handler: an interrupt that one has left behind is not meant for the
   * next, and would end every park at once. One of {@link #interrupt} is kept.
   */
  public void forgetInterrupt() {
    if (Thread.currentThread().isInterrupted() && !closed) {
      boolean _ = Thread.interrupted();
    }
  }

  /**
   * By its thread, which is about to wait: lets another one go on, if there may be one more, or
   * those that there are.
   */
  void handOn(HandlerThread thread) {
    if (closed) {
      waits(thread);
      return;
    }
    if (owns(thread)) {
      tryReplace(thread);
      waits(thread);
    }
    Work waiting = thread.running;
    if (waiting != null) {
      thread.running = null; // first: whatever becomes of it, this is done once
      waiting.handOn(this); // nobody but this thread knows how far it is
    }
  }

  /** By its thread, which is about to wait, and if it is the owner has nobody in its place. */
  void waits(HandlerThread thread) {
    if (owns(thread)) {
      setWaits(thread, true);
      if (!queue.isEmpty()) {
        watch.askFor(this);
      }
      watch.rescue();
    }
  }

  /** By its thread, after that. */
  void hasWaited(HandlerThread thread) {
    if (waits && owns(thread)) {
      setWaits(thread, false);
    }
  }

  private synchronized void setWaits(HandlerThread thread, boolean now) {
    if (owns(thread)) {
      waits = now;
    }
  }

  /**
   * By the watch: if the thread of this worker waits in a handler for something outside of this
   * library another one goes on with the queue. What it is doing stays with it.
   */
  void replaceIfWaiting() {
    HandlerThread thread = owner;
    if (!closed && thread.isWaiting()) {
      tryReplace(thread);
    }
  }

  /**
   * Unless enough wait, or there is no memory: then it goes on after its wait. With this held from
   * the first look on, as the thread and the watch may want the same: a thread counts once, and who
   * comes too late does not take it out of those that wait.
   */
  @SuppressWarnings("ReferenceEquality") // a thread is asked for itself
  private synchronized void tryReplace(HandlerThread thread) {
    if (owns(thread) && replacements.tryTake(thread)) {
      try {
        replace(thread);
      } finally {
        if (owner == thread) { // nothing is called: its stack may be at its end
          thread.waitsApart = false;
        }
      }
    }
  }

  /** With this held: puts another thread in the place of the owner, unless there is no memory. */
  private void replace(HandlerThread thread) {
    HandlerThread successor = new HandlerThread(this, name + "-" + ++generation, threadStarted);
    try {
      successor.start(); // it looks for itself once this is over
    } catch (Error e) {
      errors.report("a thread in place of one that waits", e);
      return;
    }
    owner = successor; // not before: the thread may see it at once, and end
    overdue = false;
    waits = false;
    LockSupport.unpark(thread); // it may have found nothing to do just now, and would wait for ever
  }

  private void idle() {
    forgetInterrupt(); // one that came after its handler had returned
    if (place.spins() && spin()) {
      return;
    }
    parked = true;
    if (queue.isEmpty() && !help.isAsked() && !closed) {
      Pause.idle(this);
    }
    parked = false;
  }

  private boolean spin() {
    long beganNs = System.nanoTime();
    long spinNs = place.begin(active, beganNs);
    long nowNs = beganNs;
    int rounds = 0;
    while (nowNs - beganNs < spinNs && !closed) {
      for (int poll = 0; poll < POLLS_PER_CLOCK; poll++) {
        if (!queue.isEmpty() || help.isAsked()) {
          place.succeeded();
          return true;
        }
        Pause.look();
      }
      long lastNs = nowNs;
      nowNs = System.nanoTime();
      place.gap(lastNs, nowNs);
      Pause.spinning(++rounds);
    }
    if (spinNs > 0) {
      place.failed();
    }
    return false;
  }

  /** Ends the thread once its queue is empty; waits for it for a bounded time, unless it calls. */
  void close(long deadlineNs) throws InterruptedException {
    synchronized (this) {
      closed = true;
    }
    HandlerThread thread = owner;
    LockSupport.unpark(thread);
    thread.awaitEnd(deadlineNs);
  }

  /** Interrupts the thread if it goes on, unless it calls. */
  void interrupt() {
    owner.interruptByOther();
  }
}
