package org.ringwire.zookeeper;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.common.PathUtils;
import org.jspecify.annotations.Nullable;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;

/**
 * Addresses in Apache ZooKeeper: below one path, a child named by the id of each node holds its
 * address in UTF-8. Nodes announce themselves with {@link #register}; whoever opens the directory
 * sees them come, move and go.
 *
 * <p>While ZooKeeper cannot be reached, the addresses known before stay. Children that make no
 * sense are passed over and logged once, as is that something may not be read. Connections between
 * nodes that exist are left alone when a node moves or disappears.
 *
 * <p>Any thread may call all methods. Addresses are kept in a concurrent map, which the one thread
 * of the cache's events writes. The client belongs to the caller and outlives this directory.
 */
public final class ZooKeeperDirectory implements NodeDirectory, AutoCloseable {
  /** All addresses of the machine that looks at it. */
  private static final Pattern ANY_ADDRESS =
      Pattern.compile("(0\\.0\\.0\\.0|\\[(0*:)+0*(0\\.0\\.0\\.0)?])(:|$)");

  private static final Logger LOGGER = System.getLogger("org.ringwire.zookeeper");
  private static final String NO_TIMEOUT = "timeout must not be null";
  private static final int MAX_ID_DIGITS = 5;

  /** A child beside those of nodes: who may announce each. */
  private static final String CLAIMS = ".claims";

  private final CuratorFramework client;
  private final String path;
  private final String claims;
  private final CuratorCache cache;
  private final CountDownLatch loaded = new CountDownLatch(1);
  private final Map<Integer, String> addresses = new ConcurrentHashMap<>();

  /** Paths of children that make no sense; what is said of each once. */
  private final Set<String> refused = ConcurrentHashMap.newKeySet();

  /** Why something was not read, as it was told; empty if all of it was, as far as is known. */
  private volatile String problem = "";

  @SuppressWarnings("this-escape") // a final class
  private ZooKeeperDirectory(CuratorFramework client, String path) {
    this.client = client;
    this.path = path;
    claims = ZKPaths.makePath(path, CLAIMS);
    cache = CuratorCache.builder(client, path).withExceptionHandler(this::noteUnread).build();
  }

  /**
   * Opens a directory, and waits until what is known now was read once.
   *
   * @param client started; the caller closes it, after this directory
   * @param path of the parent of all nodes of a cluster, such as {@code "/ringwire/production"}; it
   *     need not exist
   * @param timeout how long to wait for ZooKeeper; if that is not enough the directory is returned
   *     as it is, and filled as soon as ZooKeeper answers
   * @return the directory, to be closed when no node uses it any more
   * @throws IllegalArgumentException if the path is malformed
   * @throws IllegalStateException if the client was not started, or is closed
   * @throws InterruptedException if the thread is interrupted while it waits; the directory is
   *     closed then
   */
  public static ZooKeeperDirectory open(CuratorFramework client, String path, Duration timeout)
      throws InterruptedException {
    Objects.requireNonNull(client, "client must not be null");
    PathUtils.validatePath(Objects.requireNonNull(path, "path must not be null"));
    Objects.requireNonNull(timeout, NO_TIMEOUT);
    Refusals.requireOpen(client);
    ZooKeeperDirectory directory = new ZooKeeperDirectory(client, path);
    directory.cache.listenable().addListener(directory.listener());
    directory.cache.start();
    try {
      if (!directory.loaded.await(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS)) {
        LOGGER.log(Level.WARNING, "ZooKeeper does not answer yet: path={0}", path);
      }
    } catch (InterruptedException e) {
      directory.close();
      throw e;
    }
    return directory;
  }

  private CuratorCacheListener listener() {
    return CuratorCacheListener.builder()
        .forCreates(this::put)
        .forChanges((before, now) -> put(now))
        .forDeletes(this::remove)
        .forInitialized(loaded::countDown)
        .build();
  }

  /** Of an entry that is not read nothing else is heard: a directory would look empty. */
  private void noteUnread(Exception e) {
    String text = Refusals.text(e);
    if (!Refusals.isOne(e)) { // that ZooKeeper is away the client tells
      LOGGER.log(Level.DEBUG, "not read: path=" + path, e);
    } else if (!text.equals(problem)) {
      problem = text;
      LOGGER.log(
          Level.WARNING,
          "what ZooKeeper has there may not be read, or not all of it; what was known stays:"
              + " path={0}: {1}",
          path,
          text);
    }
  }

  private void put(ChildData child) {
    if (child.getPath().equals(path)) {
      problem = "";
      return;
    }
    if (isClaim(child.getPath())) {
      return;
    }
    int id = idOf(child.getPath());
    String address = textOf(child.getData());
    if (id >= 0 && address != null) {
      refused.remove(child.getPath());
      addresses.put(id, address);
    } else if (refused.add(child.getPath())) {
      LOGGER.log(
          Level.WARNING,
          "not the address of a node, passed over: path={0} (a child is named by a node id, 0 to"
              + " {1}, and holds an address in UTF-8)",
          child.getPath(),
          String.valueOf(Node.MAX_ID));
    }
  }

  private void remove(ChildData child) {
    refused.remove(child.getPath());
    int id = idOf(child.getPath());
    if (id >= 0) {
      addresses.remove(id);
    }
  }

  private boolean isClaim(String childPath) {
    return childPath.equals(claims) || childPath.startsWith(claims + "/");
  }

  /** The id that a child is named by; -1 if it is none, or no child of ours. */
  private int idOf(String childPath) {
    ZKPaths.PathAndNode child = ZKPaths.getPathAndNode(childPath);
    String name = child.getNode();
    boolean digits =
        child.getPath().equals(path)
            && !name.isEmpty()
            && name.length() <= MAX_ID_DIGITS
            && name.chars().allMatch(c -> c >= '0' && c <= '9')
            && (name.length() == 1 || name.charAt(0) != '0');
    int id = digits ? Integer.parseInt(name) : -1;
    return id <= Node.MAX_ID ? id : -1;
  }

  private static @Nullable String textOf(byte @Nullable [] data) {
    if (data == null) {
      return null;
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(data)).toString();
      return text.isBlank() ? null : text;
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /**
   * Announces a node until the registration is closed or this process has lost its session with
   * ZooKeeper; when it has a new one it announces the node again, unless another process has
   * registered it since.
   *
   * @param nodeId 0 to 65535
   * @param address where others reach it: {@link Node#address} of a node that listens on one
   *     address; one that listens on all has a name or address that others use
   * @param timeout how long to wait for ZooKeeper
   * @return the registration, to be closed before the node is
   * @throws IllegalArgumentException if the id is none, or the address is empty or one of all
   *     addresses of a machine
   * @throws IllegalStateException if ZooKeeper does not answer in time or refuses it, for want of
   *     rights for example, the client is closed, or another process has registered the node
   *     meanwhile; the node is announced only if the call is repeated
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public Registration register(int nodeId, String address, Duration timeout)
      throws InterruptedException {
    if (nodeId < 0 || nodeId > Node.MAX_ID) {
      throw new IllegalArgumentException("node id must be in 0..65535: nodeId=" + nodeId);
    }
    Objects.requireNonNull(address, () -> "address of node " + nodeId + " must not be null");
    Objects.requireNonNull(timeout, NO_TIMEOUT);
    if (address.isBlank()) {
      throw new IllegalArgumentException("no address: nodeId=" + nodeId + " address=" + address);
    }
    if (ANY_ADDRESS.matcher(address).lookingAt()) {
      throw new IllegalArgumentException(
          "address leads every peer to itself, not to this node: address="
              + address
              + " (register the host name or address that others use)");
    }
    Refusals.requireOpen(client);
    String id = String.valueOf(nodeId);
    return Registration.open(
        client,
        ZKPaths.makePath(path, id),
        ZKPaths.makePath(claims, id),
        address.getBytes(StandardCharsets.UTF_8),
        timeout);
  }

  @Override
  public @Nullable String address(int nodeId) {
    return addresses.get(nodeId);
  }

  /**
   * All addresses known now.
   *
   * @return a copy
   */
  public Map<Integer, String> addresses() {
    return Map.copyOf(addresses);
  }

  /** Watches no more; the addresses stay, and so do registrations. */
  @Override
  public void close() {
    cache.close();
  }
}
