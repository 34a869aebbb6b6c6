package org.ringwire.management;

import org.ringwire.NodeMetrics;

/** A node as JMX sees it; see {@link NodeManagement}. */
public interface NodeMXBean {

  /** What the node has done, and how it is doing now. */
  NodeMetrics getMetrics();
}
