package org.ringwire.transport.selector;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.FirstUse;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.support.Gate;
import org.ringwire.transport.support.TransportThreads;

/**
 * A transport with channels, and a few I/O threads ({@link SelectorLoop}) that watch them.
 *
 * <p>Every channel is non-blocking from its first moment to its last. That is what makes it safe to
 * let application threads write and read: in this mode {@code SocketChannel} registers nothing with
 * the thread, so an interrupt neither closes the channel nor ends the call.
 */
public abstract class ChannelTransport implements Transport {

  private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

  private final TransportConfig config;
  private final SelectorLoop[] loops;
  private final LeaderResources leaders;
  private final AtomicInteger nextLoop = new AtomicInteger();
  private @Nullable Listener listener; // guarded by this, as are the next two
  private boolean closed;
  private long closeDeadlineNs;

  /**
   * Starts the threads.
   *
   * @param role of the threads, part of their names
   * @param leaderBuffer bytes that a leading thread reads at a time; 0 where input lies in memory
   */
  protected ChannelTransport(TransportConfig config, String role, int leaderBuffer) {
    this.config = config;
    loops = new SelectorLoop[config.ioThreads()];
    boolean made = false;
    try {
      DescriptorLimit.prepare();
      FirstUse.prepare(ChannelLink.class, LinkReader.class, LeadSeries.class, Gate.class);
      FirstUse.prepareOfJdk("sun.nio.ch.IOVecWrapper"); // of all writes from several places
      for (int i = 0; i < loops.length; i++) {
        loops[i] = SelectorLoop.start(config, role, i);
      }
      leaders = new LeaderResources(config.idleStrategy(), leaderBuffer);
      made = true;
    } finally {
      if (!made) {
        shutDown(loops);
      }
    }
  }

  /** Those that were started. */
  private static void shutDown(@Nullable SelectorLoop[] loops) {
    for (SelectorLoop loop : loops) {
      if (loop != null) {
        loop.shutdown();
      }
    }
  }

  @Override
  public final synchronized String listen(String address, LinkAcceptor acceptor)
      throws IOException {
    if (closed) {
      throw new IOException("cannot listen: address=" + address + ": the transport was closed");
    }
    if (listener != null) {
      throw new IllegalStateException(
          "already listening: address=" + listener.address() + " asked=" + address);
    }
    Listener bound = bind(loops[0], address, acceptor);
    listener = bound;
    start(bound);
    return bound.address();
  }

  /**
   * Listens at the same address once more, where nobody reaches the listener any more; does nothing
   * if it has ended.
   */
  protected final synchronized void listenAgain(LinkAcceptor acceptor) throws IOException {
    Listener lost = listener;
    if (lost != null) {
      Listener bound = bind(loops[0], lost.address(), acceptor);
      listener = bound;
      start(bound);
      lost.signal(SelectorEntry.CLOSE);
    }
  }

  /** A listener that is bound and does not accept yet. */
  protected abstract Listener bind(SelectorLoop loop, String address, LinkAcceptor acceptor)
      throws IOException;

  /** Gives something new to its loop; ends it if that has ended. */
  protected static void start(SelectorEntry entry) {
    if (!entry.signal(SelectorEntry.CONNECT)) {
      entry.forceEnd();
    }
  }

  @Override
  public final synchronized void stopListening() {
    Listener bound = listener;
    listener = null;
    if (bound != null) {
      try {
        unbound(bound.address());
      } finally {
        bound.signal(SelectorEntry.CLOSE); // last: then the address may be another's
      }
    }
  }

  /** What belongs to an address goes while nobody else can have it: it is still bound. */
  protected void unbound(String address) {}

  /** Lets the threads end, which {@link #close} waits for; its time begins. */
  public final void beginClose() {
    stopListening();
    synchronized (this) {
      if (!closed) {
        closeDeadlineNs = System.nanoTime() + CLOSE_TIMEOUT_NS;
      }
      closed = true;
    }
    shutDown(loops);
  }

  @Override
  public final void close() {
    beginClose();
    long deadlineNs;
    synchronized (this) {
      deadlineNs = closeDeadlineNs;
    }
    for (SelectorLoop loop : loops) {
      TransportThreads.awaitEnd(loop.thread(), deadlineNs - System.nanoTime());
    }
    leaders.close();
    threadsEnded();
  }

  /** The I/O threads have ended, or have taken too long. */
  protected void threadsEnded() {}

  /** What this transport was made for. */
  public final TransportConfig config() {
    return config;
  }

  /** What the leaders of this transport's links share. */
  public final LeaderResources leaders() {
    return leaders;
  }

  /** The loop for a new link: one after the other. */
  public final SelectorLoop chooseLoop() {
    return loops[Math.floorMod(nextLoop.getAndIncrement(), loops.length)];
  }
}
