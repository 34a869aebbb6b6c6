package org.ringwire.transport.selector;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.Pause;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.support.EndedLink;
import org.ringwire.transport.support.FirstFailure;
import org.ringwire.transport.support.Gate;
import org.ringwire.transport.support.TransportLog;

/**
 * A link with a channel that a selector watches: who is in it, who reads it, and how it ends.
 *
 * <p><em>Threads.</em> The loop opens, reads, reports writability and closes. One other thread at a
 * time may be inside {@link #write} (the engine's role of consumer sees to that), and one may read
 * instead of the loop ({@link LinkReader}).
 *
 * <p><em>Closing.</em> Who leads is inside while it has the role of reading, and the one writer
 * says that it is there, by an assignment; both leave by one, so that also a thread leaves that has
 * come to the end of its stack. A {@link Gate} counts the others, and lets nobody in after the
 * close. The last one to leave then leaves the CLOSE interest, and the loop frees what the link has
 * and calls {@link LinkHandler#closed}. Since nobody enters any more, nothing follows that call,
 * and no thread ever uses a channel, or memory, that is taken away under it. Bytes written before
 * still arrive: see {@link LingeringClose}.
 *
 * <p><em>Causes.</em> The first failure is the cause of the close.
 */
public abstract class ChannelLink extends SelectorEntry implements Link {

  private static final long NO_HEAP_PAUSE_NS = 1_000_000;
  private static final int MOST_TOLD_IN_VAIN = 10_000;
  private static final TransportLog LOG = TransportLog.of(ChannelLink.class);

  /** What the link writes to and is woken by. */
  protected final SocketChannel channel;

  /** The upper side. */
  protected final LinkHandler handler;

  /** Whether the link closes; and who is inside, but for the writer and who leads. */
  protected final Gate gate;

  /** Who reads. */
  protected final LinkReader reader;

  private final String remote;
  private final long madeNs = System.nanoTime();
  private final Runnable leftInput; // made once, as the next: no lead allocates
  private final Runnable seriesBegins;
  private int ops; // the loop only, as are the next three
  private long lastInputNs;
  private boolean ended;
  private boolean told; // that it has ended
  private int toldInVain; // as there was no heap for that

  /** The one writer is inside; it may be at the end of its stack, and no call need succeed. */
  private volatile boolean writing;

  private final FirstFailure cause = new FirstFailure();

  /**
   * A link that is not open yet.
   *
   * @param remote the peer's address, for people
   * @param gate new; shared with the input
   */
  protected ChannelLink(
      SelectorLoop loop,
      SocketChannel channel,
      String remote,
      LinkHandler handler,
      Gate gate,
      LeaderResources leaders,
      LinkInput input) {
    super(loop);
    this.channel = channel;
    this.remote = remote;
    this.handler = handler;
    this.gate = gate;
    reader = new LinkReader(leaders, channel, input, gate, this::readingEnds);
    leftInput = this::askToRead;
    seriesBegins = this::askToAttend;
  }

  /** Tells the handler, and begins to read; the loop only, once. */
  protected final void open() {
    try {
      prepare();
      handler.opened(this);
      reader.open();
      watch(SelectionKey.OP_READ);
      opened();
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** What comes before the handler hears of the link. */
  protected void prepare() throws IOException {}

  /** What comes after it. */
  protected void opened() throws IOException {}

  @Override
  public final boolean write(OutboundSource source) throws IOException {
    try {
      writing = true; // before the gate is read: pairs with tryEnd()
      if (gate.isClosing()) {
        throw EndedLink.exception(cause.get());
      }
      return writeInside(source);
    } catch (IOException e) {
      if (gate.isClosing()) {
        Throwable end = cause.get();
        throw end == null ? e : EndedLink.exception(end); // it fails by that end
      }
      throw writeFailed(e);
    } finally {
      writing = false; // before the gate is read
      if (gate.isClosed()) {
        signal(CLOSE);
      }
    }
  }

  /** {@link #write}, by the one thread that writes, of a link that was not closed. */
  protected abstract boolean writeInside(OutboundSource source) throws IOException;

  /**
   * A write has failed, and not because the link closes.
   *
   * @return what the writer is told
   */
  protected abstract IOException writeFailed(IOException failure);

  @Override
  public final void ringRests() {
    try {
      writing = true; // before the gate is read: pairs with tryEnd()
      if (!gate.isClosing()) {
        restInside();
      }
    } catch (Throwable e) {
      fail(e);
    } finally {
      writing = false; // before the gate is read
      if (gate.isClosed()) {
        signal(CLOSE);
      }
    }
  }

  /** {@link #ringRests}, by the one thread that writes, of a link that was not closed. */
  protected void restInside() throws IOException {}

  @Override
  public final boolean lead(BooleanSupplier done, long deadlineNs) {
    try {
      return !gate.isClosing()
          && !Thread.currentThread().isVirtual()
          && reader.lead(done, deadlineNs, leftInput, seriesBegins);
    } finally { // after the role was given back
      left();
      if (gate.isClosed()) { // pairs with tryEnd()
        signal(CLOSE);
      }
    }
  }

  private void askToRead() {
    signal(READ);
  }

  private void askToAttend() {
    signal(ATTEND);
  }

  /** A thread that wanted to lead has left; the link may end by now. */
  protected void left() {}

  @Override
  public final void wakeLeader() {
    reader.wakeLeader();
  }

  @Override
  public final void resumeReading() {
    if (reader.isDisarmed()) {
      signal(READ);
    }
  }

  @Override
  public final void resumeWriting() {
    try {
      if (gate.enter()) {
        handler.writable();
      }
    } finally {
      leave();
    }
  }

  @Override
  public final String remote() {
    return remote;
  }

  @Override
  public final void close() {
    boolean empty = gate.close() || gate.isClosed();
    reader.wakeLeader();
    if (empty) { // once more, if the loop had no memory to end it
      signal(CLOSE);
    }
  }

  private void leave() {
    if (gate.leave()) {
      signal(CLOSE);
    }
  }

  // The loop.

  /** Watches for these operations, too. */
  protected final void watch(int added) {
    ops |= added;
    setOps(ops);
  }

  /** Watches for these operations no more. */
  protected final void unwatch(int removed) {
    ops &= ~removed;
    setOps(ops);
  }

  /** Somebody leads: stops watching for input for a while. */
  protected final void disarm() {
    if (!reader.isDisarmed() && reader.disarm()) {
      unwatch(SelectionKey.OP_READ);
      loop.schedule(this, System.nanoTime() + LinkReader.TICK_NS);
    }
  }

  /**
   * The handler wants nothing for now: stops watching for input until {@link #resumeReading}. Who
   * calls that has made room and then looks whether the link is disarmed; here it is disarmed, and
   * then the handler is asked once more.
   */
  protected final void pause() throws IOException {
    reader.pause();
    unwatch(SelectionKey.OP_READ);
    if (reader.readOnLoop(loop.readBuffer(), false) != LinkInput.NO_ROOM) {
      watchRead();
    }
  }

  @Override
  protected final void expired(long nowNs) {
    if (gate.isClosing()) {
      return;
    }
    if (reader.isDisarmed() && reader.tryRearm()) {
      watch(SelectionKey.OP_READ);
    }
    if (reader.isAttended() && reader.isSeriesOver()) {
      seriesOver();
    }
    if (reader.isDisarmed() || reader.isAttended()) {
      loop.schedule(this, nowNs + reader.tickNs());
    }
  }

  @Override
  protected final void attend() {
    if (!reader.isAttended()) {
      reader.attend();
      if (!reader.isDisarmed() || reader.pace().isRare()) { // otherwise ticks go on
        loop.schedule(this, System.nanoTime() + LinkReader.TICK_NS);
      }
    }
  }

  /** Leaders have left the link without resting it; nobody does from now on but this. */
  protected void seriesOver() {}

  @Override
  protected void watchRead() {
    if (reader.rearmNow()) {
      if (!reader.isAttended()) {
        loop.unschedule(this);
      }
      watch(SelectionKey.OP_READ);
    } else if (reader.isDisarmed() && (deadlineNs == NEVER || reader.pace().isRare())) {
      reader.pace().often(); // paused, and led by now; or led by another one than for so long
      loop.schedule(this, System.nanoTime() + LinkReader.TICK_NS);
    }
  }

  /**
   * The loop has read something.
   *
   * @param length bytes
   * @return whether it goes on to look at this link by itself
   */
  protected final boolean noteInput(long length) {
    loop.brought(length);
    if (!loop.mayDelay()) {
      return false;
    }
    lastInputNs = System.nanoTime();
    return loop.activate(this, lastInputNs);
  }

  @Override
  protected boolean isActive() {
    return !gate.isClosing() && !reader.isDisarmed();
  }

  @Override
  protected final boolean isSilent(long nowNs, long spinNs) {
    return nowNs - lastInputNs > spinNs;
  }

  private void readingEnds(@Nullable Throwable failure) {
    if (failure == null) {
      close();
    } else {
      fail(failure);
    }
  }

  /** Closes because of a failure; any thread inside. */
  protected final void fail(Throwable failure) {
    try {
      note(failure);
    } finally { // also if there is no memory to explain it
      close();
    }
  }

  /** The cause of the close, if it is the first; any thread inside. */
  protected final void note(Throwable failure) {
    cause.note(explain(failure));
  }

  /** What a failure means, where that does not show; any thread inside. */
  protected Throwable explain(Throwable failure) {
    return failure;
  }

  @Override
  protected final void end(@Nullable Throwable reason) {
    if (reason != null) {
      note(reason);
    }
    close();
    tryEnd();
  }

  @Override
  protected final void tryEnd() {
    if (gate.isClosed() && !writing && !reader.isLed()) { // in this order: pairs with who leaves
      if (!ended && readsOn()) {
        signal(CLOSE); // others have their turns in between
      } else {
        forceEnd();
      }
    }
  }

  /** Reads what the peer had sent before the link ends, for a turn; whether there may be more. */
  protected boolean readsOn() {
    return false;
  }

  @Override
  public final void forceEnd() {
    if (!ended) {
      ended = true;
      finish();
    }
    if (!told) {
      tell();
    }
  }

  private void finish() {
    loop.unschedule(this);
    try {
      giveUp();
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.ERROR, "cannot free what a link had: " + remote, e);
    }
  }

  private void tell() {
    told = true;
    try {
      handler.closed(cause.get());
    } catch (OutOfMemoryError e) {
      // It is told again, for some seconds, or when the link is closed once more; not at once, so
      // that other links of the loop have their turns in between.
      told = false;
      if (toldInVain++ < MOST_TOLD_IN_VAIN) {
        Pause.starved(this, NO_HEAP_PAUSE_NS);
        if (!signal(CLOSE)) {
          throw e; // the loop is at its end, and tries again by itself
        }
      }
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.ERROR, "handler failed at the end of a link: " + remote, e);
    }
  }

  private void giveUp() {
    boolean lingers = false;
    try {
      boolean may = mayLinger();
      reader.close();
      lingers = may && LingeringClose.start(this, channel, loop.isNew(madeNs));
    } finally { // also if there is no heap for that
      try {
        if (!lingers) {
          closeQuietly(channel);
        }
      } finally {
        free();
      }
    }
  }

  /** Whether the peer may still have to learn what was written; nobody is inside any more. */
  protected boolean mayLinger() {
    return !reader.isInputEnded();
  }

  /** Gives up what the link has besides the channel; nobody is inside any more. */
  protected void free() {}
}
