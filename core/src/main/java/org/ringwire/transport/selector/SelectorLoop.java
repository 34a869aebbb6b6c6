package org.ringwire.transport.selector;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.ActiveThread;
import org.ringwire.idle.Gathering;
import org.ringwire.idle.HeapRetry;
import org.ringwire.idle.Pause;
import org.ringwire.idle.WaitingPlace;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.support.InterestQueue;
import org.ringwire.transport.support.TransportLog;
import org.ringwire.transport.support.TransportThreads;
import org.ringwire.transport.support.TurnPace;

/**
 * An I/O thread: waits for its channels and for news of other threads, and serves them.
 *
 * <p>Other threads reach the loop through {@link #signal} and {@link #shutdown} only. The loop
 * sleeps in {@code select} without a time limit unless an entry has a deadline, so an idle loop
 * costs nothing. <em>No news is slept over:</em> the loop writes {@code asleep}, then reads the
 * queue; a producer adds to the queue, then reads {@code asleep}. All four are volatile, so either
 * the loop sees the news or the producer sees the sleeper and wakes it, and a wake-up before the
 * select makes the select return at once.
 *
 * <p><em>Spinning</em> ({@link WaitingPlace}): after a link brought input, the loop goes on to read
 * that link directly, without the selector, until the link was silent for the time that the place
 * has given, or there are no cores for it any more; now and then it looks at the selector for
 * everybody else. Links that a waiting requester reads itself do not keep the loop spinning. On a
 * single core it offers the core instead, and looks at an {@link AwaitedLink} then.
 *
 * <p><em>Gathering</em> ({@link Gathering}): after a round of much input the loop first lets more
 * of it come, a few microseconds in which it looks at nothing, whatever the strategy.
 *
 * <p>Whatever an entry throws, an {@link Error} included, ends that entry with it as the cause; the
 * loop goes on ({@link EntryTurns}).
 */
public final class SelectorLoop implements Runnable {

  /** Rounds of spinning between two looks at the selector. */
  private static final int ROUNDS_PER_SELECT = 32;

  /** Time after which a round of spinning begins with such a look: handlers may be slow. */
  private static final long SELECT_NS = TurnPace.TURN_NS;

  /** Links that are read directly while spinning; more of them wait for the selector's turn. */
  private static final int MAX_ACTIVE = 8;

  private static final long OUT_OF_MEMORY_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final TransportLog LOG = TransportLog.of(SelectorLoop.class);

  private final Thread thread;
  private boolean starved; // the last round had no memory
  private final WaitingPlace place;
  private final ActiveThread activeThread = new ActiveThread();
  private final InterestQueue queue = new InterestQueue();
  private InterestQueue.@Nullable Node taken; // out of the queue, not applied yet
  private final Deadlines deadlines = new Deadlines();
  private final List<SelectorEntry> active = new ArrayList<>();
  private final Queue<LingeringClose> lingering = new ArrayDeque<>(LingeringClose.MOST_NEW);
  private final long newNs;

  /**
   * Those that the selector has told of: served when it has returned, because of what it calls
   * itself, nested so deep, the compiler would not inline what is done for each message.
   */
  private final List<SelectionKey> ready = new ArrayList<>();

  private final Consumer<SelectionKey> isReady = ready::add;
  private final Runnable forceAll = this::forceAll; // made before: then there may be no heap
  private final Runnable closing = this::tryCloseSelector; // as well
  private final AwaitedLink awaited;
  private final Gathering gathering = Gathering.ofProcess();
  private final ReadBuffer readBuffer = new ReadBuffer(ReadBuffer.LOOP_CAPACITY);
  private volatile Selector selector;
  private int round;
  private long spinNs; // of the time in which links are active
  private long spunNs;
  private long selectedNs; // while it spins
  private final LoopEnd end = new LoopEnd();
  private boolean broken;
  private List<SelectionKey> lost = List.of(); // with a selector, if there is no other
  private InterestQueue.@Nullable Node refused; // came too late
  private @Nullable List<EntryEnds.Forced> forced; // did not end in time
  private volatile boolean asleep;
  private volatile boolean shutdown;

  private SelectorLoop(TransportConfig config, WaitingPlace place, Selector selector, String name) {
    EntryTurns.load();
    this.selector = selector;
    this.place = place;
    awaited = new AwaitedLink(place);
    newNs = config.connectTimeout().toNanos();
    thread = TransportThreads.create(config, name, this);
  }

  /**
   * Starts the n-th I/O thread of a transport.
   *
   * @param role part of its name: a node may have two transports
   */
  public static SelectorLoop start(TransportConfig config, String role, int number) {
    return start(config, WaitingPlace.of(config.idleStrategy()), role, number);
  }

  /** The same, where that thread waits in a given place. */
  static SelectorLoop start(TransportConfig config, WaitingPlace place, String role, int number) {
    LingeringClose.prepare();
    String name = "ringwire-" + config.nodeId() + "-" + role + "-" + number;
    Selector selector;
    try {
      selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot open a selector: " + DescriptorLimit.explain(e), e);
    }
    SelectorLoop loop = null;
    boolean started = false;
    try {
      loop = new SelectorLoop(config, place, selector, name);
      loop.thread.start();
      started = true;
      return loop;
    } finally {
      if (!started) { // there is no heap for it, or no memory for a thread
        SelectorEntry.closeQuietly(selector);
        if (loop != null) {
          loop.readBuffer.close();
        }
      }
    }
  }

  /**
   * Leaves interests of an entry for the loop; any thread.
   *
   * @return false if the loop has ended
   */
  boolean signal(SelectorEntry entry, int interests) {
    InterestQueue.Outcome outcome = queue.add(entry, interests);
    if (outcome == InterestQueue.Outcome.FIRST) {
      wake();
    }
    return outcome != InterestQueue.Outcome.ENDED;
  }

  private void wake() {
    if (asleep) { // pairs with the write in sleep()
      selector.wakeup();
    }
  }

  /** Makes the loop close everything and end; any thread. */
  public void shutdown() {
    shutdown = true;
    wake();
  }

  /** The thread, to wait for its end. */
  public Thread thread() {
    return thread;
  }

  /** The selector of this loop; the loop only. */
  Selector selector() {
    return selector;
  }

  /** Whether this loop may do anything else than sleep until the selector tells of input. */
  public boolean mayDelay() {
    return place.mayDelay();
  }

  /** The buffer of this loop; the loop only. */
  public ReadBuffer readBuffer() {
    return readBuffer;
  }

  /** A link has brought so many bytes by now; the loop only. */
  void brought(long length) {
    gathering.brought(length);
  }

  /** What lingers of new links, in their order; the loop only. */
  Queue<LingeringClose> lingering() {
    return lingering;
  }

  /**
   * Whether a link that was made at that time may be one of which nobody knows yet who is there: a
   * handshake, and one of TLS before it, have ended after as long as attempts may take.
   */
  boolean isNew(long linkMadeNs) {
    return System.nanoTime() - linkMadeNs - newNs < newNs;
  }

  /** Calls {@link SelectorEntry#expired} of an entry at a time; the loop only. */
  public void schedule(SelectorEntry entry, long deadlineNs) {
    deadlines.schedule(entry, deadlineNs);
  }

  /** Forgets the time of an entry; the loop only. */
  public void unschedule(SelectorEntry entry) {
    deadlines.unschedule(entry);
  }

  /** Whether this loop ends, and entries should not linger for long; the loop only. */
  boolean isEnding() {
    return end.hasBegun();
  }

  /**
   * A link has brought input: spin on it, or offer the core for it, if that may be; the loop only.
   *
   * @return whether it does, until it calls {@link SelectorEntry#deactivated}
   */
  public boolean activate(SelectorEntry link, long nowNs) {
    if (active.isEmpty()) {
      spinNs = place.begin(activeThread, nowNs);
      spunNs = nowNs;
      if (!awaited.isDue()) { // else it looks at that link, not at the selector
        selectedNs = nowNs;
      }
    } else {
      place.succeeded();
    }
    if (active.contains(link)) {
      return true;
    }
    boolean spins = spinNs > 0 && active.size() < MAX_ACTIVE && active.add(link);
    return spins || (spinNs == 0 && awaited.brought(link, nowNs));
  }

  @Override
  public void run() {
    try {
      while (!broken && !tryWork()) {}
    } finally {
      end();
    }
  }

  /** Once more if there was no heap for all of them: they stay where they are until then. */
  private void forceAll() {
    while (refused != null) {
      EntryEnds.refuse((SelectorEntry) refused);
      refused = refused.unlink();
    }
    if (forced == null) { // once: they may lose their registrations by it
      forced = EntryEnds.forced(broken ? lost : EntryEnds.keysOf(selector));
    }
    EntryEnds.force(forced);
  }

  private void end() {
    try {
      refused = queue.end();
      HeapRetry.run(this, forceAll); // nobody else would end them
    } finally {
      try {
        closeSelector();
      } finally {
        readBuffer.close();
      }
    }
  }

  /** One round, for which there may be no memory: then the next one finds what is left of it. */
  private boolean tryWork() {
    try {
      return doWork();
    } catch (OutOfMemoryError e) {
      starved = true; // and nothing else, for which there might be no memory either
      return false;
    }
  }

  /** One round; returns whether it was the last. */
  private boolean doWork() {
    if (starved) {
      starved = false;
      ready.clear(); // what is ready stays so
      Pause.starved(this, OUT_OF_MEMORY_PAUSE_NS);
    }
    Thread.interrupted(); // left behind by a handler, it would end every select at once
    applyInterests();
    if (deadlines.nextNs() != SelectorEntry.NEVER) {
      deadlines.expire(System.nanoTime());
    }
    try {
      if (shutdown && finished()) {
        return true;
      }
      if (gathering.isDue() && queue.isEmpty()) { // else who asks again would keep it from others
        gather();
      } else if (active.isEmpty() && !awaited.isDue()) {
        sleep();
      } else {
        spin();
      }
    } catch (OutOfMemoryError e) { // the selector is good
      throw e;
    } catch (Throwable e) {
      replaceSelector(e);
    }
    return false;
  }

  private void applyInterests() {
    InterestQueue.Node node = taken == null ? queue.takeAll() : taken;
    while (node != null) {
      taken = node.unlink(); // those behind it are not lost if this round comes to no end
      EntryTurns.apply((SelectorEntry) node, node.takeInterests(), end.hasBegun());
      node = taken;
    }
  }

  private void sleep() throws IOException {
    long timeoutMs = timeoutMs();
    asleep = true; // volatile; pairs with the read in wake()
    if (!queue.isEmpty() || shutdown != end.hasBegun() || timeoutMs < 0) {
      asleep = false;
      selector.selectNow(isReady);
    } else {
      selector.select(isReady, timeoutMs);
      asleep = false; // news of this thread itself need no wake-up
    }
    dispatchReady();
  }

  /** Lets more of what comes in bulk gather, rather than to sleep and be woken for each piece. */
  private void gather() throws IOException {
    boolean goesOn = true;
    for (int i = 0; goesOn && ready.isEmpty() && queue.isEmpty(); i++) {
      goesOn = gathering.pause(i);
      selector.selectNow(isReady);
    }
    gathering.ended(!ready.isEmpty() || !queue.isEmpty());
    dispatchReady();
  }

  /** Time to sleep: 0 for ever, negative not at all. */
  private long timeoutMs() {
    long wakeNs = end.wakeNs(deadlines.nextNs());
    if (wakeNs == SelectorEntry.NEVER) {
      return 0;
    }
    long leftNs = wakeNs - System.nanoTime();
    return leftNs <= 0 ? -1 : (leftNs + 999_999) / 1_000_000;
  }

  private void spin() throws IOException {
    if (++round % ROUNDS_PER_SELECT == 0 || spunNs - selectedNs > SELECT_NS) {
      selectedNs = spunNs;
      selector.selectNow(isReady);
      dispatchReady();
    }
    if (awaited.isDue()) {
      awaited.look();
      return;
    }
    long nowNs = System.nanoTime();
    place.gap(spunNs, nowNs);
    if (!place.mayGoOn(nowNs)) {
      deactivateAll();
      return;
    }
    boolean inVain = dropSilent(nowNs);
    boolean any = lookAtActive();
    spunNs = System.nanoTime();
    if (active.isEmpty() && inVain) {
      place.failed();
    } else if (!any) {
      Pause.spinning(round);
    }
  }

  /** Returns whether there were some that have been silent for all of their time. */
  private boolean dropSilent(long nowNs) {
    boolean inVain = false;
    for (int i = active.size() - 1; i >= 0; i--) {
      SelectorEntry link = active.get(i);
      boolean silent = link.isSilent(nowNs, spinNs);
      if (silent || !link.isActive()) {
        active.remove(i);
        inVain |= silent;
        EntryTurns.deactivate(link);
      }
    }
    return inVain;
  }

  /** Returns whether there was input, as far as known. */
  private boolean lookAtActive() {
    int looks = active.isEmpty() ? 0 : Integer.MAX_VALUE;
    for (int i = active.size() - 1; i >= 0; i--) {
      looks = Math.min(looks, active.get(i).looks());
    }
    if (active.size() == 1) {
      return EntryTurns.look(active.getFirst(), looks);
    }
    boolean any = false;
    for (int n = 0; n < looks && !any && queue.isEmpty(); n++) {
      if (n > 0) {
        Pause.look();
      }
      for (int i = active.size() - 1; i >= 0; i--) {
        any |= EntryTurns.look(active.get(i), 1);
      }
    }
    return any;
  }

  private void deactivateAll() {
    while (!active.isEmpty()) {
      EntryTurns.deactivate(active.removeLast());
    }
  }

  /** Serves those that the selector has told of. */
  private void dispatchReady() {
    for (int i = 0; i < ready.size(); i++) {
      SelectionKey key = ready.get(i);
      if (key.isValid()) { // one before it may have ended it
        EntryTurns.dispatch((SelectorEntry) key.attachment(), key.readyOps());
      }
    }
    ready.clear();
  }

  /** The selector itself failed, which takes all its links down, but not the loop; only that. */
  void replaceSelector(Throwable cause) {
    LOG.log(System.Logger.Level.ERROR, "selector failed; its links are closed", cause);
    ready.clear();
    EntryEnds.endAll(EntryEnds.keysOf(selector), cause);
    List<SelectionKey> keys = EntryEnds.keysOf(selector);
    closeSelector();
    try {
      selector = Selector.open();
      for (SelectionKey key : keys) {
        ((SelectorEntry) key.attachment()).remain(key.channel());
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.ERROR, "no new selector; " + thread.getName() + " ends", e);
      broken = true;
      lost = keys;
    }
  }

  /** Once the loop shall end: whether nothing is left, or has taken too long. */
  private boolean finished() throws IOException {
    if (!end.hasBegun()) {
      end.begin(selector, deadlines);
    }
    selector.selectNow(isReady); // forgets the keys of channels that were closed
    dispatchReady();
    return (selector.keys().isEmpty() && queue.isEmpty()) || end.isOverdue();
  }

  /** Once more if there was no heap for it: a selector has two descriptors. */
  private void closeSelector() {
    HeapRetry.run(this, closing);
  }

  private void tryCloseSelector() {
    try {
      selector.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "cannot close a selector", e);
    }
  }
}
