package org.ringwire.infiniband.memory;

import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.Dispatch;
import org.ringwire.IdleStrategy;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.idle.FirstUse;
import org.ringwire.idle.HeapRetry;
import org.ringwire.idle.WaitingPlace;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryDescriptor;
import org.ringwire.infiniband.MemoryListener;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemory;
import org.ringwire.infiniband.RemoteMemoryConfig;
import org.ringwire.infiniband.RemoteMemoryException;
import org.ringwire.infiniband.RemoteMemoryException.Reason;
import org.ringwire.infiniband.RemoteRegion;
import org.ringwire.infiniband.device.IbOptions;
import org.ringwire.infiniband.device.SetUpThreads;
import org.ringwire.infiniband.verbs.MemoryRegion;
import org.ringwire.infiniband.verbs.RegistrationCache;
import org.ringwire.infiniband.verbs.SendRequests;
import org.ringwire.infiniband.verbs.library.MemoryLock;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.types.RetryOptions;
import org.ringwire.transport.support.TransportLog;
import org.ringwire.transport.support.TransportThreads;

/** The remote memory of a node. Any thread. */
public final class NodeMemory implements RemoteMemory {

  private static final long END_NS = TimeUnit.SECONDS.toNanos(5);
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final TransportLog LOG = TransportLog.of(NodeMemory.class);

  private final Node node;
  private final RemoteMemoryConfig config;
  private final MemoryDevice device;
  private final long life;
  private final Responders responders;
  private final CompletionThread completions;
  private final SetUpThreads setUps;
  private final Endings endings;
  private final Map<Integer, Initiator> initiators = new ConcurrentHashMap<>();
  private final Exports exports;
  private boolean closed; // guarded by this, as the next
  private boolean ending; // or ended
  private @Nullable Throwable broken; // nobody takes completions any more
  private final Runnable failing = this::endOperations; // made before, as there may be no heap
  private final Runnable closing = this::endAll;
  private final Runnable last = this::closeDevice;

  @SuppressWarnings("UnnecessaryLambda")
  private final Runnable whenMade = () -> HeapRetry.run(this, last);

  private final Runnable whenTaken = this::completionsEnded;
  private final AutoCloseable registrations = this::awaitRegistrations;

  @SuppressWarnings("this-escape") // a final class
  private NodeMemory(Node node, RemoteMemoryConfig config, MemoryDevice device) {
    this.node = node;
    this.config = config;
    this.device = device;
    life = ThreadLocalRandom.current().nextLong();
    String name = "ringwire-" + node.id() + "-ib-memory";
    setUps =
        new SetUpThreads(
            name,
            (each, body) ->
                Thread.ofPlatform()
                    .daemon()
                    .name(each)
                    .inheritInheritableThreadLocals(false) // of who needs it first
                    .unstarted(body));
    completions = new CompletionThread(this, name);
    endings = new Endings(completions::wake);
    responders = new Responders(node, this, completions);
    exports = new Exports(this, node.id(), device, config.exportBytes());
  }

  /** As {@link RemoteMemory#of(Node, RemoteMemoryConfig)}. */
  public static NodeMemory of(Node node, RemoteMemoryConfig config) {
    return of(node, config, _ -> {});
  }

  /** The same, with what {@link MemoryDevice} tells of the ends of peers. */
  static NodeMemory of(Node node, RemoteMemoryConfig config, Consumer<QueueEnd> looksFor) {
    IbOptions options = IbOptions.of(System::getProperty);
    MemoryDevice device = new MemoryDevice(options, config.cacheBytes(), looksFor);
    boolean made = false;
    try {
      prepareFirstUse();
      NodeMemory memory = new NodeMemory(node, config, device);
      memory.serve();
      made = true;
      return memory;
    } finally {
      if (!made) {
        device.close();
      }
    }
  }

  /** What the first export and the first operation use: {@code FirstOperationsTest}. */
  private static void prepareFirstUse() {
    FirstUse.prepare(
        MemoryPermission.class,
        MemoryLock.class,
        Operation.class,
        RetryOptions.class,
        SendRequests.class);
    FirstUse.prepareBeside(NodeMemory.class, "infiniband.memory.Exports$1"); // of its switch
  }

  private void serve() {
    boolean serves = false;
    try {
      node.handle(Knock.class, Dispatch.POOLED, responders::admit);
      completions.thread().start();
      serves = true;
    } finally {
      if (!serves) {
        completions.close();
      }
    }
  }

  @Override
  public ExportedMemory export(MemorySegment memory, MemoryPermission... permissions) {
    return exports.export(memory, Notices.NONE, permissions);
  }

  @Override
  public ExportedMemory export(
      MemorySegment memory, MemoryListener listener, MemoryPermission... permissions) {
    return exports.export(memory, listener, permissions);
  }

  @Override
  public void prepare(MemorySegment memory) {
    if (!memory.isNative()) {
      throw new IllegalArgumentException(
          "only native memory can be prepared: length=" + memory.byteSize());
    }
    if (memory.byteSize() == 0) {
      return;
    }
    device.registrations().release(device.registrations().acquire(memory));
  }

  @Override
  public RemoteRegion open(MemoryDescriptor descriptor) {
    if (descriptor.nodeId() == node.id()) {
      throw new IllegalArgumentException("memory of this node itself: " + descriptor);
    }
    checkServed();
    return new Region(this, null, descriptor, WaitingPlace.of(IdleStrategy.adaptive()));
  }

  /** Throws if nothing can be begun any more. */
  synchronized void checkServed() {
    if (closed) {
      throw new IllegalStateException("the remote memory of the node was closed");
    }
    Throwable why = broken;
    if (why != null) {
      throw new MessagingException("the remote memory of the node has failed: " + why, why);
    }
  }

  /** What carries out operations on memory of a node; made for the first of them. */
  synchronized Initiator initiator(int peer) {
    if (closed || broken != null) {
      throw Failures.of(peer, Reason.CLOSED, "", closed ? null : broken);
    }
    try {
      return initiators.computeIfAbsent(peer, id -> new Initiator(this, id));
    } catch (VerbsException e) { // memory that may not be locked, for instance
      throw Failures.of(peer, Reason.UNREACHABLE, "", e);
    }
  }

  /** Asks a node for a queue pair. */
  CompletableFuture<Admission> knock(int peer, QueueEnd end) {
    return node.requestAsync(peer, new Knock(end), Admission.class, config.connectTimeout());
  }

  /**
   * Memory of an operation as the device knows it, until {@link #end}; null if it is to be copied.
   */
  @Nullable MemoryRegion registered(int peer, MemorySegment memory) {
    boolean free = memory.isAccessibleBy(completions.thread());
    if (!memory.isNative() || (free && memory.byteSize() <= Chunks.LENGTH)) {
      if (!free) {
        throw new IllegalArgumentException("memory that other threads may not access");
      }
      return null;
    }
    try {
      return device.registrations().acquire(memory);
    } catch (VerbsException e) {
      if (!free) {
        throw notRegistered(peer, e);
      }
      LOG.log(System.Logger.Level.DEBUG, "copied instead of registered", e);
      return null;
    }
  }

  private synchronized RemoteMemoryException notRegistered(int peer, VerbsException cause) {
    return closed || broken != null
        ? Failures.of(peer, Reason.CLOSED, "", closed ? null : broken)
        : Failures.of(peer, Reason.UNREACHABLE, "own memory cannot be registered", cause);
  }

  /** An operation has ended, and no list has it any more. */
  void end(Operation operation) {
    MemoryRegion registration = operation.registration();
    try {
      if (registration != null) {
        device.registrations().release(registration);
      }
    } catch (RuntimeException | OutOfMemoryError e) { // who waits for it must not wait for ever
      log("memory of an operation stays registered", e);
    }
    operation.end();
    if (operation.hasFuture()) {
      endings.tell(operation);
    }
  }

  Collection<Initiator> initiators() {
    return initiators.values();
  }

  MemoryDevice device() {
    return device;
  }

  RemoteMemoryConfig config() {
    return config;
  }

  /** The random number of it that descriptors have. */
  long life() {
    return life;
  }

  /** What queue pairs are made ready on. */
  SetUpThreads setUps() {
    return setUps;
  }

  /** What tells of operations that nobody waits for. */
  Endings endings() {
    return endings;
  }

  /** There is something to do for the thread that takes completions. */
  void wake() {
    completions.wake();
  }

  /** What is not worth an exception, nor one for want of heap. */
  void log(String what, Throwable why) {
    try {
      LOG.log(System.Logger.Level.DEBUG, what, why);
    } catch (OutOfMemoryError e) {
      // nobody hears of it
    }
  }

  /** Ends the operations on memory of one node; who opens it anew begins anew. */
  void failed(Initiator initiator, Throwable why) {
    LOG.log(System.Logger.Level.ERROR, "operations on memory of a node have failed", why);
    initiators.values().remove(initiator); // first: who hears of it may open it anew at once
    boolean ended = false;
    try {
      HeapRetry.run(this, new InitiatorEnd(initiator, why));
      ended = true;
    } finally {
      if (!ended) {
        initiators.putIfAbsent(initiator.peer(), initiator); // closed with the others
      }
    }
  }

  /** Nobody takes completions any more. */
  void failed(Throwable why) {
    LOG.log(System.Logger.Level.ERROR, "operations on memory of other nodes have failed", why);
    synchronized (this) {
      broken = why; // there are no others after this
    }
    HeapRetry.run(this, failing);
  }

  private void endOperations() {
    Throwable why;
    synchronized (this) {
      why = broken;
    }
    for (Initiator each : initiators.values()) {
      attempt(new InitiatorEnd(each, why));
    }
    attempt(new RespondersEnd(responders, why));
    attempt(endings);
  }

  /** No lambda, as the next one: one that finds no heap where it comes first is lost for ever. */
  private record InitiatorEnd(Initiator initiator, @Nullable Throwable why)
      implements AutoCloseable, Runnable {

    @Override
    public void run() {
      attempt(this);
    }

    @Override
    public void close() {
      initiator.close(why);
    }
  }

  private record RespondersEnd(Responders responders, @Nullable Throwable why)
      implements AutoCloseable {

    @Override
    public void close() {
      responders.close("the remote memory of the node has failed: " + why);
    }
  }

  /** What fails keeps nothing else from its end; all is done again where there was no heap. */
  private static void attempt(AutoCloseable part) {
    try {
      part.close();
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.WARNING, "cannot close a part of remote memory", e);
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      if (ending) {
        return;
      }
      closed = true;
      ending = true;
    }
    boolean ended = false;
    try {
      HeapRetry.run(this, closing);
      ended = true;
    } finally {
      if (!ended) { // who closes it again goes on
        synchronized (this) {
          ending = false;
        }
      }
    }
  }

  /** Each step may be done again. */
  private void endAll() {
    for (Export each : exports.all()) {
      attempt(each);
    }
    completions.shutdown();
    boolean ended = TransportThreads.awaitEnd(completions.thread(), END_NS);
    if (!ended && !Thread.currentThread().equals(completions.thread())) {
      LOG.log(
          System.Logger.Level.WARNING,
          "a listener of exported memory has not returned: the device stays open until it does",
          null);
    }
    for (Initiator each : initiators.values()) {
      attempt(each);
    }
    attempt(responders);
    attempt(endings);
    setUps.close();
    setUps.awaitEnd(END_NS);
    completions.whenEnded(whenTaken);
  }

  private void completionsEnded() {
    setUps.whenEnded(whenMade);
  }

  /**
   * When nobody takes completions any more, which would be from queues that are gone, nor makes
   * queue pairs ready.
   */
  private void closeDevice() {
    attempt(registrations);
    attempt(device);
  }

  /** A thread may have registered memory for an operation that is told of the end next. */
  private void awaitRegistrations() {
    RegistrationCache registrations = device.registrations();
    registrations.end();
    long deadlineNs = System.nanoTime() + END_NS;
    while (registrations.usedBytes() > 0 && System.nanoTime() - deadlineNs < 0) {
      LockSupport.parkNanos(LOOK_NS);
    }
  }
}
