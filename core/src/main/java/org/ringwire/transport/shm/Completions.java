package org.ringwire.transport.shm;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.selector.SelectorEntry;
import org.ringwire.transport.selector.SelectorLoop;
import org.ringwire.transport.support.LostMemory;

/**
 * Completes what the peer is done with, and lets a writer that has waited for that go on.
 *
 * <p><em>Completion.</em> A writer completes what came before it. What is written last is completed
 * by the loop, which looks a few times a second while something is outstanding, and tells the
 * handler, because somebody may wait for the room.
 *
 * <p><em>Writability.</em> The writer sets {@code blocked} before it stalls and looks once more;
 * the loop completes what the peer is done with and then takes {@code blocked} away, if it is set.
 * Who takes it away goes on.
 *
 * <p><em>Each ring makes the writer try again</em>, also one that tells of nothing new. The peer
 * says what it has read, then looks whether to ring, and rings once for an announcement: between
 * its two steps the writer may see what was read, write, stall again, and be rung for that, though
 * nothing was read since. The peer would not ring for the same announcement a second time; so the
 * writer goes on, finds no room, and announces that anew. While a writer waits the loop looks a few
 * times a second besides.
 */
final class Completions extends SelectorEntry {

  private static final long TICK_NS = 50_000_000;
  private static final long LONGEST_TICK_NS = 1_000_000_000;
  private static final VarHandle BLOCKED;

  static {
    try {
      BLOCKED = MethodHandles.lookup().findVarHandle(Completions.class, "blocked", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final OwnSide own;
  private final LinkOutput output;
  private final LinkHandler handler;
  private Consumer<Throwable> fail = failure -> {}; // set before the link is used
  private long tickNs = TICK_NS; // the loop only, as the next
  private boolean stopped;
  private volatile boolean ticking;

  @SuppressWarnings("unused") // by BLOCKED
  private volatile boolean blocked;

  /** Of a link with this output. */
  Completions(SelectorLoop loop, OwnSide own, LinkOutput output, LinkHandler handler) {
    super(loop);
    this.own = own;
    this.output = output;
    this.handler = handler;
  }

  /** What ends the link if completing fails; before the link is used. */
  void failWith(Consumer<Throwable> link) {
    fail = link;
  }

  /**
   * The peer is far behind, or somebody waits for room: the writer, or the loop.
   *
   * @param before what was completed before the writer began to write, and found no room
   * @return whether it may go on nevertheless
   */
  boolean stall(long before) throws IOException {
    blocked = true; // pairs with unblock()
    own.stall();
    output.complete();
    return output.completed() != before && unblock(); // else the peer rings, or the loop has seen
  }

  /** Something was written, to be completed; the writer. */
  void written() {
    if (!ticking && isAwaited()) {
      ticking = true;
      signal(WRITE);
    }
  }

  /** The peer was told of a ring, whose name goes when it has mapped that; the writer. */
  void ringTold() {
    if (!ticking) {
      ticking = true;
      signal(WRITE);
    }
  }

  /** Whether the peer's progress is of interest, and may not be rung for. */
  private boolean isAwaited() {
    return output.outstanding() > 0 || blocked;
  }

  /** Whether a writer waits; any thread. */
  boolean isBlocked() {
    return blocked;
  }

  private boolean unblock() {
    boolean taken = blocked && (boolean) BLOCKED.getAndSet(this, false);
    if (taken) {
      own.unstall();
    }
    return taken;
  }

  /** Completes, and tells the handler if a writer has waited for that; the loop only. */
  void complete() throws IOException {
    if (output.complete() && unblock()) {
      LostMemory.check(); // the handler has locks of its own
      handler.writable();
    }
  }

  /** Completes; the loop only, which would take what else surfaces later for its own error. */
  private boolean look() throws IOException {
    boolean any = output.complete();
    LostMemory.check();
    return any;
  }

  /** Interest of whoever was rung for while a writer waits. */
  @Override
  protected void watchRead() {
    if (stopped) {
      return;
    }
    try {
      boolean _ = look();
      if (unblock()) {
        handler.writable();
      }
    } catch (Throwable e) {
      fail.accept(e);
    }
  }

  /** Interest of a sender that waits for room, though the medium is not full. */
  @Override
  protected void watchRoom() {
    if (stopped) {
      return;
    }
    try {
      boolean any = output.outstanding() == 0 || stall(output.completed());
      LostMemory.check();
      if (any) {
        handler.writable(); // else the peer rings
      }
    } catch (Throwable e) {
      fail.accept(e);
    }
  }

  /** Interest of {@link #written}. */
  @Override
  protected void watchWrite() {
    if (!stopped && ticking) {
      tickNs = TICK_NS;
      loop.schedule(this, System.nanoTime() + tickNs);
    }
  }

  @Override
  protected void expired(long nowNs) throws IOException {
    if (stopped) {
      return;
    }
    if (look()) {
      unblock();
      handler.writable();
    }
    ticking = false; // before the look; a writer looks after it has added to what is awaited
    if (isAwaited() || output.isRingTold()) {
      ticking = true;
      tickNs = Math.min(2 * tickNs, LONGEST_TICK_NS);
      loop.schedule(this, nowNs + tickNs);
    }
  }

  /** The link ends, and nobody is inside any more; the loop only. */
  void stop() {
    stopped = true;
    loop.unschedule(this);
  }

  @Override
  protected void ready(int readyOps) {}

  /** What ends is the link. */
  @Override
  protected void end(@Nullable Throwable cause) {
    if (cause != null) {
      fail.accept(cause);
    }
  }
}
