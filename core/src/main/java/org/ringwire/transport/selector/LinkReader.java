package org.ringwire.transport.selector;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.SelectableChannel;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.Pause;
import org.ringwire.idle.WaitingPlace;
import org.ringwire.transport.support.Gate;

/**
 * Who reads the input of a link: the I/O thread, or a thread that waits for something to arrive and
 * therefore <em>leads</em> the link, which saves the wake-up of one thread by the other.
 *
 * <p><em>The role.</em> Reading, and handing on what was read, needs the role: one word, taken by
 * compare-and-set and given back by a volatile write, so input comes from one thread at a time, in
 * order. The I/O thread takes the role for one round of reading; if it finds a leader it goes away.
 * A leader takes it for as long as it waits; if it finds the I/O thread reading it says so ({@code
 * wanted}), which keeps that from spinning here, and tries again for a moment; if it finds another
 * leader, or no room, it gives up.
 *
 * <p><em>How the channel moves from the selector to a leader.</em> Not at all, at first: the leader
 * just reads. The first input wakes the I/O thread too; it finds the role taken and only then, on
 * its own thread, stops watching the link for input ({@link #isDisarmed}). From then on a response
 * wakes nobody but the leader. <em>And back:</em> the I/O thread looks again every {@link #TICK_NS}
 * and watches the link again after a tick in which nobody led. Where the channel wakes only who
 * waits ({@link LinkInput#wakesOnlyWhoWaits}), a tick in which nobody had to wait is enough.
 *
 * <p><em>The bound.</em> Input that comes when nobody leads waits for the I/O thread for two ticks
 * of one millisecond at most, each rounded up to the next millisecond by the selector: under 4 ms,
 * plus the time until that thread runs. {@link ChannelLink#resumeReading} ends the wait at once.
 * Nothing is missed: the selector reports whatever is unread when it watches again, and an I/O
 * thread that disarms looks at the role again afterwards, while a leader that asks for the I/O
 * thread looks at {@code disarmed} after it gave the role back; one of them sees the other. While
 * one leader stays for long the ticks become rarer ({@link LookPace}); when it leaves it asks for
 * the I/O thread, so the bound holds.
 *
 * <p><em>Input of which the channel need not tell</em> (memory, where nobody rings for who is
 * awake). Whoever gives the role back with nobody to look after it calls {@link LinkInput#rest}
 * while it has it: a leader unless the I/O thread does so after a {@link LeadSeries}, the I/O
 * thread unless it goes on spinning on the link, and then when it stops to. So with the role free,
 * the channel tells of whatever comes, or the I/O thread is awake and about to look or to rest. If
 * the I/O thread cannot rest because the role is taken, then by a leader, who rests after it. What
 * came before the rest was announced is found by the one who rests, who has the role: a leader then
 * leaves it to the I/O thread.
 *
 * <p><em>Waiting.</em> A leader spins for the time that its {@link WaitingPlace} gives it after it
 * began and after each input, offers the core a few times if the place says so, and then parks in a
 * {@link LeaderSeat}. What the place has learned goes from leader to leader, with the role.
 */
public final class LinkReader {

  /** Time between two looks of the I/O thread at a link that is led, in nanoseconds. */
  public static final long TICK_NS = 1_000_000;

  /** Result of {@link #readOnLoop}: a leader has the role. */
  public static final long LED = -1;

  /** How often a leader tries to get the role from an I/O thread that reads. */
  private static final int TAKE_ATTEMPTS = 2_000;

  private static final int FREE = 0;
  private static final int LOOP = 1;
  private static final int LEADER = 2;
  private static final VarHandle ROLE;
  private static final VarHandle LEADS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      ROLE = lookup.findVarHandle(LinkReader.class, "role", int.class);
      LEADS = lookup.findVarHandle(LinkReader.class, "leads", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final LeaderResources resources;
  private final SelectableChannel channel;
  private final LinkInput input;
  private final Gate gate;
  private final Consumer<@Nullable Throwable> end;
  private final WaitingPlace place; // leaders only
  private final LeadSeries series = new LeadSeries();
  private boolean failed; // the owner of the role only, as the next two
  private boolean waited;
  private long beganNs;
  private final LookPace pace = new LookPace();
  private int leadsSeen; // the I/O thread only
  private volatile boolean disarmed; // written by the I/O thread
  private volatile boolean wanted;
  private volatile boolean waiting; // written by leaders
  private volatile @Nullable LeaderSeat seat;

  @SuppressWarnings("unused") // by ROLE
  private volatile int role = LOOP; // until the link is open

  @SuppressWarnings("unused") // by LEADS
  private int leads; // written by the owner of the role

  /**
   * A reader whose role the I/O thread has until {@link #open}.
   *
   * @param channel where a leader waits
   * @param end ends the link: with the failure of a leader, or null where the input has ended
   */
  public LinkReader(
      LeaderResources resources,
      SelectableChannel channel,
      LinkInput input,
      Gate gate,
      Consumer<@Nullable Throwable> end) {
    this.resources = resources;
    this.channel = channel;
    this.input = input;
    this.gate = gate;
    this.end = end;
    place = resources.newPlace();
  }

  /** Ends the time before the link was open; the I/O thread only. */
  public void open() {
    release();
  }

  private boolean tryTake(int taker) {
    return role == FREE && ROLE.compareAndSet(this, FREE, taker); // pairs with release()
  }

  private void release() {
    role = FREE; // volatile; pairs with tryTake(), and with the second look in disarm()
  }

  /**
   * Reads what is there, up to a limit; the I/O thread only.
   *
   * @param heard whether the selector has told of input
   * @return number of bytes, {@link #LED}, or {@link LinkInput#NO_ROOM}
   */
  public long readOnLoop(ReadBuffer buffer, boolean heard) throws IOException {
    if (wanted || !tryTake(LOOP)) {
      return LED;
    }
    try {
      if (heard && !failed) {
        input.heard();
      }
      return read(buffer);
    } catch (Throwable e) {
      failed = true;
      throw e;
    } finally {
      release();
    }
  }

  /**
   * Looks for input, by an I/O thread that spins; it only.
   *
   * @param times how often while there is none and nobody wants to lead
   * @return number of bytes, or {@link #LED}
   */
  public long lookOnLoop(ReadBuffer buffer, int times) throws IOException {
    if (wanted || !tryTake(LOOP)) {
      return LED;
    }
    try {
      long length = read(buffer);
      for (int i = times; i > 1 && length == 0 && !wanted; i--) {
        Pause.look();
        length = read(buffer);
      }
      return length;
    } catch (Throwable e) {
      failed = true;
      throw e;
    } finally {
      release();
    }
  }

  /**
   * Nobody looks at the input until the selector tells of some, unless somebody leads; the I/O
   * thread only.
   *
   * @return false if there is some already, of which the selector may not tell
   */
  public boolean restOnLoop() throws IOException {
    if (!tryTake(LOOP)) {
      return true; // a leader rests when it leaves
    }
    try {
      return failed || input.rest();
    } finally {
      release();
    }
  }

  /**
   * The I/O thread stops watching; it only.
   *
   * @return false if the leader has gone meanwhile, and watching should go on
   */
  public boolean disarm() {
    leadsSeen = (int) LEADS.getOpaque(this);
    pace.often();
    disarmed = true; // volatile; pairs with isDisarmed() in resumeReading()
    if (role == FREE && !wanted) {
      disarmed = false;
      return false;
    }
    return true;
  }

  /** The I/O thread stops watching until {@link #rearmNow}: there is no room; it only. */
  public void pause() {
    disarmed = true; // volatile; pairs with isDisarmed() in resumeReading()
  }

  /**
   * Whether the I/O thread may watch again: since it looked last nobody has led, or where only who
   * waits is woken, has waited while it led; it only.
   */
  public boolean tryRearm() {
    int seen = (int) LEADS.getOpaque(this); // a late value costs one more tick
    boolean busy = input.wakesOnlyWhoWaits() ? waiting : role == LEADER;
    if (busy || seen != leadsSeen) {
      pace.found(busy && seen == leadsSeen);
      leadsSeen = seen;
      return false;
    }
    pace.often();
    disarmed = false;
    return true;
  }

  /** How long until the next look, in nanoseconds; the I/O thread only. */
  long tickNs() {
    if (series.isAttended() || (pace.slackens() && role != LEADER)) {
      pace.often();
    }
    return pace.nextNs();
  }

  /** How often the I/O thread looks while somebody leads. */
  LookPace pace() {
    return pace;
  }

  /** Lets the I/O thread watch again unless somebody leads; the I/O thread only. */
  public boolean rearmNow() {
    if (!disarmed || role == LEADER) {
      return false;
    }
    pace.often();
    disarmed = false;
    return true;
  }

  /** Whether somebody leads, and so is inside of the link; any thread. */
  boolean isLed() {
    return role == LEADER;
  }

  /** Whether the I/O thread does not watch for input; any thread. */
  public boolean isDisarmed() {
    return disarmed;
  }

  /**
   * {@link ChannelLink#lead}. Who has the role of a leader is inside of the link: it looks whether
   * the link closes when it has it, and who closes then looks who has it.
   *
   * @param leftInput called if the I/O thread must read what it is not told of in time
   * @param seriesBegins called if leads follow each other so fast that it should {@link #attend}
   * @return false if it could not lead, or found no room: then the I/O thread goes on
   */
  public boolean lead(
      BooleanSupplier done, long deadlineNs, Runnable leftInput, Runnable seriesBegins) {
    if (!takeToLead()) {
      return false;
    }
    ReadBuffer buffer = null;
    boolean rested = true;
    boolean goesOn = false;
    boolean fast = false;
    boolean noRoom = false;
    try {
      if (gate.isClosing()) { // after the role was taken
        return false;
      }
      waited = false;
      LeaderSeat own = seat();
      buffer = own == null ? null : resources.takeBuffer();
      if (own != null && buffer != null) {
        noRoom = !readUntil(done, deadlineNs, own, buffer);
        fast = !waited && input.wakesOnlyWhoWaits() && series.count(beganNs);
        goesOn = !waited && series.isAttended();
      }
      rested = failed || (goesOn ? !input.isPending() : input.rest());
    } catch (Throwable e) {
      failed = true;
      end.accept(e);
    } finally {
      try {
        if (buffer != null) {
          resources.giveBuffer(buffer);
        }
        if (!input.wakesOnlyWhoWaits()) {
          countLead();
        }
      } finally {
        role = FREE; // as release(), without a call, for which there may be no stack
      }
    }
    if (!rested
        || pace.isRare()
        || (goesOn && !series.isAttended())) { // after the role was given back
      leftInput.run();
    }
    if (fast) {
      seriesBegins.run();
    }
    return buffer != null && !noRoom;
  }

  /** Rests the link from now on when leaders do not: every tick {@link #isSeriesOver}; it only. */
  public void attend() {
    series.attend();
  }

  /** Whether the I/O thread rests the link when leaders do not; any thread. */
  public boolean isAttended() {
    return series.isAttended();
  }

  /** Whether leaders rest the link again, and the I/O thread must now; it only. */
  public boolean isSeriesOver() {
    return series.isOver();
  }

  private void countLead() {
    LEADS.setOpaque(this, (int) LEADS.getOpaque(this) + 1);
  }

  private boolean takeToLead() {
    if (tryTake(LEADER)) {
      return true;
    }
    if (role == LEADER) {
      return false;
    }
    boolean taken = false;
    try {
      wanted = true;
      for (int i = 0; i < TAKE_ATTEMPTS && !taken && role != LEADER; i++) {
        Pause.look();
        taken = tryTake(LEADER);
      }
    } finally { // also where the stack ends
      wanted = false;
    }
    return taken;
  }

  private @Nullable LeaderSeat seat() {
    LeaderSeat own = seat;
    if (own == null) {
      own = LeaderSeat.open(resources, channel);
      seat = own; // volatile; pairs with the read in wakeLeader()
    }
    return own;
  }

  private boolean readUntil(
      BooleanSupplier done, long deadlineNs, LeaderSeat own, ReadBuffer buffer) throws IOException {
    long nowNs = System.nanoTime();
    beganNs = nowNs;
    long sinceNs = nowNs;
    long spinNs = place.spinNs(nowNs);
    int rounds = 0;
    boolean inVain = false; // the core was offered since the last input
    while (!done.getAsBoolean() && !gate.isClosing() && !Thread.currentThread().isInterrupted()) {
      if (nowNs - deadlineNs >= 0) {
        return true;
      }
      boolean spins = nowNs - sinceNs < spinNs;
      boolean offers = !spins && !inVain && place.mayOffer(nowNs);
      if (!spins && !offers) {
        if (spinNs > 0) {
          place.failed();
        }
        await(own, deadlineNs - nowNs);
      }
      long length = spins ? look(buffer) : offers ? offer(buffer) : read(buffer);
      if (length == LinkInput.NO_ROOM) {
        return false;
      }
      inVain = offers && length == 0;
      if (length > 0 && spins) {
        place.succeeded();
      }
      if (length > 0 && done.getAsBoolean()) {
        return true; // before a look at the clock
      }
      long lastNs = nowNs;
      nowNs = System.nanoTime();
      if (length > 0) {
        sinceNs = nowNs;
        spinNs = place.spinNs(nowNs);
      } else if (spins) {
        place.gap(lastNs, nowNs);
        Pause.spinning(++rounds);
      }
    }
    return true;
  }

  /** Offers the core a few times, until there is input. */
  private long offer(ReadBuffer buffer) throws IOException {
    long length = 0;
    boolean goesOn = true;
    for (int i = 0; goesOn && length == 0; i++) {
      goesOn = place.offer(i);
      length = read(buffer);
    }
    place.offered(length > 0);
    return length;
  }

  private void await(LeaderSeat own, long timeoutNs) throws IOException {
    waiting = true;
    waited = true;
    try {
      input.await(own, timeoutNs);
    } finally {
      if (input.wakesOnlyWhoWaits()) {
        countLead();
      }
      waiting = false;
    }
  }

  /**
   * Reads what is there, up to a limit; the owner of the role only. What comes after input that the
   * handler refused would be a gap in what it was told: it gets nothing any more, also from a
   * thread that takes the role before the link is closed.
   */
  private long read(ReadBuffer buffer) throws IOException {
    if (failed || input.isEnded()) {
      return 0;
    }
    long length = input.read(buffer);
    if (input.isEnded()) {
      end.accept(null);
    }
    return length;
  }

  /** The same, until there is something, as often as looks cost next to nothing. */
  private long look(ReadBuffer buffer) throws IOException {
    long length = read(buffer);
    for (int i = input.looks(); i > 1 && length == 0; i--) {
      Pause.look();
      length = read(buffer);
    }
    return length;
  }

  /** Makes a leader look at its condition; any thread. */
  public void wakeLeader() {
    LeaderSeat current = seat;
    if (current != null && role == LEADER) {
      current.wake();
    }
  }

  /** Frees what leaders needed; the I/O thread only, once nobody can lead any more. */
  public void close() {
    LeaderSeat last = seat;
    if (last != null) {
      last.close();
    }
  }

  /** Whether there is no more input, ever; when nobody else can have the role. */
  public boolean isInputEnded() {
    return input.isEnded();
  }

  /**
   * Whether the handler refused input, and must get no more; when nobody else can have the role.
   */
  public boolean hasFailed() {
    return failed;
  }
}
