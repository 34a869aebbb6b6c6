package org.example.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeConfig;

/**
 * Keys and values spread over nodes: a key lives on the node that its hash names. All methods may
 * be called by any thread.
 */
final class Store implements AutoCloseable {

  private record Put(String key, String value) {}

  private record Get(String key) {}

  private record Remove(String key) {}

  /** What a key had; null if it had nothing. */
  private record Value(String value) {}

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Map<String, String> mine = new ConcurrentHashMap<>();
  private final List<Integer> nodeIds;
  private final Node node;

  private Store(NodeConfig config, List<Integer> nodeIds) {
    this.nodeIds = nodeIds;
    node = Node.open(config, this::serve); // before it listens, so that nobody comes too early
  }

  private void serve(Node node) {
    // A look at a map takes less time than handing the message to another thread would.
    node.handle(
        Get.class, Dispatch.INLINE, (get, exchange) -> exchange.reply(value(mine.get(get.key()))));
    node.handle(
        Put.class,
        Dispatch.INLINE,
        (put, exchange) -> exchange.reply(value(mine.put(put.key(), put.value()))));
    node.handle(
        Remove.class,
        Dispatch.INLINE,
        (remove, exchange) -> exchange.reply(value(mine.remove(remove.key()))));
  }

  /**
   * Starts the part of the store that this process keeps.
   *
   * @param nodeIds of all nodes, in the same order everywhere
   */
  static Store open(NodeConfig config, List<Integer> nodeIds) {
    return new Store(config, List.copyOf(nodeIds));
  }

  /** Where this node listens, for the directory of the others. */
  String address() {
    return node.address();
  }

  /** Sets a value; returns the one before, or null. */
  String put(String key, String value) {
    return node.request(owner(key), new Put(key, value), Value.class, PATIENCE).value();
  }

  /** The value of a key, or null. */
  String get(String key) {
    return node.request(owner(key), new Get(key), Value.class, PATIENCE).value();
  }

  /** The same without waiting; many may be under way at once. */
  CompletableFuture<String> getAsync(String key) {
    return node.requestAsync(owner(key), new Get(key), Value.class).thenApply(Value::value);
  }

  /** Forgets a key; returns the value it had, or null. */
  String remove(String key) {
    return node.request(owner(key), new Remove(key), Value.class, PATIENCE).value();
  }

  /** How many keys this node keeps. */
  int size() {
    return mine.size();
  }

  int owner(String key) {
    return nodeIds.get(Math.floorMod(key.hashCode(), nodeIds.size()));
  }

  private static Value value(String value) {
    return new Value(value);
  }

  @Override
  public void close() {
    node.close();
  }
}
