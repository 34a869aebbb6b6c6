package org.ringwire;

import java.lang.invoke.MethodHandles;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.transport.BufferSizes;
import org.ringwire.transport.providers.TransportProviders;

/**
 * The settings of a node. Every setting has a default that suits a data center; the builder
 * validates each where it is given. Times are positive, and at most a hundred years.
 *
 * @param nodeId this node's id, 0 to 65535
 * @param cluster name that both sides of a connection must share
 * @param authentication how the ends of a connection make sure of each other
 * @param tls keys and certificates of TLS for every connection, or null for none; combines with any
 *     authentication
 * @param transport {@code tcp}, {@code shm}, {@code loopback}, or a module's, such as {@code ib}
 * @param localTransport {@code shm} to prefer it for peers of the same machine and user, or null
 * @param listen address to listen on in the transport's form, or null for a node that only connects
 * @param peers where the other nodes are
 * @param catalog the message types and their codecs
 * @param listener hears of connections
 * @param idleStrategy how threads wait
 * @param drainMode who writes to the medium
 * @param ringCapacity bytes of the send ring of a connection; a power of two, 64 KiB to 1 GiB; 1
 *     MiB by default, over shared memory 2
 * @param initialWindow bytes that a new connection may have unprocessed at the receiver
 * @param maxWindow bytes that the window of a busy connection grows to; 2 MiB by default, over
 *     shared memory 4
 * @param creditThreshold fraction of a window that is processed before credit goes back
 * @param windowBudget bytes that the windows of all connections may add up to
 * @param maxMessageLength bytes of the largest message that is sent or accepted, up to 1 GiB
 * @param maxRequests requests outstanding to one node, a power of two; as many are left to others
 * @param ioThreads threads that wait for the network
 * @param handlerThreads threads of the handler pool
 * @param compensatingThreads threads that the pool may add while handlers wait in this library
 * @param connectTimeout bounds the time until a link is there, and as long again its handshake
 * @param sendTimeout bounds a send that has no timeout of its own
 * @param requestTimeout bounds a request that has no timeout of its own
 * @param closeTimeout bounds {@link Node#close()}
 * @param encodeTimeout time after which a codec that blocks while it encodes is reported, and its
 *     type encoded apart as long as that goes on
 * @param idleTime time after which a connection that sends nothing gives its memory back
 * @param keepAlive time without any sign of life after which a connection is given up
 * @param maxConnections connections beyond which those not used for longest are dismissed
 * @param maxHandshakes handshakes of one address at a time; as many are left to the others
 * @param maxAnnouncedTypes message types that one peer may announce; more cost it its connection
 * @param maxConnectionsPerAddress links that may be open from one address
 * @param maxBufferedBytes bytes of responses and long messages that a peer may make this node keep
 * @param slowHandlerTime time from which on a handler counts as slow
 * @param inspectable whether peers may ask for the metrics of this node
 */
public record NodeConfig(
    int nodeId,
    String cluster,
    Authentication authentication,
    @Nullable Tls tls,
    String transport,
    @Nullable String localTransport,
    @Nullable String listen,
    NodeDirectory peers,
    MessageCatalog catalog,
    NodeListener listener,
    IdleStrategy idleStrategy,
    DrainMode drainMode,
    int ringCapacity,
    int initialWindow,
    int maxWindow,
    double creditThreshold,
    long windowBudget,
    int maxMessageLength,
    int maxRequests,
    int ioThreads,
    int handlerThreads,
    int compensatingThreads,
    Duration connectTimeout,
    Duration sendTimeout,
    Duration requestTimeout,
    Duration closeTimeout,
    Duration encodeTimeout,
    Duration idleTime,
    Duration keepAlive,
    int maxConnections,
    int maxHandshakes,
    int maxAnnouncedTypes,
    int maxConnectionsPerAddress,
    long maxBufferedBytes,
    Duration slowHandlerTime,
    boolean inspectable) {

  /** Who takes what senders have put into a connection's ring and writes it to the medium. */
  public enum DrainMode {
    /**
     * On a quiet connection the sending thread itself, at once; in a burst whichever thread passes
     * the aggregation threshold, bounded in time by the flusher thread.
     */
    ADAPTIVE,
    /** Always the flusher thread, as the papers' transport thread does; for comparison. */
    IO_THREAD
  }

  /** Checks every setting; the builder has done so where it was given. */
  public NodeConfig {
    NodeIds.check(nodeId);
    SettingRules.cluster(cluster);
    SettingRules.given(
        authentication, transport, peers, catalog, listener, idleStrategy, drainMode);
    SettingRules.ringCapacity(ringCapacity);
    SettingRules.creditThreshold(creditThreshold);
    SettingRules.windowBudget(windowBudget);
    SettingRules.maxRequests(maxRequests);
    SettingRules.range("maxMessageLength", maxMessageLength, 1, 1 << 30);
    SettingRules.range("ioThreads", ioThreads, 1, 64);
    SettingRules.range("handlerThreads", handlerThreads, 1, 1024);
    SettingRules.range("compensatingThreads", compensatingThreads, 0, 4096);
    SettingRules.range("maxHandshakes", maxHandshakes, 1, 65_536);
    SettingRules.range("maxAnnouncedTypes", maxAnnouncedTypes, 1, 65_536);
    SettingRules.positive("connectTimeout", connectTimeout);
    SettingRules.positive("sendTimeout", sendTimeout);
    SettingRules.positive("requestTimeout", requestTimeout);
    SettingRules.positive("closeTimeout", closeTimeout);
    SettingRules.positive("encodeTimeout", encodeTimeout);
    SettingRules.idleTime(idleTime);
    SettingRules.keepAlive(keepAlive);
    SettingRules.positive("slowHandlerTime", slowHandlerTime);
    SettingRules.range("maxConnections", maxConnections, 1, 65_536);
    SettingRules.range("maxConnectionsPerAddress", maxConnectionsPerAddress, 1, 1 << 20);
    SettingRules.maxBufferedBytes(maxBufferedBytes);
    SettingRules.localTransport(localTransport, tls);
    SettingRules.windows(initialWindow, maxWindow, windowBudget);
  }

  /** A builder with every default in place. */
  public static Builder builder(int nodeId) {
    return new Builder(nodeId);
  }

  /** Collects settings; not for use by several threads. */
  public static final class Builder {

    private final int nodeId;
    private String cluster = "default";
    private Authentication authentication = Authentication.localOnly();
    private @Nullable Tls tls;
    private String transport = "tcp";
    private @Nullable String localTransport;
    private @Nullable String listen;
    private NodeDirectory peers = NodeDirectory.empty();
    private @Nullable MessageCatalog catalog;
    private MethodHandles.@Nullable Lookup lookup;
    private NodeListener listener = new NodeListener() {};
    private IdleStrategy idleStrategy = IdleStrategy.adaptive();
    private DrainMode drainMode = DrainMode.ADAPTIVE;
    private int ringCapacity; // 0: what suits the transport
    private int initialWindow = 64 << 10;
    private int maxWindow; // the same
    private double creditThreshold = 0.6;
    private long windowBudget = 1L << 30;
    private int maxMessageLength = 64 << 20;
    private int maxRequests = 1 << 16;
    private int ioThreads = 1;
    private int handlerThreads = Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 1024);
    private int compensatingThreads = 64;
    private Duration connectTimeout = Duration.ofSeconds(5);
    private Duration sendTimeout = Duration.ofSeconds(10);
    private Duration requestTimeout = Duration.ofSeconds(10);
    private Duration closeTimeout = Duration.ofSeconds(5);
    private Duration encodeTimeout = Duration.ofMillis(100);
    private Duration idleTime = Duration.ofSeconds(10);
    private Duration keepAlive = Duration.ofSeconds(3);
    private int maxConnections = 16_384;
    private int maxHandshakes = 256;
    private int maxAnnouncedTypes = 4096;
    private int maxConnectionsPerAddress = 16_384;
    private long maxBufferedBytes = 128 << 20;
    private Duration slowHandlerTime = Duration.ofMillis(100);
    private boolean inspectable;

    private Builder(int nodeId) {
      this.nodeId = NodeIds.check(nodeId);
    }

    /** Name that both sides of a connection must share; at most 255 bytes in UTF-8. */
    public Builder cluster(String name) {
      cluster = SettingRules.cluster(name);
      return this;
    }

    /** How the ends of a connection make sure of each other. */
    public Builder authentication(Authentication how) {
      authentication = SettingRules.given("authentication", how);
      return this;
    }

    /**
     * TLS 1.3 for every connection, with a certificate on both sides that is for the node's id and
     * cluster. Whoever has none is refused, so that the node may listen on any address; combines
     * with a shared secret. Of the transports, tcp has it.
     */
    public Builder tls(Tls credentials) {
      tls = credentials;
      return this;
    }

    /** Name of the transport. */
    public Builder transport(String name) {
      transport = SettingRules.given("transport", name);
      return this;
    }

    /**
     * Name of a transport that is preferred for peers of the same machine and user which prefer it
     * too: {@code shm}. The node listens on both; addresses, also those of directories, stay those
     * of {@link #transport}. Where this one cannot be had, for one peer or at all, the other one is
     * used; {@link NodeMetrics.ConnectionMetrics#transport()} says which it was. Off by default: it
     * costs {@link #ioThreads} more, and memory of {@code /dev/shm} for each connection.
     *
     * <p>A shared secret is asked for over both. Certificates are not: it excludes {@link #tls}.
     */
    public Builder localTransport(String name) {
      localTransport = name;
      return this;
    }

    /**
     * Address to listen on; for tcp {@code host:port} or {@code [ipv6]:port}, port 0 is any; for
     * shm a path whose folder exists, or {@code *} for a socket of its own; for loopback any name.
     */
    public Builder listen(String address) {
      listen = address;
      return this;
    }

    /** Where the other nodes are. */
    public Builder peers(NodeDirectory directory) {
      peers = SettingRules.given("peers", directory);
      return this;
    }

    /** Message types and codecs, prepared by the caller; replaces {@link #lookup}. */
    public Builder catalog(MessageCatalog messages) {
      catalog = SettingRules.given("catalog", messages);
      return this;
    }

    /** Grants access to records in packages that are not open to this library. */
    public Builder lookup(MethodHandles.Lookup access) {
      lookup = SettingRules.given("lookup", access);
      return this;
    }

    /** Hears of connections. */
    public Builder listener(NodeListener nodeListener) {
      listener = SettingRules.given("listener", nodeListener);
      return this;
    }

    /** How threads wait; {@link IdleStrategy#adaptive} by default. */
    public Builder idleStrategy(IdleStrategy strategy) {
      idleStrategy = SettingRules.given("idleStrategy", strategy);
      return this;
    }

    /** Who writes to the medium. */
    public Builder drainMode(DrainMode mode) {
      drainMode = SettingRules.given("drainMode", mode);
      return this;
    }

    /**
     * Bytes of the send ring of a connection; a power of two from 64 KiB to 1 GiB, by default as
     * suits the transport.
     */
    public Builder ringCapacity(int bytes) {
      ringCapacity = SettingRules.ringCapacity(bytes);
      return this;
    }

    /** Bytes that a connection may have unprocessed at its receiver; each 4 KiB to 1 GiB. */
    public Builder window(int initialBytes, int maxBytes) {
      initialWindow = SettingRules.window("initialWindow", initialBytes);
      maxWindow = SettingRules.window("maxWindow", maxBytes);
      return this;
    }

    /**
     * The fraction of a window that handlers have processed before credit goes back to the sender,
     * 0.05 to 0.6. Lower, senders that are far away wait less, for more frames that carry credit.
     * It cannot be higher: a frame of 0.4 of the window must fit into what is not credited yet.
     */
    public Builder creditThreshold(double fraction) {
      creditThreshold = SettingRules.creditThreshold(fraction);
      return this;
    }

    /** Bytes that the windows of all connections may add up to, at least 1 MiB. */
    public Builder windowBudget(long bytes) {
      windowBudget = SettingRules.windowBudget(bytes);
      return this;
    }

    /** Bytes of the largest message that is sent or accepted, up to 1 GiB. */
    public Builder maxMessageLength(int bytes) {
      maxMessageLength = SettingRules.range("maxMessageLength", bytes, 1, 1 << 30);
      return this;
    }

    /** Requests outstanding to one node, a power of two from 2 to 2^24; to all twice as many. */
    public Builder maxRequests(int count) {
      maxRequests = SettingRules.maxRequests(count);
      return this;
    }

    /** Threads that wait for the network, 1 to 64; as many more for {@link #localTransport}. */
    public Builder ioThreads(int count) {
      ioThreads = SettingRules.range("ioThreads", count, 1, 64);
      return this;
    }

    /** Threads of the handler pool, 1 to 1024. */
    public Builder handlerThreads(int count) {
      handlerThreads = SettingRules.range("handlerThreads", count, 1, 1024);
      return this;
    }

    /**
     * Threads that the handler pool may have in addition, 0 to 4096, while pooled handlers wait for
     * responses, room or connections; {@code get} and {@code join} of this library's futures count.
     * They end when the waiting does; beyond, others of the pool go on with what is behind, and if
     * all wait deadlines end it. What waits elsewhere is replaced when no thread is left for the
     * work of other connections; handlers that wait are for {@link Dispatch#BLOCKING}.
     */
    public Builder compensatingThreads(int count) {
      compensatingThreads = SettingRules.range("compensatingThreads", count, 0, 4096);
      return this;
    }

    /** Bounds the time until a link is there, TLS included, and as long again its handshake. */
    public Builder connectTimeout(Duration timeout) {
      connectTimeout = SettingRules.positive("connectTimeout", timeout);
      return this;
    }

    /** Bounds a send that has no timeout of its own. */
    public Builder sendTimeout(Duration timeout) {
      sendTimeout = SettingRules.positive("sendTimeout", timeout);
      return this;
    }

    /** Bounds a request that has no timeout of its own. */
    public Builder requestTimeout(Duration timeout) {
      requestTimeout = SettingRules.positive("requestTimeout", timeout);
      return this;
    }

    /** Bounds {@link Node#close()}. */
    public Builder closeTimeout(Duration timeout) {
      closeTimeout = SettingRules.positive("closeTimeout", timeout);
      return this;
    }

    /** Time after which a codec that blocks while it encodes is reported and kept out of rings. */
    public Builder encodeTimeout(Duration timeout) {
      encodeTimeout = SettingRules.positive("encodeTimeout", timeout);
      return this;
    }

    /**
     * Time, at least 1 ms, after which a connection that sends nothing gives back its ring's memory
     * and its window beyond the first; taking memory again takes some 100 us, over 4 MiB far more.
     */
    public Builder idleTime(Duration time) {
      idleTime = SettingRules.idleTime(time);
      return this;
    }

    /**
     * Time within which a peer is found that is gone without a word: a stopped process, a pulled
     * cable. From 50 milliseconds to a day, the same on all nodes, and at least twice the longest
     * pause that any of them makes as a whole (garbage collection, a virtual machine that is
     * moved). Where a request times out its peer is found within 3 seconds more, and a longer pause
     * is too long. An idle connection exchanges two small frames per third of it.
     */
    public Builder keepAlive(Duration time) {
      keepAlive = SettingRules.keepAlive(time);
      return this;
    }

    /**
     * Connections of this node, whoever opened them, 1 to 65536. Beyond, those that were not used
     * for longest are closed in good order, and come back when they are used again; a peer without
     * listener by itself, so it goes last. Only what is being closed or in use exceeds the number.
     */
    public Builder maxConnections(int count) {
      maxConnections = SettingRules.range("maxConnections", count, 1, 65_536);
      return this;
    }

    /** Handshakes of one address at a time, 1 to 65536; of all addresses twice as many. */
    public Builder maxHandshakes(int count) {
      maxHandshakes = SettingRules.range("maxHandshakes", count, 1, 65_536);
      return this;
    }

    /**
     * Message types that one peer may announce, 1 to 65536; their names and schemas may take a
     * kibibyte each on average, and 2 MiB in any case.
     */
    public Builder maxAnnouncedTypes(int count) {
      maxAnnouncedTypes = SettingRules.range("maxAnnouncedTypes", count, 1, 65_536);
      return this;
    }

    /**
     * Links that may be open from one address of a peer's machine, 1 to 2^20; what comes beyond is
     * refused. A peer that listens opens one.
     */
    public Builder maxConnectionsPerAddress(int count) {
      maxConnectionsPerAddress = SettingRules.range("maxConnectionsPerAddress", count, 1, 1 << 20);
      return this;
    }

    /**
     * Bytes that one peer may make this node keep, each, of responses that the peer does not read,
     * and of long messages that it was granted; at least 1 MiB. Where a single message may be
     * longer than this, one may. Responses beyond fail their requests, and a peer that goes on all
     * the same loses its connection; long messages beyond wait.
     */
    public Builder maxBufferedBytes(long bytes) {
      maxBufferedBytes = SettingRules.maxBufferedBytes(bytes);
      return this;
    }

    /**
     * Time from which on a handler counts as slow in {@link NodeMetrics}; found out by a clock of
     * about an eighth of that time, at most every millisecond, and not found if it was less.
     */
    public Builder slowHandlerTime(Duration time) {
      slowHandlerTime = SettingRules.positive("slowHandlerTime", time);
      return this;
    }

    /**
     * Lets peers ask for the metrics of this node ({@link org.ringwire.management.Inspect}), as
     * {@code ./ringwire top} does. They are authenticated as all peers are.
     */
    public Builder inspectable() {
      inspectable = true;
      return this;
    }

    /** The settings. */
    public NodeConfig build() {
      MessageCatalog messages = catalog;
      if (messages == null) {
        messages = lookup == null ? new MessageCatalog() : new MessageCatalog(lookup);
      }
      BufferSizes sizes = TransportProviders.preferredSizes(transport);
      return new NodeConfig(
          nodeId,
          cluster,
          authentication,
          tls,
          transport,
          localTransport,
          listen,
          peers,
          messages,
          listener,
          idleStrategy,
          drainMode,
          ringCapacity == 0 ? sizes.ringCapacity() : ringCapacity,
          initialWindow,
          maxWindow == 0 ? sizes.maxWindow() : maxWindow,
          creditThreshold,
          windowBudget,
          maxMessageLength,
          maxRequests,
          ioThreads,
          handlerThreads,
          compensatingThreads,
          connectTimeout,
          sendTimeout,
          requestTimeout,
          closeTimeout,
          encodeTimeout,
          idleTime,
          keepAlive,
          maxConnections,
          maxHandshakes,
          maxAnnouncedTypes,
          maxConnectionsPerAddress,
          maxBufferedBytes,
          slowHandlerTime,
          inspectable);
    }
  }
}
