package org.ringwire.tools.soak;

import java.nio.file.Path;

/**
 * What the process of one life of a node needs to know; told to it as JSON.
 *
 * @param node id of the node, 1 to {@code nodes}
 * @param life how often the node was started before
 * @param nodes number of nodes
 * @param threads threads of each node that send one way; one more sends requests
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
    int rate,
    long capacity,
    long seed,
    String folder,
    String listen,
    String secret) {

  /** Another life, or another node. */
  SoakSpec with(int otherNode, int otherLife, String address) {
    return new SoakSpec(
        otherNode, otherLife, nodes, threads, rate, capacity, seed, folder, address, secret);
  }

  /** The numbered streams from a node to another: one per sending thread, and the requests. */
  int streams() {
    return threads + 1;
  }

  Path sentFile() {
    return Path.of(folder, "sent-" + node + "-" + life);
  }

  Path receivedFile(int sender, int senderLife) {
    return Path.of(folder, "received-" + sender + "-" + senderLife + "-by-" + node + "-" + life);
  }
}
