package org.ringwire.engine;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.BackPressureException;
import org.ringwire.CloseReport;
import org.ringwire.Dispatch;
import org.ringwire.Handler;
import org.ringwire.MulticastResult;
import org.ringwire.Node;
import org.ringwire.NodeClosedException;
import org.ringwire.NodeConfig;
import org.ringwire.NodeMetrics;
import org.ringwire.NodeUnreachableException;
import org.ringwire.SendStatus;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageType;
import org.ringwire.engine.connection.AttemptWatch;
import org.ringwire.engine.connection.ConnectResult;
import org.ringwire.engine.connection.Connection;
import org.ringwire.engine.connection.Connections;
import org.ringwire.engine.outbound.MessageSender;
import org.ringwire.engine.outbound.Route;
import org.ringwire.engine.outbound.SendContext;
import org.ringwire.engine.outbound.Waits;
import org.ringwire.engine.services.Bounded;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.engine.services.Transports;
import org.ringwire.idle.HeapRetry;
import org.ringwire.management.Inspect;
import org.ringwire.transport.TransportProvider;
import org.ringwire.wire.FrameLayout;

/** A node: opens and closes what it is made of, and leads each call to it. */
public final class MessagingNode implements Node {

  /** In place of a deadline: do not wait at all. */
  static final long NEVER_WAITS = Long.MIN_VALUE;

  /** For how long beyond its time a node that has no heap to close tries to. */
  private static final long NO_HEAP_PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  private final NodeServices services;
  private final Connections connections;
  private final KeepAlive keepAlive;
  private final Shutdown shutdown;
  private final Requester requester;
  private final FutureRequests futures;
  private final Multicast multicast;
  private final Flushing flushing;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Runnable end = this::end; // made before, as there may be no heap for it
  private volatile @Nullable String address;
  private volatile @Nullable Thread closer; // while it closes
  private final CompletableFuture<Void> closing = new CompletableFuture<>();
  private final CompletableFuture<CloseReport> report = new CompletableFuture<>();

  private MessagingNode(NodeServices services) {
    this.services = services;
    connections = new Connections(services);
    keepAlive = new KeepAlive(services, connections);
    shutdown = new Shutdown(services, connections);
    OutgoingRequests outgoing = new OutgoingRequests(services);
    requester = new Requester(services, this, keepAlive, outgoing);
    futures = new FutureRequests(services, this, keepAlive, outgoing);
    multicast = new Multicast(services, connections, this);
    flushing = new Flushing(connections);
  }

  /** Opens a node; see {@link Node#open(NodeConfig, Consumer)}. */
  public static Node open(NodeConfig config, Consumer<? super Node> setUp) {
    return open(config, 1, Transports.named(config.transport()), localTransport(config), setUp);
  }

  /** As above; tests choose the first correlation id, 1 or more. */
  public static Node open(NodeConfig config, long firstRequestId) {
    return open(config, firstRequestId, Transports.named(config.transport()));
  }

  /** As above; tests bring a transport that no service loader knows. */
  public static Node open(NodeConfig config, long firstRequestId, TransportProvider provider) {
    return open(config, firstRequestId, provider, localTransport(config));
  }

  private static @Nullable TransportProvider localTransport(NodeConfig config) {
    String local = config.localTransport();
    return local == null ? null : Transports.named("localTransport", local);
  }

  /** As above, for both transports; tests only. */
  static Node open(
      NodeConfig config,
      long firstRequestId,
      TransportProvider provider,
      @Nullable TransportProvider local) {
    return open(config, firstRequestId, provider, local, _ -> {});
  }

  private static Node open(
      NodeConfig config,
      long firstRequestId,
      TransportProvider provider,
      @Nullable TransportProvider local,
      Consumer<? super Node> setUp) {
    NodeServices services = NodeServices.open(config, firstRequestId, provider, local);
    MessagingNode node = null;
    try {
      node = new MessagingNode(services);
    } finally {
      if (node == null) { // there is no heap for it
        services.transport().close();
      }
    }
    boolean started = false;
    try {
      node.start(setUp);
      started = true;
    } finally {
      if (!started) { // else threads and sockets of nobody would be left, whatever was thrown
        node.close(Duration.ofSeconds(1));
      }
    }
    return node;
  }

  private void start(Consumer<? super Node> setUp) {
    if (services.config().inspectable()) {
      handle(Inspect.class, Dispatch.BLOCKING, NodeSnapshot.answers(services, connections));
    }
    services.flusher().start();
    services.handlers().whenOverdue(services.flusher(), flushing::later);
    IdleWatch.start(services, connections);
    keepAlive.start();
    setUp.accept(this);
    String listen = services.config().listen();
    if (listen != null) {
      address = ListenAddress.open(listen, services, connections);
    }
  }

  @Override
  public int id() {
    return services.config().nodeId();
  }

  @Override
  public @Nullable String address() {
    return address;
  }

  @Override
  public <T> void handle(Class<T> type, Dispatch dispatch, Handler<? super T> handler) {
    Objects.requireNonNull(type, "type must not be null");
    services.registrations().add(services.config().catalog().typeOf(type), dispatch, handler);
  }

  @Override
  public boolean mayWait() {
    return !SendContext.current().isInline();
  }

  // Connecting.

  @Override
  public int connect(String peer, Duration timeout) {
    Objects.requireNonNull(peer, "address must not be null");
    Timeouts.check(timeout);
    if (!mayWait()) {
      throw new IllegalStateException(
          "an inline handler may not wait for a connection: register it as POOLED or BLOCKING:"
              + " address="
              + peer);
    }
    requireOpen();
    long deadlineNs = System.nanoTime() + Timeouts.nanos(timeout);
    Waits.begin();
    int nodeId = ask(peer, timeout);
    if (nodeId != id()) {
      connections.learn(nodeId, peer);
      awaitSender(nodeId, deadlineNs);
    }
    return nodeId;
  }

  private int ask(String peer, Duration timeout) {
    try {
      return Inquiry.ask(services, connections, closing, peer, timeout);
    } catch (NodeUnreachableException e) {
      requireOpen(); // as in awaitConnection
      throw e;
    }
  }

  // Sending.

  @Override
  public void send(int nodeId, Object message) {
    sendInTime(nodeId, message, services.config().sendTimeout());
  }

  @Override
  public void send(int nodeId, Object message, Duration timeout) {
    Timeouts.check(timeout);
    sendInTime(nodeId, message, timeout);
  }

  private void sendInTime(int nodeId, Object message, Duration timeout) {
    SendContext context = SendContext.current();
    Route route = context.route(nodeId);
    if (route.leads(this, nodeId, message.getClass())
        && !closed.get()
        && route.send(context, message) == SendStatus.ACCEPTED) {
      route.offerCore(context);
    } else {
      sendWaiting(nodeId, context, message, timeout);
    }
  }

  private void sendWaiting(int nodeId, SendContext context, Object message, Duration timeout) {
    long deadlineNs = System.nanoTime() + Timeouts.nanos(timeout);
    MessageType<?> type = services.config().catalog().typeOf(message.getClass());
    MessageSender sender = senderTo(nodeId);
    SendStatus status;
    do {
      if (sender == null) {
        sender = awaitSender(nodeId, deadlineNs);
      }
      status = sender.send(context, type, codec(type), message, FrameLayout.MESSAGE, 0, deadlineNs);
      if (status == SendStatus.ACCEPTED) {
        context.route(nodeId).remember(this, nodeId, message.getClass(), type, sender);
        return;
      }
      sender = null;
    } while (status == SendStatus.CLOSED && System.nanoTime() - deadlineNs < 0);
    MessageSender last = senderTo(nodeId);
    String memory =
        last == null ? null : last.lacksMemory(type, codec(type), message, FrameLayout.MESSAGE);
    throw new BackPressureException(
        "not accepted in time: nodeId="
            + nodeId
            + " timeout="
            + timeout
            + " status="
            + status
            + (memory == null ? "" : ": " + memory));
  }

  @SuppressWarnings("unchecked") // the codec belongs to the class of the message
  static Codec<Object> codec(MessageType<?> type) {
    return (Codec<Object>) type.codec();
  }

  @Override
  public SendStatus trySend(int nodeId, Object message) {
    SendContext context = SendContext.current();
    Route route = context.route(nodeId);
    if (route.leads(this, nodeId, message.getClass()) && !closed.get()) {
      SendStatus status = route.send(context, message);
      if (status != SendStatus.CLOSED) { // else the connection has ended since
        return status;
      }
    }
    MessageType<?> type = services.config().catalog().typeOf(message.getClass());
    SendStatus status = trySend(nodeId, type, codec(type), message);
    MessageSender sender = status == SendStatus.ACCEPTED ? senderTo(nodeId) : null;
    if (sender != null && sender.hasAnnounced(type)) {
      context.route(nodeId).remember(this, nodeId, message.getClass(), type, sender);
    }
    return status;
  }

  <T> SendStatus trySend(int nodeId, MessageType<?> type, Codec<T> codec, T message) {
    check(nodeId);
    if (closed.get()) {
      return SendStatus.CLOSED;
    }
    MessageSender sender = senderTo(nodeId);
    if (sender != null) {
      SendStatus status = sender.send(type, codec, message, FrameLayout.MESSAGE, 0, NEVER_WAITS);
      if (status != SendStatus.CLOSED) {
        return status;
      }
    }
    return switch (connections.connect(nodeId)) {
      case ConnectResult.Begun _ -> SendStatus.NOT_CONNECTED;
      case ConnectResult.BacksOff _ -> SendStatus.UNREACHABLE;
      case ConnectResult.Unknown _ -> SendStatus.UNKNOWN_NODE;
      case ConnectResult.NodeCloses _ -> SendStatus.CLOSED;
      case ConnectResult.DirectoryFailed failed -> { // which a status does not say
        services.errors().report("cannot reach node: nodeId=" + nodeId, failed.cause());
        yield SendStatus.UNREACHABLE;
      }
    };
  }

  @Override
  public CompletableFuture<Void> whenWritable(int nodeId) {
    return connections.writability().of(check(nodeId));
  }

  @Override
  public MulticastResult send(Set<Integer> nodeIds, Object message) {
    nodeIds.forEach(MessagingNode::check);
    return multicast.send(nodeIds, message);
  }

  /** For tests. */
  public Connections connections() {
    return connections;
  }

  /** The sender to a node if its connection is open. */
  @Nullable MessageSender senderTo(int nodeId) {
    check(nodeId);
    Connection connection = connections.get(nodeId);
    return connection == null || closed.get() ? null : connection.sender();
  }

  /** The connection to a node if data can be sent on it. */
  @Nullable Connection openConnection(int nodeId) {
    check(nodeId);
    Connection connection = connections.get(nodeId); // once: another one may come in its place
    boolean isOpen = connection != null && !closed.get() && connection.sender() != null;
    return isOpen ? connection : null;
  }

  /**
   * Before anything is begun.
   *
   * @throws NodeClosedException if this node is closed or closing
   */
  void requireOpen() {
    if (closed.get()) {
      String state = report.isDone() ? "closed" : "closing, and sends nothing new";
      throw new NodeClosedException("the node is " + state + ": nodeId=" + id());
    }
  }

  /** The sender to a node; connects if need be, and waits for it. */
  MessageSender awaitSender(int nodeId, long deadlineNs) {
    while (true) {
      MessageSender sender = awaitConnection(nodeId, deadlineNs).sender();
      if (sender != null) { // else it was closed in the meantime
        return sender;
      }
    }
  }

  Connection awaitConnection(int nodeId, long deadlineNs) {
    check(nodeId);
    while (true) {
      requireOpen();
      Connection connection = connections.get(nodeId);
      if (connection != null && connection.sender() != null) {
        return connection;
      }
      SendContext.current().forgetClock(); // a directory, and connecting, may take their time
      if (connection == null) {
        connection = begin(nodeId);
      }
      if (connection.sender() != null) {
        return connection;
      }
      if (!mayWait()) {
        throw new IllegalStateException(
            "an inline handler may not wait for a connection: register it as POOLED or BLOCKING,"
                + " or use trySend and whenWritable, which do not wait: nodeId="
                + nodeId);
      }
      if (!connection.awaitOpen(deadlineNs)) {
        requireOpen(); // else it would be the other node that cannot be reached
        if (connection.isAwaitedByPeer()) {
          throw unreachable(nodeId, "it closes, and may wait for what this thread does", null);
        }
        if (connection.neverOpened() && !connection.attempt().isBrokenOff()) {
          throw unreachable(nodeId, AttemptWatch.whyNotOpen(connection), null);
        }
        if (System.nanoTime() - deadlineNs >= 0) {
          throw unreachable(nodeId, "its connection was closed, and was not back in time", null);
        }
      } else if (connection.sender() != null) {
        return connection;
      }
    }
  }

  private Connection begin(int nodeId) {
    return switch (connections.connect(nodeId)) {
      case ConnectResult.Begun begun -> begun.connection();
      case ConnectResult.BacksOff backsOff -> throw unreachable(nodeId, backsOff.why(), null);
      case ConnectResult.NodeCloses closes -> throw closes.failure();
      case ConnectResult.Unknown unknown -> throw unreachable(nodeId, unknown.why(), null);
      case ConnectResult.DirectoryFailed failed ->
          throw unreachable(nodeId, failed.why(), failed.cause());
    };
  }

  private static NodeUnreachableException unreachable(
      int nodeId, String why, @Nullable Exception cause) {
    return new NodeUnreachableException("cannot reach node: nodeId=" + nodeId + ": " + why, cause);
  }

  static int check(int nodeId) {
    if (nodeId < 0 || nodeId > MAX_ID) {
      throw new IllegalArgumentException("node id must be in 0..65535: nodeId=" + nodeId);
    }
    return nodeId;
  }

  // Requests.

  @Override
  public <R> R request(int nodeId, Object message, Class<R> responseType, Duration timeout) {
    return requester.request(nodeId, message, responseType, timeout);
  }

  @Override
  public <R> CompletableFuture<R> requestAsync(
      int nodeId, Object message, Class<R> responseType, Duration timeout) {
    return futures.requestAsync(nodeId, message, responseType, timeout);
  }

  @Override
  public <R> CompletableFuture<R> requestAsync(int nodeId, Object message, Class<R> responseType) {
    return requestAsync(nodeId, message, responseType, services.config().requestTimeout());
  }

  @Override
  public void flush() {
    flushing.now();
  }

  @Override
  public NodeMetrics metrics() {
    return NodeSnapshot.of(services, connections, true);
  }

  // Closing.

  @Override
  public CompletableFuture<Void> whenClosed() {
    return closing.copy();
  }

  @Override
  public void close() {
    close(services.config().closeTimeout());
  }

  @Override
  public CloseReport close(Duration timeout) {
    long deadlineNs = System.nanoTime() + Timeouts.nanos(timeout);
    if (!closed.compareAndSet(false, true)) {
      // For a thread of its own who closes may be waiting; and who closes would for itself.
      if (!services.isOwnThread() && !Thread.currentThread().equals(closer)) {
        Bounded.await(report::isDone, deadlineNs);
      }
      return report.getNow(CloseReport.UNKNOWN);
    }
    boolean interrupted = Thread.interrupted();
    try {
      closer = Thread.currentThread();
      shutdown.deadline(deadlineNs);
      HeapRetry.runUntil(deadlineNs + NO_HEAP_PATIENCE_NS, shutdown, end);
    } finally {
      if (!report.isDone()) {
        report();
      }
      closer = null;
    }
    if (interrupted || shutdown.wasInterrupted()) {
      Thread.currentThread().interrupt();
    }
    return report.join();
  }

  private void end() {
    closing.complete(null);
    shutdown.run();
    report();
  }

  private void report() {
    report.complete(
        new CloseReport(
            connections.undelivered(),
            shutdown.cancelledRequests(),
            services.counters().waiting(),
            services.counters().unanswered.sum(),
            connections.isAccountComplete()));
  }
}
