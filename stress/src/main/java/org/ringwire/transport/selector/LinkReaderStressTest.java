package org.ringwire.transport.selector;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.ringwire.IdleStrategy;
import org.ringwire.transport.support.Gate;

/**
 * The reading role of a link: the real {@link LinkReader}, with input of which every read brings
 * one byte, or whatever has been published. What is not listed is forbidden.
 */
public final class LinkReaderStressTest {

  private static final long SPIN_NS = TimeUnit.HOURS.toNanos(1); // so that no leader parks
  private static final int LOOKS = 8;
  private static final LeaderResources RESOURCES =
      new LeaderResources(new IdleStrategy(SPIN_NS), 0);
  private static final ReadBuffer LOOP_BUFFER = new ReadBuffer(4096);
  private static final SocketChannel CHANNEL;
  private static final LeaderSeat SEAT;
  private static final VarHandle READERS_SEAT;

  static {
    try {
      SocketChannel silent = SocketChannel.open();
      silent.configureBlocking(false);
      CHANNEL = silent;
      LeaderSeat seat = LeaderSeat.open(RESOURCES, silent);
      if (seat == null) {
        throw new ExceptionInInitializerError("no seat");
      }
      SEAT = seat;
      READERS_SEAT =
          MethodHandles.privateLookupIn(LinkReader.class, MethodHandles.lookup())
              .findVarHandle(LinkReader.class, "seat", LeaderSeat.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private LinkReaderStressTest() {}

  /** Counts without any synchronisation of its own: that is the role's. */
  private static final class Counter implements LinkInput {
    private int bytes;

    @Override
    public long read(ReadBuffer own) {
      bytes++;
      return 1;
    }

    @Override
    public boolean isEnded() {
      return false;
    }
  }

  private static LinkReader newReader(LinkInput input) {
    LinkReader reader = new LinkReader(RESOURCES, CHANNEL, input, new Gate(), _ -> {});
    READERS_SEAT.set(reader, SEAT); // a seat is dear; nobody sits on this one
    reader.open();
    return reader;
  }

  private static long readOnLoop(LinkReader reader) {
    try {
      return reader.readOnLoop(LOOP_BUFFER, false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void readAndRestOnLoop(LinkReader reader) {
    try {
      reader.readOnLoop(LOOP_BUFFER, false);
      reader.restOnLoop();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void nothing() {}

  /** Leads for one round of reading. */
  private static boolean leadOnce(LinkReader reader, Runnable leftInput) {
    boolean[] asked = new boolean[1];
    BooleanSupplier secondTime =
        () -> {
          boolean before = asked[0];
          asked[0] = true;
          return before;
        };
    return reader.lead(
        secondTime, System.nanoTime() + SPIN_NS, leftInput, LinkReaderStressTest::nothing);
  }

  /** The I/O thread and a leader read: one after the other, and each sees what the other did. */
  @JCStressTest
  @Outcome(id = "1, 1, 2", expect = ACCEPTABLE, desc = "Both.")
  @Outcome(id = "-1, 1, 1", expect = ACCEPTABLE, desc = "The I/O thread found a leader.")
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "The leader gave up.")
  @State
  public static class Reading {

    private final Counter counter = new Counter();
    private final LinkReader reader = newReader(counter);

    /**
     * Reads once.
     *
     * @param result bytes, or -1
     */
    @Actor
    public void loop(III_Result result) {
      result.r1 = (int) readOnLoop(reader);
    }

    /**
     * Leads.
     *
     * @param result whether it did
     */
    @Actor
    public void leader(III_Result result) {
      result.r2 = leadOnce(reader, LinkReaderStressTest::nothing) ? 1 : 0;
    }

    /**
     * Adds up.
     *
     * @param result bytes
     */
    @Arbiter
    public void arbiter(III_Result result) {
      result.r3 = counter.bytes;
    }
  }

  /** Two want to lead: never both at a time. */
  @JCStressTest
  @Outcome(id = "1, 1, 2", expect = ACCEPTABLE, desc = "One after the other.")
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "The second one found a leader.")
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "The first one found a leader.")
  @State
  public static class Leading {

    private final Counter counter = new Counter();
    private final LinkReader reader = newReader(counter);

    /**
     * Leads.
     *
     * @param result whether it did
     */
    @Actor
    public void first(III_Result result) {
      result.r1 = leadOnce(reader, LinkReaderStressTest::nothing) ? 1 : 0;
    }

    /**
     * Leads.
     *
     * @param result whether it did
     */
    @Actor
    public void second(III_Result result) {
      result.r2 = leadOnce(reader, LinkReaderStressTest::nothing) ? 1 : 0;
    }

    /**
     * Adds up.
     *
     * @param result bytes
     */
    @Arbiter
    public void arbiter(III_Result result) {
      result.r3 = counter.bytes;
    }
  }

  /**
   * The I/O thread stops watching a led link while its leader leaves and looks whether it has to
   * ask for the I/O thread.
   */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "It watches.")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "It watches, and is asked to.")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "It stopped, and is asked to watch again.")
  @State
  public static class Disarming {

    private final LinkReader reader = newReader(new Counter());

    /**
     * Stops watching if somebody leads.
     *
     * @param result whether it stopped
     */
    @Actor
    public void loop(II_Result result) {
      boolean led = false;
      for (int i = 0; i < LOOKS && !led; i++) {
        led = readOnLoop(reader) == LinkReader.LED;
      }
      result.r1 = led && reader.disarm() ? 1 : 0;
    }

    /**
     * Leads, and leaves.
     *
     * @param result whether the I/O thread has to be asked
     */
    @Actor
    public void leader(II_Result result) {
      leadOnce(reader, LinkReaderStressTest::nothing);
      result.r2 = reader.isDisarmed() ? 1 : 0;
    }
  }

  /** Input in memory, of which nobody is told who is awake: a peer rings if SLEEP was announced. */
  private static final class Memory implements LinkInput {
    private final AtomicInteger published = new AtomicInteger();
    private final AtomicBoolean asleep = new AtomicBoolean(true);
    private int seen;

    @Override
    public long read(ReadBuffer own) {
      asleep.set(false);
      int now = published.get();
      int length = now - seen;
      seen = now;
      return length;
    }

    @Override
    public boolean rest() {
      asleep.set(true);
      return published.get() == seen;
    }

    @Override
    public boolean isEnded() {
      return false;
    }
  }

  /** A leader comes and leaves while the peer publishes: nothing is slept over. */
  @JCStressTest
  @Outcome(id = "1, 0, 0, 1", expect = ACCEPTABLE, desc = "Read.")
  @Outcome(id = "1, 1, 0, 1", expect = ACCEPTABLE, desc = "Read, and rung for.")
  @Outcome(id = "0, 1, 0, 1", expect = ACCEPTABLE, desc = "Rung for.")
  @Outcome(id = "0, 0, 1, 1", expect = ACCEPTABLE, desc = "Left to the I/O thread.")
  @Outcome(id = "0, 1, 1, 1", expect = ACCEPTABLE, desc = "Left to it, and rung for.")
  @State
  public static class Leaving {

    private final Memory memory = new Memory();
    private final LinkReader reader = newReader(memory);

    /**
     * Leads, and leaves.
     *
     * @param result whether it has left something to the I/O thread
     */
    @Actor
    public void leader(IIII_Result result) {
      leadOnce(reader, () -> result.r3 = 1);
    }

    /**
     * Publishes, and rings if somebody sleeps.
     *
     * @param result whether it has rung
     */
    @Actor
    public void peer(IIII_Result result) {
      memory.published.set(1);
      result.r2 = memory.asleep.get() ? 1 : 0;
    }

    /**
     * Looks what has become of it.
     *
     * @param result whether it was read, and whether the peer will ring for the next
     */
    @Arbiter
    public void arbiter(IIII_Result result) {
      result.r1 = memory.seen;
      result.r4 = memory.asleep.get() ? 1 : 0;
    }
  }

  /** An I/O thread that has spun stops while a leader leaves: one of them rests after both. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Read, and the peer rings for the next.")
  @State
  public static class Stopping {

    private final Memory memory = new Memory();
    private final LinkReader reader = newReader(memory);

    /** As if the I/O thread had looked before, and found nothing. */
    public Stopping() {
      readOnLoop(reader);
      memory.published.set(1);
    }

    /** Looks once more, and rests. */
    @Actor
    public void loop() {
      readAndRestOnLoop(reader);
    }

    /** Leads, and leaves. */
    @Actor
    public void leader() {
      leadOnce(reader, LinkReaderStressTest::nothing);
    }

    /**
     * Looks what has become of it.
     *
     * @param result whether it was read, and whether the peer will ring for the next
     */
    @Arbiter
    public void arbiter(II_Result result) {
      result.r1 = memory.seen;
      result.r2 = memory.asleep.get() ? 1 : 0;
    }
  }

  /**
   * A series of leads ends while a leader leaves the link to the I/O thread: one of them rests it.
   */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The link rests.")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The leader asks for the I/O thread.")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "It asks, though the link rests.")
  @State
  public static class SeriesEnding {

    private final Memory memory = new Memory();
    private final LinkReader reader = newReader(memory);

    /** Leaders have left the link awake. */
    public SeriesEnding() {
      readOnLoop(reader);
      reader.attend();
    }

    /** A tick in which few have led. */
    @Actor
    public void loop() {
      if (reader.isSeriesOver()) {
        readAndRestOnLoop(reader);
      }
    }

    /**
     * Leads, and leaves.
     *
     * @param result whether it asks for the I/O thread
     */
    @Actor
    public void leader(II_Result result) {
      leadOnce(reader, () -> result.r2 = 1);
    }

    /**
     * Looks what has become of it.
     *
     * @param result whether the peer will ring
     */
    @Arbiter
    public void arbiter(II_Result result) {
      result.r1 = memory.asleep.get() ? 1 : 0;
    }
  }
}
