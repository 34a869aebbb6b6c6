package org.ringwire.transport.tcp;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.Pause;
import org.ringwire.idle.WaitingPlace;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.selector.ReadBuffer;
import org.ringwire.transport.support.Gate;

/**
 * The input of a link, and who reads it: the I/O thread, or a thread that waits for something to
 * arrive and therefore <em>leads</em> the link, which saves the wake-up of one thread by the other.
 *
 * <p><em>The role.</em> Reading, and calling the handler with what was read, needs the role: one
 * word, taken by compare-and-set and given back by a volatile write, so input comes from one thread
 * at a time and each call happens before the next. The I/O thread takes the role for one round of
 * reading; if it finds a leader it goes away. A leader takes it for as long as it waits; if it
 * finds the I/O thread reading it says so ({@code wanted}), which makes a spinning I/O thread stay
 * away from this link, and tries again for a moment; if it finds another leader it gives up.
 *
 * <p><em>How the channel moves from the selector to a leader.</em> Not at all, at first: the leader
 * just reads. The first input wakes the I/O thread too; it finds the role taken and only then, on
 * its own thread, stops watching the link for input ({@link #isDisarmed}). From then on a response
 * wakes nobody but the leader. <em>And back:</em> the I/O thread looks again every {@link #TICK_NS}
 * and watches the link again after a tick in which nobody led. So between requests in quick
 * succession nothing moves at all and the hand-back of a leader is one volatile write, and an I/O
 * thread has ticks only while a link is disarmed.
 *
 * <p><em>The bound.</em> Input that comes when nobody leads waits for the I/O thread for two ticks
 * of one millisecond at most, each rounded up to the next millisecond by the selector: under 4 ms,
 * plus the time until that thread runs. {@link TcpLink#resumeReading} ends the wait at once.
 * Nothing is missed: the selector reports whatever is unread when it watches again, and an I/O
 * thread that disarms looks at the role again afterwards, while a leader that asks for the I/O
 * thread looks at {@code disarmed} after it gave the role back; one of them sees the other.
 *
 * <p><em>Waiting.</em> A leader spins for the time that its {@link WaitingPlace} gives it after it
 * began and after each input, and then parks in a {@link LeaderSeat}. Leaders of a link follow each
 * other by the role, and so does what the place has learned.
 */
final class LinkReader {

  /** Time between two looks of the I/O thread at a link that is led. */
  static final long TICK_NS = 1_000_000;

  /** Result of {@link #readOnLoop}: a leader has the role. */
  static final long LED = -1;

  /** Bytes read in a row before other links have their turn. */
  private static final int MAX_READ = 1 << 20;

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

  private final TcpLink link;
  private final LeaderResources resources;
  private final SocketChannel channel;
  private final LinkHandler handler;
  private final Gate gate;
  private final WaitingPlace place; // leaders only
  private boolean inputEnded; // the owner of the role only, as the next
  private boolean failed;
  private int leadsSeen; // the I/O thread only
  private volatile boolean disarmed; // written by the I/O thread
  private volatile boolean wanted;
  private volatile @Nullable LeaderSeat seat;

  @SuppressWarnings("unused") // by ROLE
  private volatile int role = LOOP; // until the link is open

  @SuppressWarnings("unused") // by LEADS
  private int leads; // written by the owner of the role

  LinkReader(
      TcpLink link,
      LeaderResources resources,
      SocketChannel channel,
      LinkHandler handler,
      Gate gate) {
    this.link = link;
    this.resources = resources;
    this.channel = channel;
    this.handler = handler;
    this.gate = gate;
    place = resources.newPlace();
  }

  /** Ends the time before the link was open; the I/O thread only. */
  void open() {
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
   * @return number of bytes, or {@link #LED}
   */
  long readOnLoop(ReadBuffer buffer) throws IOException {
    if (wanted || !tryTake(LOOP)) {
      return LED;
    }
    try {
      return readAll(buffer);
    } catch (Throwable e) {
      failed = true;
      throw e;
    } finally {
      release();
    }
  }

  /**
   * Notes that the I/O thread stops watching; the I/O thread only.
   *
   * @return false if the leader has gone meanwhile, and watching should go on
   */
  boolean disarm() {
    leadsSeen = (int) LEADS.getOpaque(this);
    disarmed = true; // volatile; pairs with isDisarmed() in resumeReading()
    if (role == FREE && !wanted) {
      disarmed = false;
      return false;
    }
    return true;
  }

  /** Whether the I/O thread may watch again: nobody has led since it looked last; it only. */
  boolean tryRearm() {
    int seen = (int) LEADS.getOpaque(this); // a late value costs one more tick
    if (role == LEADER || seen != leadsSeen) {
      leadsSeen = seen;
      return false;
    }
    disarmed = false;
    return true;
  }

  /** Lets the I/O thread watch again unless somebody leads; the I/O thread only. */
  boolean rearmNow() {
    if (!disarmed || role == LEADER) {
      return false;
    }
    disarmed = false;
    return true;
  }

  /** Whether the I/O thread does not watch for input; any thread. */
  boolean isDisarmed() {
    return disarmed;
  }

  /** {@link TcpLink#lead}, by a thread that the gate has let in. */
  boolean lead(BooleanSupplier done, long deadlineNs) {
    if (!takeToLead()) {
      return false;
    }
    ReadBuffer buffer = null;
    try {
      LeaderSeat own = seat();
      if (own == null) {
        return false;
      }
      buffer = resources.takeBuffer();
      readUntil(done, deadlineNs, buffer, own);
      return true;
    } catch (Throwable e) {
      failed = true;
      link.fail(e);
      return true;
    } finally {
      if (buffer != null) {
        resources.giveBuffer(buffer);
      }
      LEADS.setOpaque(this, (int) LEADS.getOpaque(this) + 1);
      release();
    }
  }

  private boolean takeToLead() {
    if (tryTake(LEADER)) {
      return true;
    }
    if (role == LEADER) {
      return false;
    }
    wanted = true;
    boolean taken = false;
    for (int i = 0; i < TAKE_ATTEMPTS && !taken && role != LEADER; i++) {
      Pause.look();
      taken = tryTake(LEADER);
    }
    wanted = false;
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

  private void readUntil(BooleanSupplier done, long deadlineNs, ReadBuffer buffer, LeaderSeat own)
      throws IOException {
    long nowNs = System.nanoTime();
    long sinceNs = nowNs;
    long spinNs = place.spinNs(nowNs);
    int rounds = 0;
    while (!done.getAsBoolean() && !gate.isClosing() && !Thread.currentThread().isInterrupted()) {
      if (nowNs - deadlineNs >= 0) {
        return;
      }
      boolean spins = nowNs - sinceNs < spinNs;
      if (!spins) {
        if (spinNs > 0) {
          place.failed();
        }
        own.await(deadlineNs - nowNs);
      }
      long length = readAll(buffer);
      long lastNs = nowNs;
      nowNs = System.nanoTime();
      if (length > 0) {
        if (spins) {
          place.succeeded();
        }
        sinceNs = nowNs;
        spinNs = place.spinNs(nowNs);
      } else if (spins) {
        place.gap(lastNs, nowNs);
        Pause.spinning(++rounds);
      }
    }
  }

  /** Makes a leader look at its condition; any thread. */
  void wakeLeader() {
    LeaderSeat current = seat;
    if (current != null && role == LEADER) {
      current.wake();
    }
  }

  /** Frees what leaders needed; the I/O thread only, once nobody can lead any more. */
  void close() {
    LeaderSeat last = seat;
    if (last != null) {
      last.close();
    }
  }

  /** Whether there is no more input, ever; when nobody else can have the role. */
  boolean isInputEnded() {
    return inputEnded;
  }

  /**
   * Whether the handler refused input, and must get no more; when nobody else can have the role.
   */
  boolean hasFailed() {
    return failed;
  }

  /**
   * Reads until there is nothing more for now, up to a limit; the owner of the role only. What
   * comes after input that the handler refused would be a gap in what it was told: it gets nothing
   * any more, also from a thread that takes the role before the link is closed.
   */
  private long readAll(ReadBuffer own) throws IOException {
    long total = 0;
    boolean more = !inputEnded && !failed;
    while (more && total < MAX_READ) {
      ByteBuffer destination = handler.destination();
      boolean direct = destination != null && destination.hasRemaining();
      ByteBuffer buffer = direct && destination != null ? destination : own.cleared();
      int room = buffer.remaining();
      int length = read(buffer);
      if (length > 0) {
        total += length;
        if (direct) {
          handler.receivedInDestination(length);
        } else {
          handler.received(own.segment(), 0, length);
        }
      }
      more = length == room && !gate.isClosing();
    }
    return total;
  }

  private int read(ByteBuffer buffer) throws IOException {
    int length;
    try {
      length = channel.read(buffer);
    } catch (IOException e) {
      inputEnded = true;
      throw link.broken(e);
    }
    if (length < 0) {
      inputEnded = true;
      link.close();
    }
    return length;
  }
}
