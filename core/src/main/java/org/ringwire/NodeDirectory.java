package org.ringwire;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Where the nodes are. Asked whenever a connection is wanted that there is not, and again now and
 * then while an attempt to connect brings no link, so that a node may move, also while attempts at
 * another address back off: implementations answer at once and from any thread. Who sends is that
 * thread, or one that reads from the network, so an answer that takes long delays everything, and
 * no timeout bounds it: what has to be looked up is looked up beforehand. Host names are resolved
 * by the transport at every attempt. Directories that follow a file or a name service are in {@link
 * org.ringwire.discovery}.
 */
@FunctionalInterface
public interface NodeDirectory {

  /**
   * The address of a node in the form that its transport reads, or null if it is unknown.
   *
   * <p>An exception costs the call that has asked, which ends with a {@link
   * NodeUnreachableException} whose cause it is; where a status is returned that is {@link
   * SendStatus#UNREACHABLE}, and the log has the exception. The next call asks again. A peer that
   * connects by itself is served all the same, and is sent to over its own link. An {@link Error}
   * comes through to who has called, and nothing is begun.
   */
  @Nullable String address(int nodeId);

  /** A directory that never changes. */
  static NodeDirectory of(Map<Integer, String> addresses) {
    Map<Integer, String> copy = new HashMap<>();
    SettingRules.given("addresses", addresses)
        .forEach((id, address) -> copy.put(NodeIds.check(given(id)), given(id, address)));
    return copy::get;
  }

  private static int given(Integer nodeId) {
    return SettingRules.given("a node id", nodeId);
  }

  /** Null is what {@link Node#address()} of a node is that does not listen. */
  private static String given(int nodeId, String address) {
    return SettingRules.given("address of node " + nodeId, address);
  }

  /** A directory of no node: for a node that is only connected to. */
  static NodeDirectory empty() {
    return nodeId -> null;
  }

  /** A directory that can change while nodes use it. */
  static Mutable mutable() {
    return new Mutable();
  }

  /** Addresses that any thread may change at any time. */
  final class Mutable implements NodeDirectory {

    private final Map<Integer, String> addresses = new ConcurrentHashMap<>();

    private Mutable() {}

    /** Adds a node or moves it; connections that exist are left alone. */
    public Mutable put(int nodeId, String address) {
      addresses.put(NodeIds.check(nodeId), given(nodeId, address));
      return this;
    }

    /** Forgets a node; connections that exist are left alone. */
    public Mutable remove(int nodeId) {
      addresses.remove(nodeId);
      return this;
    }

    @Override
    public @Nullable String address(int nodeId) {
      return addresses.get(nodeId);
    }
  }
}
