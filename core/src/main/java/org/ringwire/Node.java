package org.ringwire;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.engine.MessagingNode;

/**
 * One member of a cluster: sends objects to other nodes, which are named by a number, and handles
 * what they send.
 *
 * <p>A process usually opens one node and keeps it for its lifetime. Connections are made on first
 * use. Every method may be called from any thread, virtual threads included. An interrupt ends only
 * the wait of the thread that it was meant for: it never closes a connection and never loses a
 * message of anybody else.
 *
 * <p>A timeout of zero waits for nothing: what can be done at once is done. One that is null or
 * negative is refused by every method that takes one, with a {@link NullPointerException} or an
 * {@link IllegalArgumentException}, before anything is done; one of more than a hundred years is
 * that. Any other argument that is null is refused as soon, and named. Where there is no connection
 * yet the {@link NodeDirectory} is asked on the calling thread: the time that it takes comes on top
 * of any timeout, as the directory has to answer at once.
 *
 * {@snippet :
 * record Ping(long id, String text) {}
 * record Pong(long id) {}
 *
 * try (Node node = Node.open(NodeConfig.builder(1).transport("tcp").listen("127.0.0.1:7401").peers(directory).build())) {
 *   node.handle(Ping.class, (ping, exchange) -> {
 *     if (exchange.isRequest()) { // nobody waits for an answer to what was sent one way
 *       exchange.reply(new Pong(ping.id()));
 *     }
 *   });
 *   node.send(2, new Ping(7, "one way"));
 *   Pong pong = node.request(2, new Ping(8, "hi"), Pong.class, Duration.ofSeconds(5));
 * }
 * }
 */
public interface Node extends AutoCloseable {

  /** The largest node id; ids are unsigned 16-bit numbers. */
  int MAX_ID = 65_535;

  /**
   * Opens a node: starts its threads and, if an address is configured, listens.
   *
   * <p>All its threads are daemons, which keep no process alive: where {@code main} has nothing
   * more to do, let it wait, for a latch that a shutdown hook releases for instance, and close the
   * node in that hook. What was accepted and not sent when the process exits without is lost.
   *
   * @throws AuthenticationRequiredException if other machines could connect, and nothing says who
   *     they are
   * @throws MessagingException if the transport is unknown or cannot be opened, or the address
   *     cannot be bound; the message says what to change
   */
  static Node open(NodeConfig config) {
    return open(config, _ -> {});
  }

  /**
   * Opens a node that has its handlers before it listens: no message of a peer finds it without
   * them, also where peers know its address from a former life and connect at once.
   *
   * {@snippet :
   * Node node = Node.open(config, it -> it.handle(Ping.class, (ping, exchange) -> ...));
   * }
   *
   * @param setUp registers handlers at the node that it is given; runs once, on the calling thread,
   *     when all of the node works but that {@link #address()} is still null: peers that it
   *     connects to answer over the same link, and it cannot send to itself yet. What it throws is
   *     thrown, and the node is closed
   * @throws AuthenticationRequiredException as {@link #open(NodeConfig)}
   * @throws MessagingException as {@link #open(NodeConfig)}
   */
  static Node open(NodeConfig config, Consumer<? super Node> setUp) {
    Objects.requireNonNull(config, "config must not be null");
    Objects.requireNonNull(setUp, "setUp must not be null");
    return MessagingNode.open(config, setUp);
  }

  /** This node's id, 0 to 65535. */
  int id();

  /**
   * The address that this node listens on, with the port really bound; null if it does not. Of one
   * that listens on all addresses of its machine it is one of all, such as {@code 0.0.0.0:7400},
   * which leads nobody to it.
   */
  @Nullable String address();

  /** As {@link #handle(Class, Dispatch, Handler)} with {@link Dispatch#POOLED}. */
  default <T> void handle(Class<T> type, Handler<? super T> handler) {
    handle(type, Dispatch.POOLED, handler);
  }

  /**
   * Registers the handler of a message type, before or after connections exist. Of a class whose
   * messages are sent by the codec that was registered for a type above it, it gets all messages of
   * that codec.
   *
   * @throws IllegalStateException if the type has a handler already
   * @throws IllegalArgumentException if no codec can be made for the type; the message names the
   *     component that is in the way
   */
  <T> void handle(Class<T> type, Dispatch dispatch, Handler<? super T> handler);

  /**
   * Connects to a node of which only the address is known, and learns its id. From then on it can
   * be sent to by that id, also after the connection was lost; where the directory knows the node,
   * the directory says where it is. Waits until data can be sent.
   *
   * @param address in the transport's form; for tcp {@code host:port} or {@code [ipv6]:port}
   * @param timeout bounds the whole call
   * @return the id of the node, 0 to 65535; this node's own id if it is itself
   * @throws NodeUnreachableException if nobody answers in time, or the node refuses; the message
   *     says why
   * @throws NodeClosedException if this node is closed
   * @throws IllegalStateException if called from an inline handler, which may not block
   */
  int connect(String address, Duration timeout);

  /**
   * Sends a message; returns once it is accepted, that is, encoded and in the order of this
   * thread's messages to that node. Blocks under back pressure, at most for the configured send
   * timeout. The message may be changed or reused after the return. A platform thread that meets
   * others who send there at the same time offers its core ({@link Thread#yield}) now and then;
   * {@link #trySend} does not.
   *
   * @throws IllegalArgumentException if the id is not in 0..65535, or no codec can be made for the
   *     message's class
   * @throws IllegalStateException if called from an inline handler that would have to wait
   * @throws EncodingException if the message's codec failed; nothing was sent
   * @throws BackPressureException if the timeout passed
   * @throws NodeUnreachableException if the node is unknown or no connection can be made; or it
   *     closes, and this is called by a handler, or what depends on a future, that it may wait for;
   *     or one of the two dismisses their connection ({@link NodeConfig#maxConnections}), by which
   *     the request came that the handler is to answer
   * @throws MemoryLimitException if the process may not commit the native memory that a new
   *     connection, or a long message, needs
   * @throws MessagingException with another subtype: closed node, interrupt
   */
  void send(int nodeId, Object message);

  /**
   * As {@link #send(int, Object)} with a timeout of its own; zero means that it never waits for
   * room.
   */
  void send(int nodeId, Object message, Duration timeout);

  /**
   * Sends a message if that is possible without waiting. Starts a connection attempt where there is
   * none and then returns {@link SendStatus#NOT_CONNECTED}.
   *
   * @throws EncodingException if the message's codec failed; nothing was sent
   * @throws MemoryLimitException as {@link #send(int, Object)}
   */
  SendStatus trySend(int nodeId, Object message);

  /**
   * Tells when it is worth to send again: for who may not wait, after {@link #trySend} has refused
   * a message. The future ends
   *
   * <ul>
   *   <li>once there may be room for a message as long as the one refused last, or the one that the
   *       calling thread was refused last, whichever needs less,
   *   <li>once a connection attempt has ended, well or not, or may begin again,
   *   <li>once a connection or this node has ended,
   *   <li>at once, or now and then on another thread a moment later, if any of this is so already,
   *       and exceptionally if the directory does not know the node or this node is closed.
   * </ul>
   *
   * <p>It is a hint: another thread may have taken the room, so look at what {@code trySend}
   * returns then, and ask again if need be. No hint is lost: whatever makes room after the call
   * ends the future. Dependents run on the handler executor, or on the thread that adds them, never
   * on a thread that reads from the network. Ask once for each message that was refused; a future
   * that nobody wants any more is cancelled. Why there is no hint, and what a dependent throws, is
   * in the future that {@code thenRun} and the like return, and told by nobody else.
   *
   * {@snippet :
   * void pump() {
   *   for (Object next = queue.peek(); next != null; next = queue.peek()) {
   *     if (node.trySend(2, next) != SendStatus.ACCEPTED) {
   *       node.whenWritable(2).thenRun(this::pump).exceptionally(failure -> {
   *         log.log(Level.WARNING, "nothing more is sent to node 2", failure);
   *         return null;
   *       });
   *       return;
   *     }
   *     queue.remove();
   *   }
   * }
   * }
   *
   * @throws IllegalArgumentException if the id is not in 0..65535
   */
  CompletableFuture<Void> whenWritable(int nodeId);

  /**
   * Sends a message to several nodes; it is encoded once. Never throws for one receiver what the
   * others would suffer from: the result says per receiver what happened. All that can take it at
   * once get it first; then it waits as {@link #send(int, Object)} does, for all together; an
   * inline handler never waits, and is told where it would have had to.
   *
   * @throws EncodingException if the message's codec failed, or it is longer than this node may
   *     send; nothing was sent
   * @throws MemoryLimitException if the process may not commit the native memory to encode a long
   *     message in; nothing was sent
   * @throws NodeClosedException if this node is closed
   * @throws WaitInterruptedException if the thread is interrupted while it waits; those who were
   *     not waited for may have the message, but none gets it after what this thread sends next
   */
  MulticastResult send(Set<Integer> nodeIds, Object message);

  /**
   * Sends a request and waits for its response. What may come has to be known to this node: a
   * record or an enum becomes so by this call, and so do those that a sealed type permits; what has
   * a codec of its own, when it is handled, sent or registered in the catalog.
   *
   * <p>{@link MessagingException#mayBeHandled} tells whether it may be repeated after a failure
   * without being handled twice.
   *
   * @param timeout bounds the whole call: connecting, sending, and waiting; but not a directory
   *     that takes its time
   * @throws RequestTimeoutException if it was not accepted, or no response came, in time
   * @throws RemoteHandlerException if the other side has no response; it says why
   * @throws ConnectionLostException if the connection ended first, at once
   * @throws NodeUnreachableException as {@link #send} does
   * @throws BackPressureException if {@code maxRequests} are outstanding, or to this node as many
   *     as that leaves to others
   * @throws EncodingException if the request's codec failed; nothing was sent
   * @throws MemoryLimitException if the process may not commit the native memory that a new
   *     connection, or a long request, needs
   * @throws NodeClosedException if this node is closed
   * @throws WaitInterruptedException if the thread is interrupted while it waits
   * @throws IllegalArgumentException if the id is not in 0..65535, or no codec can be made
   * @throws MessagingException itself if the response does not decode, is of a type that is not
   *     known here, or is no {@code responseType}; the request was handled then
   * @throws IllegalStateException if called from an inline handler, which may not block
   */
  <R> R request(int nodeId, Object message, Class<R> responseType, Duration timeout);

  /**
   * Sends a request; the future ends with the response, or exceptionally as {@link #request} does,
   * whether there is a connection already or not. Only an id, a response type or a time that is
   * wrong is thrown here, and a message that is null. Cancelling the future, or completing it in
   * another way, gives up the request. Dependents of the future run on the handler executor, never
   * on a thread that reads from the network.
   *
   * <p>Never waits: where there is no connection yet, or no room, the request is encoded and
   * accepted later, on another thread. So the message must not be changed before the future has
   * ended, and such a request may be overtaken by what is sent after it. An inline handler may not
   * wait for the future: {@code join} and {@code get} throw {@link IllegalStateException} there.
   */
  <R> CompletableFuture<R> requestAsync(
      int nodeId, Object message, Class<R> responseType, Duration timeout);

  /** As above, with the configured request timeout. */
  <R> CompletableFuture<R> requestAsync(int nodeId, Object message, Class<R> responseType);

  /** Hands everything accepted so far to the transports without waiting for aggregation. */
  void flush();

  /** A consistent enough picture of what this node has done so far; cheap, allocates the record. */
  NodeMetrics metrics();

  /**
   * Whether the calling thread may wait here: for libraries that are built on this one, and wait
   * for messages of theirs.
   *
   * @return false within an inline handler, whatever node it belongs to, unless it keeps an order
   *     and is called by a thread of the pool
   */
  boolean mayWait();

  /**
   * Tells when this node is closed: for what belongs to it, and has to end with it. The future ends
   * as soon as the node begins to close, and is ended already if it has. Dependents run on the
   * thread that closes the node, or on the one that adds them, and may not wait. They may close the
   * node as well, which does nothing then and returns at once. Each call returns another future,
   * which the node keeps until then; one that nobody wants any more is cancelled.
   *
   * @return ends once, and never exceptionally
   */
  CompletableFuture<Void> whenClosed();

  /**
   * Closes the node: stops accepting, sends what was accepted, waits for the responses that are
   * due, and for handlers, also of what peers have sent that are gone, then ends every connection
   * and thread. What it waits for peers and handlers is bounded by the timeout, and not by other
   * timeouts of this node or of peers; then threads get two seconds to end, and five more while an
   * inline handler keeps one that reads; one that asks a name server, which does not answer, is
   * left alone then. If another thread closes the node already, waits for it, as long as the
   * timeout allows. What could not be delivered may not be known by then: the report that is
   * returned says so, and is not {@linkplain CloseReport#isClean() clean}.
   *
   * <p>Peers are told at once to send nothing new. Those that owe this node an answer may have to
   * ask back first: they are told when they have answered, or three quarters of the time are over.
   *
   * <p>An attempt to connect of which the peer has heard is waited for until it opens or fails. A
   * peer that accepts and never answers costs what is left of {@link NodeConfig#connectTimeout}.
   *
   * <p>A thread whose stack is nearly at its end has another one close the node, and gets {@link
   * CloseReport#UNKNOWN} if it cannot wait for that. If it cannot even start it, it gets a {@link
   * StackOverflowError}, or an {@link OutOfMemoryError} where no thread can be made, and the node
   * is open.
   *
   * <p>When the time is over no handler is called any more: what waits for one is thrown away, and
   * the report counts it. Handlers that run then may still run after the return, if an interrupt
   * does not end them, and those with {@link Dispatch#BLOCKING} are not even interrupted. An
   * interrupt of the calling thread ends nothing, and is its status again after the return.
   *
   * <p>From the beginning of the close on this node sends nothing new: also of handlers that are
   * still running, {@link #send} and {@link #request} fail with a {@link NodeClosedException}. They
   * can answer what they were asked. An application whose handlers ask other nodes stops its own
   * sources of work, and waits for what is under way, before it closes the node.
   *
   * <p>A handler that closes its node waits for its own end until the time is over, as its message
   * counts as processed when it returns: let another thread do that. A listener, and what depends
   * on a future of this node, may close it. If another thread is closing it already, it may wait
   * for these: then they and handlers of the pool get {@link CloseReport#UNKNOWN} at once.
   *
   * @return what could not be delivered; the same for all callers that have waited to the end, else
   *     {@link CloseReport#UNKNOWN}
   */
  CloseReport close(Duration timeout);

  /** As {@link #close(Duration)} with the configured close timeout. */
  @Override
  void close();
}
