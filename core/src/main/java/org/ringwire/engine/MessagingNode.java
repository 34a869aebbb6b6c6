package org.ringwire.engine;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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
import org.ringwire.SendStatus;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageType;
import org.ringwire.engine.connection.ConnectResult;
import org.ringwire.engine.connection.Connections;
import org.ringwire.engine.inbound.workers.VirtualThreads;
import org.ringwire.engine.outbound.MessageSender;
import org.ringwire.engine.outbound.Route;
import org.ringwire.engine.outbound.SendContext;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.engine.services.Transports;
import org.ringwire.management.Inspect;
import org.ringwire.transport.TransportProvider;
import org.ringwire.wire.FrameLayout;

/** A node: opens and closes what it is made of, and leads each call to it. */
public final class MessagingNode implements Node {

  /** In place of a deadline: do not wait at all. */
  static final long NEVER_WAITS = Long.MIN_VALUE;

  /** Said of each call that is given none, before anything is begun for it. */
  static final String NO_MESSAGE = "message must not be null";

  private final NodeServices services;
  private final Connections connections;
  private final KeepAlive keepAlive;
  private final NodeClose close;
  private final Connecting connecting;
  private final Requester requester;
  private final FutureRequests futures;
  private final Multicast multicast;
  private final Flushing flushing;
  private volatile @Nullable String address;

  private MessagingNode(NodeServices services) {
    this.services = services;
    connections = new Connections(services);
    keepAlive = new KeepAlive(services, connections);
    close = new NodeClose(services, connections);
    connecting = new Connecting(services, connections, close);
    OutgoingRequests outgoing = new OutgoingRequests(services);
    requester = new Requester(services, connecting, keepAlive, outgoing);
    futures = new FutureRequests(services, connecting, keepAlive, outgoing);
    multicast = new Multicast(services, connections, connecting, this);
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
      close.requireOpen(); // else it would be the address that is at fault
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
    Objects.requireNonNull(dispatch, "dispatch must not be null");
    if (dispatch.mode() == Dispatch.Mode.BLOCKING) {
      VirtualThreads.prepare();
    }
    services.registrations().add(services.config().catalog().typeOf(type), dispatch, handler);
  }

  @Override
  public boolean mayWait() {
    return Connecting.mayWait();
  }

  // Connecting.

  @Override
  public int connect(String peer, Duration timeout) {
    Objects.requireNonNull(peer, "address must not be null");
    Timeouts.check(timeout);
    return connecting.toAddress(peer, timeout);
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
    Objects.requireNonNull(message, NO_MESSAGE);
    SendContext context = SendContext.current();
    Route route = context.route(nodeId, message.getClass());
    boolean known = route.leads(this, nodeId, message.getClass()) && !close.isBegun();
    if (known && route.send(context, message, true) == SendStatus.ACCEPTED) {
      route.offerCore(context);
      return;
    }
    MessageType<?> type = services.config().catalog().typeOf(message.getClass());
    MessageSender sender = connecting.senderTo(nodeId);
    if (!known && sender != null && sender.sendAtOnce(context, type, codec(type), message)) {
      route.remember(context, this, nodeId, message.getClass(), type, sender);
    } else {
      sendWaiting(nodeId, context, route, type, sender, message, timeout);
    }
  }

  /** Reads the clock, which what can be sent at once is spared. */
  private void sendWaiting(
      int nodeId,
      SendContext context,
      Route route,
      MessageType<?> type,
      @Nullable MessageSender open,
      Object message,
      Duration timeout) {
    long deadlineNs = System.nanoTime() + Timeouts.nanos(timeout);
    MessageSender sender = open;
    SendStatus status;
    do {
      if (sender == null) {
        sender = connecting.awaitSender(nodeId, deadlineNs);
      }
      status = sender.send(context, type, codec(type), message, FrameLayout.MESSAGE, 0, deadlineNs);
      if (status == SendStatus.ACCEPTED) {
        route.remember(context, this, nodeId, message.getClass(), type, sender);
        return;
      }
      sender = null;
    } while (status == SendStatus.CLOSED && System.nanoTime() - deadlineNs < 0);
    MessageSender last = connecting.senderTo(nodeId);
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
    Objects.requireNonNull(message, NO_MESSAGE);
    SendContext context = SendContext.current();
    Route route = context.route(nodeId, message.getClass());
    if (route.leads(this, nodeId, message.getClass()) && !close.isBegun()) {
      SendStatus status = route.send(context, message, false);
      if (status != SendStatus.CLOSED) { // else the connection has ended since
        return status;
      }
    }
    MessageType<?> type = services.config().catalog().typeOf(message.getClass());
    SendStatus status = trySend(nodeId, type, codec(type), message);
    MessageSender sender = status == SendStatus.ACCEPTED ? connecting.senderTo(nodeId) : null;
    if (sender != null && sender.hasAnnounced(type)) {
      route.remember(context, this, nodeId, message.getClass(), type, sender);
    }
    return status;
  }

  <T> SendStatus trySend(int nodeId, MessageType<?> type, Codec<T> codec, T message) {
    Connecting.check(nodeId);
    if (close.isBegun()) {
      return SendStatus.CLOSED;
    }
    MessageSender sender = connecting.senderTo(nodeId);
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
    return connections.writability().of(Connecting.check(nodeId));
  }

  @Override
  public MulticastResult send(Set<Integer> nodeIds, Object message) {
    Objects.requireNonNull(message, NO_MESSAGE);
    for (Integer nodeId : Objects.requireNonNull(nodeIds, "nodeIds must not be null")) {
      int _ = Connecting.check(Objects.requireNonNull(nodeId, "a node id must not be null"));
    }
    return multicast.send(nodeIds, message);
  }

  /** For tests. */
  public Connections connections() {
    return connections;
  }

  /**
   * Before anything is begun.
   *
   * @throws NodeClosedException if this node is closed or closing
   */
  void requireOpen() {
    close.requireOpen();
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
    return close.whenClosed();
  }

  @Override
  public void close() {
    close(services.config().closeTimeout());
  }

  @Override
  public CloseReport close(Duration timeout) {
    return close.close(timeout);
  }
}
