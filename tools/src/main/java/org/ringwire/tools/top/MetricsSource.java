package org.ringwire.tools.top;

import org.ringwire.NodeMetrics;

/** Where the metrics of a running node come from; one thread. */
interface MetricsSource extends AutoCloseable {

  /** What to call it, for people. */
  String name();

  /**
   * The metrics of now.
   *
   * @throws org.ringwire.tools.console.CommandException if the node does not answer any more
   */
  NodeMetrics read();

  @Override
  void close();
}
