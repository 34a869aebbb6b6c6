package org.ringwire;

/** The range of node ids. */
final class NodeIds {

  private NodeIds() {}

  static int check(int nodeId) {
    if (nodeId < 0 || nodeId > Node.MAX_ID) {
      throw new IllegalArgumentException("node id must be in 0..65535: nodeId=" + nodeId);
    }
    return nodeId;
  }
}
