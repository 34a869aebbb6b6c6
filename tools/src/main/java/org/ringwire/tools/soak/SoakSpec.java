package org.ringwire.tools.soak;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the process of one life of a node needs to know; told to it as JSON.
 *
 * @param node id of the node, 1 to {@code nodes}
 * @param life how often the node was started before
 * @param nodes number of nodes
 * @param threads threads of each node that send one way; one more sends requests
 * @param maxConnections connections that a node keeps; beyond it one is dismissed
 * @param rate messages per second and thread, about
 * @param capacity messages that a thread may send to one node in one life
 * @param seed of everything random
 * @param folder where the ledger is
 * @param listen address to listen on
 * @param secret what the nodes prove to each other to know
 */
record SoakSpec(
    int node,
    int life,
    int nodes,
    int threads,
    int maxConnections,
    int rate,
    long capacity,
    long seed,
    String folder,
    String listen,
    String secret) {

  /** Another life, or another node. */
  SoakSpec with(int otherNode, int otherLife, String address) {
    return new SoakSpec(
        otherNode,
        otherLife,
        nodes,
        threads,
        maxConnections,
        rate,
        capacity,
        seed,
        folder,
        address,
        secret);
  }

  /** Messages that a thread sends to one node in a second, at most. */
  int mostPerSecond() {
    return mostPerSecond(rate);
  }

  static int mostPerSecond(int rate) {
    return Math.max(rate, Requester.MOST_PER_SECOND);
  }

  /** The numbered streams from a node to another: one per sending thread, and the requests. */
  int streams() {
    return threads + 1;
  }

  /**
   * The nodes that a node is connected to when all rest, so that two rests can be compared: all
   * others, or where their connections are limited to one less, all but one. With an odd number of
   * nodes that leaves the last with all but two; nobody has room for another connection to it.
   */
  Set<Integer> restingPeers() {
    Set<Integer> peers = new TreeSet<>();
    for (int other = 1; other <= nodes; other++) {
      if (other != node && (maxConnections >= nodes - 1 || !isApart(other))) {
        peers.add(other);
      }
    }
    return peers;
  }

  private boolean isApart(int other) {
    int low = Math.min(node, other);
    int high = Math.max(node, other);
    int lastPaired = nodes % 2 == 0 ? nodes : nodes - 3;
    return high > lastPaired ? high == nodes && low >= nodes - 2 : low % 2 == 1 && high == low + 1;
  }

  Path sentFile() {
    return Path.of(folder, "sent-" + node + "-" + life);
  }

  Path receivedFile(int sender, int senderLife) {
    return Path.of(folder, "received-" + sender + "-" + senderLife + "-by-" + node + "-" + life);
  }
}
