package org.ringwire.engine.services;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.NodeConfig;
import org.ringwire.NodeListener;
import org.ringwire.engine.inbound.GenerationBudget;
import org.ringwire.engine.inbound.GrantBudget;
import org.ringwire.engine.inbound.Registrations;
import org.ringwire.engine.inbound.SlowHandlers;
import org.ringwire.engine.inbound.WindowBudget;
import org.ringwire.engine.inbound.workers.HandlerPool;
import org.ringwire.engine.inbound.workers.VirtualThreads;
import org.ringwire.engine.outbound.Flusher;
import org.ringwire.engine.outbound.encoding.SlowEncoders;
import org.ringwire.engine.request.PendingRequests;
import org.ringwire.idle.HeapRetry;
import org.ringwire.metrics.EngineCounters;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.ring.MemoryBudget;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.transport.Link;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;
import org.ringwire.wire.Incarnation;

/**
 * What the parts of a node share; they are started and closed by the node itself.
 *
 * @param config the settings
 * @param incarnation this life of the node
 * @param transport moves the bytes
 * @param buffers memory for frames outside of rings
 * @param requests without answer so far
 * @param handlers the handler pool
 * @param flusher bounds the delay of bursts
 * @param slowEncoders types whose codec must not encode in rings
 * @param registrations the handlers
 * @param counters what is counted
 * @param slowHandlers finds handlers that take too long
 * @param errors what is reported
 * @param windows bytes that may be granted to senders
 * @param grants bytes that may be granted to large frames
 * @param generations codecs that may be generated for schemas of peers
 * @param timers one thread for deadlines of handshakes and futures
 * @param listening tells the listener, which may block
 * @param chores one thread for freeing what connections leave behind, and the like
 * @param lookups a few threads for what may wait for a name server
 * @param blocking gives calls of blocking handlers their threads
 * @param context class loader of who opened the node, which every thread of it has: libraries that
 *     handlers use look there for the application's classes
 */
public record NodeServices(
    NodeConfig config,
    Incarnation incarnation,
    Transport transport,
    ReceiveBufferPool buffers,
    PendingRequests requests,
    HandlerPool handlers,
    Flusher flusher,
    SlowEncoders slowEncoders,
    Registrations registrations,
    EngineCounters counters,
    SlowHandlers slowHandlers,
    ErrorLog errors,
    WindowBudget windows,
    GrantBudget grants,
    GenerationBudget generations,
    ScheduledExecutorService timers,
    ListenerThread listening,
    ExecutorService chores,
    Lookups lookups,
    BlockingStarts blocking,
    @Nullable ClassLoader context) {

  private static final long IDLE_BUFFER_BYTES = 64 << 20;
  private static final long LEAST_GRANT_BYTES = 256 << 20;

  /**
   * As many handlers as may ask other nodes at a time, and do not fail, are never too many; twice
   * as many all in all, since those of one peer leave as many to others.
   */
  private static final int LEAST_LENT = 1 << 16;

  private static final int MOST_LOOKUPS = 16;
  private static final int MOST_LOOKUPS_OF_CALLERS = 64;

  /**
   * Makes the parts; starts none.
   *
   * @param local makes the transport that is preferred on this machine, or null
   */
  public static NodeServices open(
      NodeConfig config,
      long firstRequestId,
      TransportProvider provider,
      @Nullable TransportProvider local) {
    MemoryBudget.requireValid();
    ClassFolder.load();
    FirstClasses.prepare();
    ErrorLog errors = new ErrorLog(config.nodeId());
    @Nullable ClassLoader context = Thread.currentThread().getContextClassLoader();
    Consumer<Thread> started = thread -> threadStarted(config.listener(), thread, context, errors);
    ScheduledExecutorService timers = timers(config.nodeId(), started);
    HandlerPool handlers =
        new HandlerPool(
            config.nodeId(),
            config.handlerThreads(),
            config.compensatingThreads(),
            config.idleStrategy(),
            errors,
            timers,
            started);
    ExecutorService events = oneThread("ringwire-" + config.nodeId() + "-events", started);
    ExecutorService chores = oneThread("ringwire-" + config.nodeId() + "-chores", started);
    Lookups lookups = lookups(config, started);
    ReceiveBufferPool buffers = new ReceiveBufferPool(IDLE_BUFFER_BYTES);
    PendingRequests requests = // one respondent has half of them
        new PendingRequests(2 * config.maxRequests(), firstRequestId, handlers);
    Flusher flusher =
        new Flusher(
            "ringwire-" + config.nodeId() + "-flusher",
            started,
            failure -> errors.report("what was left to be written", failure));
    SlowHandlers slowHandlers =
        new SlowHandlers(config.nodeId(), timers, config.slowHandlerTime().toNanos());
    GrantBudget grants =
        new GrantBudget(
            Math.max(LEAST_GRANT_BYTES, 2L * config.maxMessageLength()), errors::warn, chores);
    Incarnation incarnation =
        new Incarnation(ThreadLocalRandom.current().nextLong() | 1, System.currentTimeMillis());
    SlowEncoders slowEncoders =
        new SlowEncoders(config.encodeTimeout().toNanos(), errors, config.catalog());
    Registrations registrations = new Registrations();
    EngineCounters counters = new EngineCounters();
    WindowBudget windows =
        new WindowBudget(config.windowBudget(), 2 * Math.max(LEAST_LENT, config.maxRequests()));
    GenerationBudget generations = new GenerationBudget(config.catalog());
    ListenerThread listening =
        new ListenerThread(
            config.listener(),
            errors,
            events,
            (task, delayNs) -> {
              Future<?> _ = timers.schedule(task, delayNs, TimeUnit.NANOSECONDS);
            });
    TransportConfig transport =
        new TransportConfig(
            config.nodeId(),
            config.ioThreads(),
            config.idleStrategy(),
            config.ringCapacity(),
            config.connectTimeout(),
            config.cluster(),
            config.tls(),
            started);
    // The transport has threads and sockets, which a failure after it would leave behind. None
    // comes: there is memory for an object before the arguments of its constructor are evaluated.
    return new NodeServices(
        config,
        incarnation,
        Transports.open(provider, local, transport),
        buffers,
        requests,
        handlers,
        flusher,
        slowEncoders,
        registrations,
        counters,
        slowHandlers,
        errors,
        windows,
        grants,
        generations,
        timers,
        listening,
        chores,
        lookups,
        new BlockingStarts(call -> startVirtual(config.nodeId(), context, call)),
        context);
  }

  private static ScheduledExecutorService timers(int nodeId, Consumer<Thread> started) {
    ScheduledThreadPoolExecutor timers =
        new ScheduledThreadPoolExecutor(1, threads("ringwire-" + nodeId + "-timer", started));
    timers.setRemoveOnCancelPolicy(true);
    return timers;
  }

  /** No more links of readers wait for a thread than may be in their handshake at a time. */
  private static Lookups lookups(NodeConfig config, Consumer<Thread> started) {
    String name = "ringwire-" + config.nodeId() + "-lookup";
    int waiting = 2 * config.maxHandshakes();
    return new Lookups(
        endingThreads(name, MOST_LOOKUPS, waiting, started),
        endingThreads(name + "-called", MOST_LOOKUPS_OF_CALLERS, Integer.MAX_VALUE, started));
  }

  /** A thread that ends after a second without work. */
  private static ThreadPoolExecutor oneThread(String name, Consumer<Thread> started) {
    return endingThreads(name, 1, Integer.MAX_VALUE, started);
  }

  /** Threads that end after a second without work; so much of it may wait for one. */
  private static ThreadPoolExecutor endingThreads(
      String name, int most, int waiting, Consumer<Thread> started) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            most,
            most,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(waiting),
            threads(name, started));
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  private static ThreadFactory threads(String name, Consumer<Thread> started) {
    return body ->
        Thread.ofPlatform()
            .name(name)
            .daemon()
            .inheritInheritableThreadLocals(false) // of whoever needs it first
            .unstarted(() -> {
              started.accept(Thread.currentThread());
              body.run();
            });
  }

  /** On that thread. Nothing that the user's code does there keeps the thread from its work. */
  private static void threadStarted(
      NodeListener listener, Thread thread, @Nullable ClassLoader context, ErrorLog errors) {
    thread.setContextClassLoader(context);
    try {
      listener.threadStarted(thread);
    } catch (Throwable e) {
      errors.report("the listener's threadStarted for ", thread.getName(), e);
    }
  }

  /** The name of the transport that a link is of. */
  public String transportOf(Link link) {
    return transport instanceof LocalFirst both ? both.nameOf(link) : config.transport();
  }

  /** Whether this is a thread of the handler pool, or the listener's in an event. */
  public boolean isOwnThread() {
    return handlers.isCurrent() || listening.isTelling();
  }

  /** Runs something on a virtual thread of its own, which begins as soon as a core is free. */
  public void startBlocking(Runnable call) {
    startVirtual(config.nodeId(), context, call);
  }

  private static void startVirtual(int nodeId, @Nullable ClassLoader context, Runnable call) {
    VirtualThreads.start("ringwire-" + nodeId + "-blocking", context, call);
  }

  /** Runs something on the timer's thread after a while; dropped when the node has ended. */
  public void later(Runnable action, long delayNs) {
    Future<?> _ = laterIfWanted(action, delayNs);
  }

  /** The same, for who cancels it where nobody wants it any more. */
  public Future<?> laterIfWanted(Runnable action, long delayNs) {
    try {
      return timers.schedule(action, delayNs, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      errors.debug("a deadline after the end of the node");
      return CompletableFuture.completedFuture(null);
    }
  }

  /** Runs a chore that is of no use any more once the node has ended. */
  public void whileOpen(Runnable action) {
    try {
      chores.execute(action);
    } catch (RejectedExecutionException e) {
      // it has ended
    }
  }

  /** No lambda: one that finds no heap where it comes first is lost for ever. */
  private record Chore(Runnable action, ErrorLog errors) implements Runnable {
    @Override
    public void run() {
      try {
        HeapRetry.run(this, action);
      } catch (RuntimeException | Error e) {
        errors.report("a chore of the node", e);
      }
    }
  }

  /**
   * Runs a chore, one after the other; on a thread of its own when the node has ended: a link may
   * outlive that, whose thread a handler has kept, and what it leaves behind is freed all the same.
   * Where there is no heap for it, it is begun again.
   */
  public void chore(Runnable action) {
    Runnable reporting = new Chore(action, errors);
    try {
      chores.execute(reporting);
    } catch (RejectedExecutionException e) {
      startThread("chores", reporting);
    }
  }

  /**
   * Runs something on a thread of its own.
   *
   * @param name of the thread, after the node's
   */
  public void startThread(String name, Runnable body) {
    threads(
            "ringwire-" + config.nodeId() + "-" + name,
            thread -> threadStarted(config.listener(), thread, context, errors))
        .newThread(body)
        .start();
  }
}
