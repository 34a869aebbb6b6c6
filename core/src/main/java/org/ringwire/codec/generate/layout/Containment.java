package org.ringwire.codec.generate.layout;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Finds which records contain themselves, and the widths of all, once all components are known: so
 * both depend on nothing but the types themselves, whatever was met first. A type argument that no
 * component uses contains nothing.
 *
 * <p>These are the strongly connected components of the graph of records and sealed interfaces, in
 * one pass (Tarjan): each is settled after all that it leads to, whose widths it needs. Used once,
 * by one thread; as deep in recursion as types are nested, which those who resolve them bound.
 */
final class Containment {

  /** A record or sealed interface that was met. */
  private static final class Vertex {
    final Layout layout;
    final int number; // in the order of meeting
    int lowest; // number that can be reached and is not settled
    boolean settled;
    boolean containsItself;

    Vertex(Layout layout, int number) {
      this.layout = layout;
      this.number = number;
      lowest = number;
    }
  }

  private final IdentityHashMap<Layout, Vertex> vertices = new IdentityHashMap<>();
  private final Deque<Vertex> open = new ArrayDeque<>();

  private Containment() {}

  /** Settles all records that a type uses, whose components are complete. */
  static void settle(Layout root) {
    Containment containment = new Containment();
    for (Layout named : named(root)) {
      if (!containment.vertices.containsKey(named)) {
        Vertex _ = containment.visit(named);
      }
    }
  }

  private Vertex visit(Layout named) {
    Vertex vertex = new Vertex(named, vertices.size());
    vertices.put(named, vertex);
    open.push(vertex);
    for (Layout part : parts(named)) {
      for (Layout next : named(part)) {
        follow(vertex, next);
      }
    }
    if (vertex.lowest == vertex.number) {
      settleFrom(vertex);
    }
    return vertex;
  }

  private void follow(Vertex from, Layout next) {
    Vertex known = vertices.get(next);
    Vertex to = known != null ? known : visit(next);
    if (!to.settled) {
      from.lowest = Math.min(from.lowest, to.lowest);
      from.containsItself |= to == from;
    }
  }

  /** Those that contain each other: all that are open, down to the first that was met. */
  private void settleFrom(Vertex first) {
    boolean several = open.peek() != first;
    Vertex vertex;
    do {
      vertex = open.pop();
      vertex.settled = true;
      if (vertex.layout instanceof Layout.Product product) {
        product.settle(several || vertex.containsItself);
      }
    } while (vertex != first);
  }

  private static List<Layout> parts(Layout named) {
    return switch (named) {
      case Layout.Product product ->
          product.components().stream().map(Layout.Component::layout).toList();
      case Layout.Choice choice -> choice.subtypes();
      default -> List.of();
    };
  }

  /** The records and sealed interfaces that a type is, or holds in its containers. */
  private static List<Layout> named(Layout layout) {
    List<Layout> found = new ArrayList<>();
    collect(layout, found);
    return found;
  }

  private static void collect(Layout layout, List<Layout> found) {
    switch (layout) {
      case Layout.Product _, Layout.Choice _ -> found.add(layout);
      case Layout.Sequence sequence -> collect(sequence.element(), found);
      case Layout.Maybe maybe -> collect(maybe.value(), found);
      case Layout.Dictionary map -> {
        collect(map.key(), found);
        collect(map.value(), found);
      }
      case Layout.Scalar _,
          Layout.CompactNumber _,
          Layout.PrimitiveArray _,
          Layout.Value _,
          Layout.Constant _ -> {}
      case EvolvedLayout evolved -> throw new IllegalStateException("read only: " + evolved);
    }
  }
}
