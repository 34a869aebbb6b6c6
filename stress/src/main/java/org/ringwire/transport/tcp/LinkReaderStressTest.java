package org.ringwire.transport.tcp;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.ringwire.IdleStrategy;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.selector.ReadBuffer;
import org.ringwire.transport.support.Gate;

/**
 * The reading role of a link: the real {@link LinkReader}, over a channel from which every read
 * brings one byte. What is not listed is forbidden.
 */
public final class LinkReaderStressTest {

  private static final long SPIN_NS = TimeUnit.HOURS.toNanos(1); // so that no leader parks
  private static final int LOOKS = 8;
  private static final LeaderResources RESOURCES = new LeaderResources(new IdleStrategy(SPIN_NS));
  private static final ReadBuffer LOOP_BUFFER = new ReadBuffer(4096);
  private static final SocketChannel CHANNEL = new OneByteChannel();
  private static final LeaderSeat SEAT;
  private static final VarHandle READERS_SEAT;

  static {
    try {
      SocketChannel silent = SocketChannel.open();
      silent.configureBlocking(false);
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
  private static final class Counter implements LinkHandler {
    private int bytes;

    @Override
    public void opened(Link link) {}

    @Override
    public void received(MemorySegment segment, long offset, long length) {
      bytes += (int) length;
    }

    @Override
    public @Nullable ByteBuffer destination() {
      return null;
    }

    @Override
    public void receivedInDestination(int length) {}

    @Override
    public void writable() {}

    @Override
    public void closed(@Nullable Throwable cause) {}
  }

  @SuppressWarnings("NullAway") // only failures need the link, and would fail the test here
  private static LinkReader newReader(Counter counter) {
    LinkReader reader = new LinkReader(null, RESOURCES, CHANNEL, counter, new Gate());
    READERS_SEAT.set(reader, SEAT); // a seat is dear; nobody sits on this one
    reader.open();
    return reader;
  }

  private static long readOnLoop(LinkReader reader) {
    try {
      return reader.readOnLoop(LOOP_BUFFER);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Leads for one round of reading. */
  private static boolean leadOnce(LinkReader reader) {
    boolean[] asked = new boolean[1];
    BooleanSupplier secondTime =
        () -> {
          boolean before = asked[0];
          asked[0] = true;
          return before;
        };
    return reader.lead(secondTime, System.nanoTime() + SPIN_NS);
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
      result.r2 = leadOnce(reader) ? 1 : 0;
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
      result.r1 = leadOnce(reader) ? 1 : 0;
    }

    /**
     * Leads.
     *
     * @param result whether it did
     */
    @Actor
    public void second(III_Result result) {
      result.r2 = leadOnce(reader) ? 1 : 0;
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
      leadOnce(reader);
      result.r2 = reader.isDisarmed() ? 1 : 0;
    }
  }
}
