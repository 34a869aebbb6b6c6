package org.ringwire.transport.tls;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;
import org.ringwire.Tls;
import org.ringwire.idle.FirstUse;
import org.ringwire.idle.Pause;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.support.TransportThreads;

/**
 * Another transport with TLS, added through its interface alone: a {@link TlsLink} between each
 * link of the medium and its handler. The medium must have a copy of what it has taken, and stop
 * reading where its handler has no room.
 *
 * <p>Handshakes run on a few threads, {@code ringwire-N-tls-K}, which end after a second without
 * work. Each link has one piece of work there at a time, and the node bounds the number of links
 * that are in their handshake, so the queue is bounded too. A handshake may take as long as a
 * connection attempt: that is seen to by a thread of its own, {@code ringwire-N-tls-timer}, as the
 * others may all be held up, by a disk that has the certificates for example.
 *
 * <p>The system property {@value #KEY_UPDATE_BYTES} asks for new keys each time that a link has
 * sent so many bytes; without it the JDK decides, after 128 GiB.
 */
public final class TlsTransport implements Transport {

  /** Name of the system property. */
  public static final String KEY_UPDATE_BYTES = "ringwire.tls.keyUpdateBytes";

  private static final int MOST_THREADS = 4;
  private static final long CLOSE_NS = TimeUnit.SECONDS.toNanos(2);

  /** For what a worker is in the middle of, which is one step of a handshake at most. */
  private static final long WORKER_NS = TimeUnit.SECONDS.toNanos(1);

  private static final long POLL_NS = 1_000_000;

  private final Transport medium;
  private final TransportConfig config;
  private final TlsContexts contexts;
  private final TlsBuffers buffers = new TlsBuffers();
  private final ThreadPoolExecutor workers;
  private final ScheduledThreadPoolExecutor timer;
  private final Set<TlsLink> links = ConcurrentHashMap.newKeySet();
  private final Map<LinkReference, TlsOpening> opened = new ConcurrentHashMap<>();
  private final long keyUpdateBytes = keyUpdateBytes();
  private final LongAdder keyUpdates = new LongAdder();
  private final Predicate<Runnable> executor = this::execute;

  // Made before: then there may be no heap, and a lambda be lost for good.
  private final Condition farewellsOver = this::areFarewellsOver;
  private final Condition linksEnded = links::isEmpty;
  private final Condition workersEnded;
  private final Condition timerEnded;

  private volatile long ticketNs = TlsOpening.TICKET_NS;
  private volatile boolean closing;

  private TlsTransport(Transport medium, TransportConfig config, TlsContexts contexts) {
    this.medium = medium;
    this.config = config;
    this.contexts = contexts;
    prepareClasses();
    AtomicInteger number = new AtomicInteger();
    int threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MOST_THREADS);
    workers =
        new ThreadPoolExecutor(
            threads,
            threads,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            body -> thread(number.getAndIncrement(), body));
    workers.allowCoreThreadTimeOut(true);
    ThreadFactory ofTimer = body -> thread("timer", body);
    timer = new ScheduledThreadPoolExecutor(1, ofTimer);
    timer.setKeepAliveTime(1, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    timer.setRemoveOnCancelPolicy(true);
    workersEnded = workers::isTerminated;
    timerEnded = timer::isTerminated;
  }

  /** What links use, but for the classes of the JDK. */
  private static void prepareClasses() {
    FirstUse.prepare(
        CertificateUse.class,
        HandshakeRecords.class,
        HandshakeStrand.class,
        LinkReference.class,
        LinkTasks.Deadline.class,
        LinkTasks.EndOfMedium.class,
        LinkTasks.Farewell.class,
        LinkTasks.Waking.class,
        LinkTasks.Worker.class,
        TlsOpening.class,
        TlsOutput.class);
    FirstUse.prepare("transport.tls.TlsInput$1");
  }

  private Thread thread(Object name, Runnable body) {
    return TransportThreads.create(config, "ringwire-" + config.nodeId() + "-tls-" + name, body);
  }

  private static long keyUpdateBytes() {
    String value = System.getProperty(KEY_UPDATE_BYTES, "0");
    try {
      return Math.max(0, Long.decode(value));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          KEY_UPDATE_BYTES + " must be a number of bytes: value=" + value, e);
    }
  }

  /**
   * The links of a medium, with TLS if the settings ask for it.
   *
   * @throws IllegalArgumentException if the certificate is not for this node, or the system
   *     property {@value #KEY_UPDATE_BYTES} is no number; the medium is closed
   */
  public static Transport over(Transport medium, TransportConfig config) {
    Tls tls = config.tls();
    if (tls == null) {
      return medium;
    }
    try {
      return new TlsTransport(
          medium, config, new TlsContexts(tls, config.cluster(), config.nodeId()));
    } catch (RuntimeException | Error e) {
      medium.close();
      throw e;
    }
  }

  /** How long a link back waits for the session of the first link. */
  long ticketNs() {
    return ticketNs;
  }

  /** For tests, in which nothing may depend on how fast it comes. */
  void waitForTickets(Duration longest) {
    ticketNs = longest.toNanos();
  }

  private long deadlineNs() {
    return System.nanoTime() + config.connectTimeout().toNanos();
  }

  @Override
  public String listen(String address, LinkAcceptor acceptor) throws IOException {
    return medium.listen(
        address,
        remote -> {
          LinkHandler handler = acceptor.accept(remote);
          return handler == null ? null : accepted(this, handler);
        });
  }

  /**
   * What stands between the medium and a handler on a link that the peer opens. If there can be
   * none for want of heap, the handler hears of its end, and the medium closes what it has
   * accepted.
   */
  static TlsLink accepted(TlsTransport transport, LinkHandler handler) {
    try {
      TlsOpening opening = TlsOpening.accepted(transport);
      return new TlsLink(transport, handler, opening, transport.deadlineNs());
    } catch (Throwable e) {
      handler.closed(e);
      throw e;
    }
  }

  @Override
  public void connect(String address, LinkHandler handler) {
    connect(address, handler, TlsOpening.to(this, address));
  }

  private void connect(String address, LinkHandler handler, TlsOpening opening) {
    medium.connect(address, new TlsLink(this, handler, opening, deadlineNs()));
  }

  @Override
  public void connectBack(String address, Link accepted, LinkHandler handler) {
    LinkReference origin =
        accepted instanceof TlsLink link && TlsContexts.givesTickets()
            ? link.opening().reference()
            : null;
    connect(
        address,
        handler,
        origin == null ? TlsOpening.to(this, address) : TlsOpening.back(this, address, origin));
  }

  @Override
  public boolean mayLookUp(String address) {
    return medium.mayLookUp(address);
  }

  @Override
  public boolean isLocal(String address) {
    return medium.isLocal(address);
  }

  @Override
  public void trim() {
    medium.trim();
    buffers.trim();
  }

  @Override
  public void upkeep() {
    medium.upkeep();
  }

  @Override
  public Map<String, Long> counters() {
    return medium.counters();
  }

  @Override
  public void stopListening() {
    medium.stopListening();
  }

  @Override
  public void close() {
    long endNs = System.nanoTime() + CLOSE_NS;
    closing = true; // before links are looked for: pairs with add()
    stopListening();
    closeLinks();
    await(farewellsOver, endNs);
    medium.close();
    await(linksEnded, endNs); // workers may be the last to leave
    workers.shutdown();
    await(workersEnded, Math.max(endNs, System.nanoTime() + WORKER_NS));
    workers.shutdownNow();
    timer.shutdownNow();
    await(timerEnded, System.nanoTime() + WORKER_NS);
    try {
      endWorkers(System.nanoTime() + CLOSE_NS);
    } finally {
      buffers.close();
    }
  }

  private void closeLinks() {
    for (TlsLink link : links) {
      link.close();
    }
  }

  /** Whether the medium has all that links have to say; that it ends them may take longer. */
  private boolean areFarewellsOver() {
    for (TlsLink link : links) {
      if (!link.isFarewellOver()) {
        return false;
      }
    }
    return true;
  }

  /** Of links that have waited for one. */
  private void endWorkers(long endNs) {
    for (TlsLink link : links) {
      try {
        link.strand.endWorkers(endNs);
      } catch (OutOfMemoryError e) {
        // the others are told nevertheless
      }
    }
  }

  private interface Condition {
    boolean holds();
  }

  private static void await(Condition condition, long endNs) {
    boolean interrupted = false;
    while (!condition.holds() && System.nanoTime() - endNs < 0) {
      Pause.blocked(condition, POLL_NS);
      interrupted |= Thread.interrupted(); // with its status set, no thread parks
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  // For the links.

  TlsContexts contexts() {
    return contexts;
  }

  TlsBuffers buffers() {
    return buffers;
  }

  TlsOutput output(
      SSLEngine engine, Link link, @Nullable LinkReference origin, EmptyRecords empties) {
    byte[] greeting = origin == null ? null : origin.greeting();
    return new TlsOutput(engine, buffers, link, greeting, keyUpdateBytes, keyUpdates, empties);
  }

  /** How often links of this transport have asked for new keys. */
  long keyUpdates() {
    return keyUpdates.sum();
  }

  /** How many links there are, those in their handshake included. */
  int links() {
    return links.size();
  }

  /** A link has opened, be it while the transport closes. */
  void add(TlsLink link) {
    links.add(link);
    if (closing) { // after it is there: pairs with close()
      link.close();
    }
  }

  void remove(TlsLink link) {
    links.remove(link);
  }

  /** Links that this side has opened, that are open, and that have no link back yet. */
  Map<LinkReference, TlsOpening> opened() {
    return opened;
  }

  /** {@link #execute}. */
  Predicate<Runnable> executor() {
    return executor;
  }

  /** Runs something on a worker; false if the transport closes. */
  boolean execute(Runnable work) {
    try {
      workers.execute(work);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Runs something later that never waits for anything; null if the transport closes. */
  @Nullable Future<?> schedule(Runnable work, long delayNs) {
    try {
      return timer.schedule(work, Math.max(0, delayNs), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      return null;
    }
  }
}
