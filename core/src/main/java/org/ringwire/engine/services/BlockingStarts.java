package org.ringwire.engine.services;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.Pause;

/**
 * Gives calls of blocking handlers their virtual threads, to each link in turn. Virtual threads
 * begin in the order in which they were started, and keep their core until they wait: if each
 * message had its thread at once, the many of one peer would all come before the first of another
 * one. So only {@link #MOST} have a thread and have not begun; what comes meanwhile waits here, and
 * when all have begun, as many of those get theirs, by turns. How many have begun is not bounded:
 * they may wait for each other.
 *
 * <p>Not sooner: threads that are started by virtual ones are in another queue of the JDK's than
 * those that a reading thread has started, and who takes from a queue goes on with it until it is
 * empty. If there were always another one in it, those in the other queue would never begin.
 *
 * <p>Nobody is forgotten. Whoever adds a call looks at {@code unbegun} after that, and whoever
 * makes that zero looks for calls: the later sees what the other has written. What is counted is a
 * thread that will begin, or one in {@link #startWaiting} that looks again when it has taken it
 * back. If a count may be lost all the same, as somebody's stack has ended just then, or a thread
 * runs late whose start has thrown, that is noted, and the timer begins to count anew when it finds
 * that nobody begins ({@link #look}). It also starts what somebody's stack was too short for.
 *
 * <p>Who starts others has something else to do, its own handler for example, and others may come
 * for as long as it does that. So it starts no more than {@link #MOST}. The last of those begins
 * later, and looks as well.
 *
 * <p>A start may throw although its thread runs, where the stack of who starts it ends. So a call
 * is taken, once, by its thread, or by who has caught that.
 *
 * <p>Where no thread can be made the call waits in its line, the first, as the others do behind it:
 * it keeps what it has taken of the window, so that a peer does not send more and more. It is tried
 * again when another one comes or begins, and by the timer.
 *
 * <p>Who waits for the lock of the lines spins. Those who have it do a few writes and call nothing,
 * and a monitor would let reading threads queue behind virtual threads that have no core.
 *
 * <p>Any thread.
 */
public final class BlockingStarts {

  /** Few enough that others soon have their turn; a core that has begun one starts the next. */
  static final int MOST = 64;

  private static final VarHandle LOCKED;

  static {
    try {
      LOCKED = MethodHandles.lookup().findVarHandle(BlockingStarts.class, "locked", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** A message for a blocking handler. Once. */
  public abstract static class Call {
    private final AtomicBoolean taken = new AtomicBoolean();
    private @Nullable Call next; // with the lock of the starts: behind it in its line
    private @Nullable Line line; // which waits, or has waited, for this

    /** One that is not added yet. */
    protected Call() {}

    /** All that its thread does. */
    public abstract void runToEnd();

    /** In place of that: its thread cannot be started, for another reason than want of memory. */
    public abstract void notStarted(Throwable cause);

    private boolean tryTake() {
      return taken.compareAndSet(false, true);
    }
  }

  /** Those of one link that wait for a thread. */
  public static final class Line {
    private @Nullable Call first; // with the lock of the starts, as all; null if nobody waits
    private @Nullable Call last;
    private @Nullable Line next; // whose turn is after this one's

    /** Nobody waits. */
    public Line() {}
  }

  private final Consumer<Runnable> threads;
  private final AtomicInteger unbegun = new AtomicInteger();
  private volatile boolean locked; // given back by an assignment: a call may find no stack
  private @Nullable Line turn; // locked, as the next: of those in which somebody waits
  private @Nullable Line lastTurn;
  private volatile int waiting; // written while locked
  private volatile @Nullable Call left; // likewise: to the timer, with those that are next
  private volatile boolean hasBegun; // one, since the timer has looked
  private volatile boolean mayHaveLost; // a count

  /**
   * None yet.
   *
   * @param threads makes a virtual thread and starts it, or throws
   */
  public BlockingStarts(Consumer<Runnable> threads) {
    this.threads = threads;
    lock(); // for the first time, which needs heap
    locked = false;
  }

  /** A message has come. If something is thrown, its call is over. */
  public void add(Line line, Call call) {
    call.line = line;
    if (waiting > 0 || !tryCount()) {
      enter(line, call);
      if (unbegun.get() == 0) {
        startThose();
      }
      return;
    }
    try {
      start(call);
    } catch (OutOfMemoryError e) {
      if (call.tryTake()) {
        putBack(call);
        takeBack();
      }
    } catch (Throwable e) {
      mayHaveLost = true; // what follows may find no stack
      if (call.tryTake()) {
        uncount();
        throw e;
      } // else it runs
    }
  }

  private void start(Call call) {
    threads.accept(new Begun(this, call));
  }

  /** No lambda: one that finds no heap where it comes first is lost for ever. */
  private record Begun(BlockingStarts starts, Call call) implements Runnable {
    @Override
    public void run() {
      if (call.tryTake()) {
        try {
          starts.hasBegun = true;
          starts.uncount();
        } finally {
          call.runToEnd();
        }
      }
    }
  }

  /**
   * By the timer, now and then. That nobody begins may also be because handlers keep all cores, so
   * alone it is no sign that a count was lost: more threads would take the turns of others.
   */
  public void look() {
    if (waiting > 0 && !hasBegun && mayHaveLost) {
      mayHaveLost = false;
      unbegun.set(0);
    }
    hasBegun = false;
    startLeft();
    if (waiting > 0 && unbegun.get() == 0) {
      startThose();
    }
  }

  private void startLeft() {
    Call call = left == null ? null : takeLeft();
    while (call != null) {
      Call following = call.next;
      call.next = null;
      unbegun.incrementAndGet(); // whatever there may be at a time
      try {
        if (call.taken.get() || !tryStart(call)) {
          takeBack();
        }
      } catch (OutOfMemoryError e) {
        takeBack();
      }
      call = following;
    }
  }

  private void lock() {
    for (int round = 0; locked || !LOCKED.compareAndSet(this, false, true); round++) {
      Pause.locked(round);
    }
  }

  /** This, and all that follows, needs no heap; nothing is called, as the stack may end there. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // locked
  private void enter(Line line, Call call) {
    lock();
    try {
      Call before = line.last;
      line.last = call;
      if (before != null) {
        before.next = call;
      } else {
        line.first = call;
        Line lineBefore = lastTurn;
        lastTurn = line;
        if (lineBefore == null) {
          turn = line;
        } else {
          lineBefore.next = line;
        }
      }
      waiting++;
    } finally {
      locked = false;
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // locked
  private @Nullable Call leave() {
    lock();
    try {
      Line line = turn;
      Call call = line == null ? null : line.first;
      if (line == null || call == null) {
        return null;
      }
      line.first = call.next;
      call.next = null;
      Line following = line.next;
      if (line.first == null) {
        line.last = null;
        turn = following;
        lastTurn = following == null ? null : lastTurn;
      } else if (following != null) { // else it is its turn again
        turn = following;
        Line lineBefore = lastTurn;
        if (lineBefore != null) {
          lineBefore.next = line;
        }
        lastTurn = line;
      }
      line.next = null;
      waiting--;
      return call;
    } finally {
      locked = false;
    }
  }

  /** Who has taken it could not start it: it is the next one of its line. Needs no heap, either. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // locked
  private void putBack(Call call) {
    Line line = Objects.requireNonNull(call.line);
    mayHaveLost = true; // its thread may run late, and the next one then finds nothing to do
    call.taken.set(false); // before anybody can find it
    lock();
    try {
      Call following = line.first;
      call.next = following;
      line.first = call;
      if (following == null) {
        line.last = call;
        line.next = turn;
        turn = line;
        lastTurn = lastTurn == null ? line : lastTurn;
      }
      waiting++;
    } finally {
      locked = false;
    }
  }

  /**
   * The stack of who was to start it is too short. There is enough for this: {@link #leave} has
   * just needed as much.
   */
  private void leaveToTimer(Call call) {
    lock();
    call.next = left;
    left = call;
    locked = false;
  }

  private @Nullable Call takeLeft() {
    lock();
    Call first = left;
    left = null;
    locked = false;
    return first;
  }

  private boolean tryCount() {
    int count = unbegun.get();
    while (count < MOST) {
      int seen = unbegun.compareAndExchange(count, count + 1);
      if (seen == count) {
        return true;
      }
      count = seen;
    }
    return false;
  }

  /** One has begun, or does not. */
  private void uncount() {
    if (takeBack() == 0 && waiting > 0) {
      startThose();
    }
  }

  /** Not below zero, as the timer may have forgotten it. */
  private int takeBack() {
    int count = unbegun.get();
    while (true) {
      int left = Math.max(0, count - 1);
      int seen = unbegun.compareAndExchange(count, left);
      if (seen == count) {
        return left;
      }
      count = seen;
    }
  }

  /** The caller has something else to do, whatever becomes of these; the timer comes again. */
  private void startThose() {
    try {
      startWaiting();
    } catch (Throwable e) {
      mayHaveLost = true; // its stack has ended
    }
  }

  private void startWaiting() {
    int count = 0;
    while (count < MOST && waiting > 0 && tryCount()) {
      Call call = leave();
      boolean starts = false;
      try {
        starts = call != null && tryStart(call);
      } catch (OutOfMemoryError e) {
        takeBack();
        return;
      } catch (StackOverflowError e) {
        if (call != null) {
          leaveToTimer(call);
        }
        takeBack();
        throw e;
      }
      if (starts) {
        count++;
      } else {
        takeBack(); // and looks again
      }
    }
  }

  /** An {@link OutOfMemoryError} says that it waits again. */
  private boolean tryStart(Call call) {
    try {
      start(call);
      return true;
    } catch (StackOverflowError e) {
      throw e; // the stack is this thread's, and no reason to refuse the call
    } catch (Throwable e) {
      if (!call.tryTake()) {
        return true; // it runs
      }
      if (e instanceof OutOfMemoryError) {
        putBack(call);
        throw e;
      }
      tell(call, e);
      return false;
    }
  }

  private static void tell(Call call, Throwable cause) {
    try {
      call.notStarted(cause);
    } catch (Throwable e) { // there is no heap: what needs none is done
    }
  }
}
