package org.ringwire.tools.demo.graph;

/**
 * Which node owns which vertex: vertex {@code v} belongs to worker {@code v % nodes}. Neighbours in
 * the numbering are classes of one package, which refer to each other a lot; dealing them out like
 * cards makes most edges cross, which is the point of the demo, and balances the work.
 *
 * @param vertices number of vertices of the whole graph
 * @param nodes number of workers, numbered from 0
 */
public record Spread(int vertices, int nodes) {

  public Spread {
    if (vertices < 0 || nodes < 1) {
      throw new IllegalArgumentException("not a spread: vertices=" + vertices + " nodes=" + nodes);
    }
  }

  /** The worker that owns a vertex. */
  public int owner(int vertex) {
    return vertex % nodes;
  }

  /** The place of a vertex among those of its owner. */
  public int local(int vertex) {
    return vertex / nodes;
  }

  /** The vertex at a place of a worker. */
  public int vertex(int worker, int local) {
    return local * nodes + worker;
  }

  /** Number of vertices of a worker. */
  public int count(int worker) {
    return (vertices - worker + nodes - 1) / nodes;
  }
}
