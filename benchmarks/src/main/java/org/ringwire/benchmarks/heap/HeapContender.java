package org.ringwire.benchmarks.heap;

import java.util.function.LongBinaryOperator;

/**
 * One serializer and one shape of graph. Loaded with the serializer by a class loader of its own
 * ({@link Isolated}), so that no profile of another one disturbs its compilation; hence the general
 * interface.
 */
public final class HeapContender implements LongBinaryOperator {
  static final long ENCODE = 0;
  static final long DECODE = 1;
  static final long LENGTH = 2;

  private final Serializer serializer;
  private final String shape;
  private final int elements;
  private final boolean fresh;
  private final Object graph;

  /**
   * Makes one, and looks whether its copy of the graph is right.
   *
   * @param name of the serializer
   * @param shape of the graph
   * @param elements of the graph
   * @param cycles whether back-references are found
   * @param fresh whether each graph is encoded once only
   */
  public HeapContender(String name, String shape, Integer elements, Boolean cycles, Boolean fresh) {
    this.shape = shape;
    this.elements = elements;
    this.fresh = fresh;
    this.graph = Graph.of(shape, elements);
    this.serializer = Serializers.of(name, shape, elements, cycles);
    serializer.encode(graph);
    if (!Graph.isSame(graph, serializer.decode())) {
      throw new IllegalStateException("copy differs: serializer=" + name + " shape=" + shape);
    }
  }

  /** Nanoseconds for so many times of {@link #ENCODE} or {@link #DECODE}; or {@link #LENGTH}. */
  @Override
  public long applyAsLong(long operation, long count) {
    if (operation == LENGTH) {
      return serializer.encode(graph);
    }
    return operation == ENCODE ? encode((int) count) : decode((int) count);
  }

  private long encode(int count) {
    Object[] graphs = new Object[fresh ? count : 1];
    for (int i = 0; i < graphs.length; i++) {
      graphs[i] = fresh ? Graph.of(shape, elements) : graph;
    }
    long startNs = System.nanoTime();
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      bytes += serializer.encode(graphs[fresh ? i : 0]);
    }
    long tookNs = System.nanoTime() - startNs;
    if (bytes <= 0) {
      throw new IllegalStateException("nothing was encoded");
    }
    return tookNs;
  }

  private long decode(int count) {
    Object last = graph;
    long startNs = System.nanoTime();
    for (int i = 0; i < count; i++) {
      last = serializer.decode();
    }
    long tookNs = System.nanoTime() - startNs;
    if (last.equals(this)) {
      throw new IllegalStateException("nothing was decoded");
    }
    return tookNs;
  }
}
