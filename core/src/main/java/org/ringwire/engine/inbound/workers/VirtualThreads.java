package org.ringwire.engine.inbound.workers;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Virtual threads of the nodes of a process, for what may wait for long. Any thread.
 *
 * <p><b>What is started runs, once, and what throws does not run.</b> The JDK keeps neither where
 * no native thread can be made for one more carrier. A start may throw although its thread runs. A
 * carrier may end, and a thread that it has just taken is run by nobody. And threads may lie in a
 * queue for ever: if nobody runs any more, somebody is made who does when one is added to an empty
 * queue, but not to one in which there are some. So of several threads for the same body the first
 * runs it, and what has not begun for long is started again, by a thread that has started nothing
 * before, so that it mostly has another queue: who is made for that one comes for the others, too.
 * Each time later than before, as it may be that handlers only keep all cores.
 *
 * <p>Those that have not begun are in a table, unless they begin at once. Who begins says so, and
 * then looks where it is in the table; who enters it there looks after that whether it has begun.
 * So nothing stays there. What finds no room there is not started again, but who comes for others
 * comes for it as well.
 */
public final class VirtualThreads {

  /** Those of the process. */
  public static final VirtualThreads PROCESS =
      new VirtualThreads(Thread::start, VirtualThreads::runElsewhere);

  private static final int PLACES = 1024;
  private static final int TRIED_PLACES = 16;

  /** Between two looks, whichever nodes make them. */
  private static final long ROUND_NS = TimeUnit.MILLISECONDS.toNanos(400);

  private static final int FIRST_ROUNDS = 2;
  private static final int MOST_ROUNDS = 64;

  /** What was started and may not have begun; true when somebody has taken it. */
  @SuppressWarnings("serial") // it never is
  private static final class Start extends AtomicBoolean {
    private final String name;
    private final @Nullable ClassLoader context;
    private final Runnable body;
    private volatile int place; // before it is there
    private int dueRound; // in the table with the lock, as the next
    private int rounds = FIRST_ROUNDS;

    Start(String name, @Nullable ClassLoader context, Runnable body, int round) {
      this.name = name;
      this.context = context;
      this.body = body;
      dueRound = round + FIRST_ROUNDS;
    }

    boolean tryTake() {
      return compareAndSet(false, true);
    }
  }

  private final Consumer<Thread> starter;
  private final Consumer<Runnable> elsewhere;
  private final Runnable startAgain = this::startAgain; // made before: there may be no heap for it
  private final AtomicReferenceArray<@Nullable Start> unbegun = new AtomicReferenceArray<>(PLACES);
  private volatile int round; // written with the lock, as the next
  private long lookedNs = System.nanoTime();

  /**
   * None yet.
   *
   * @param starter starts a thread, or throws, or both, or the thread never runs
   * @param elsewhere runs something on a thread that has started nothing before
   */
  VirtualThreads(Consumer<Thread> starter, Consumer<Runnable> elsewhere) {
    this.starter = starter;
    this.elsewhere = elsewhere;
  }

  private static void runElsewhere(Runnable task) {
    Thread thread =
        Thread.ofPlatform()
            .name("ringwire-starts")
            .daemon()
            .inheritInheritableThreadLocals(false)
            .unstarted(task);
    thread.setContextClassLoader(null);
    thread.start();
  }

  /**
   * Before there are any, by who will want some: the JDK's class for them makes a thread when it is
   * initialised, and where none can be made just then it is lost for ever.
   */
  public static void prepare() {
    Thread _ = Thread.ofVirtual().unstarted(() -> {});
  }

  /**
   * Starts one. It inherits nothing of the caller, who may be anybody that has read for the node,
   * or has left something to it.
   *
   * @param context class loader that the body finds the application's classes by: of who opened the
   *     node
   */
  public static void start(String name, @Nullable ClassLoader context, Runnable body) {
    PROCESS.begin(name, context, body);
  }

  /** As {@link #start}. */
  void begin(String name, @Nullable ClassLoader context, Runnable body) {
    Start start = new Start(name, context, body, round);
    try {
      Thread thread = begin(start);
      if (!start.get()) {
        enter(start, (int) thread.threadId());
      }
    } catch (Throwable e) {
      if (start.tryTake()) {
        throw e;
      } // else it runs
    }
  }

  private Thread begin(Start start) {
    Thread thread =
        Thread.ofVirtual()
            .name(start.name)
            .inheritInheritableThreadLocals(false)
            .unstarted(() -> run(start));
    thread.setContextClassLoader(start.context);
    starter.accept(thread);
    return thread;
  }

  private void run(Start start) {
    if (start.tryTake()) {
      leave(start);
      start.body.run();
    }
  }

  private void enter(Start start, int near) {
    for (int i = 0; i < TRIED_PLACES; i++) {
      start.place = near + i & PLACES - 1;
      if (unbegun.compareAndSet(start.place, null, start)) {
        if (start.get()) { // after it was entered; pairs with run()
          leave(start);
        }
        return;
      }
    }
  }

  private void leave(Start start) {
    boolean _ = unbegun.compareAndSet(start.place, start, null);
  }

  /** By the timers of all nodes: sees to it that what has not begun for long is started again. */
  public void look(long nowNs) {
    if (isAnyDue(nowNs)) {
      try {
        elsewhere.accept(startAgain);
      } catch (OutOfMemoryError e) { // there are still no threads
        return;
      }
    }
  }

  private synchronized boolean isAnyDue(long nowNs) {
    if (nowNs - lookedNs < ROUND_NS) {
      return false; // another node has looked
    }
    lookedNs = nowNs;
    int next = round + 1;
    round = next;
    boolean due = false;
    for (int i = 0; i < PLACES && !due; i++) {
      due = isDue(unbegun.get(i));
    }
    return due;
  }

  private boolean isDue(@Nullable Start start) {
    return start != null && start.dueRound - round <= 0;
  }

  private synchronized void startAgain() {
    try {
      for (int i = 0; i < PLACES; i++) {
        Start start = unbegun.get(i);
        if (start != null && start.get()) { // begun, or thrown by who had no stack to enter it
          leave(start);
        } else if (start != null && isDue(start)) {
          Thread _ = begin(start); // first: what throws stays due
          start.rounds = Math.min(2 * start.rounds, MOST_ROUNDS);
          start.dueRound = round + start.rounds;
        }
      }
    } catch (OutOfMemoryError e) { // the next look tries again
      return;
    }
  }
}
