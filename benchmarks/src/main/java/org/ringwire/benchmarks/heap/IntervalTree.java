package org.ringwire.benchmarks.heap;

import java.util.Arrays;

/**
 * What a traversal has visited, as intervals of addresses: the memory interval tree of the paper on
 * Naos (section 3.1, Algorithm 1), a red-black tree with a hot path for what lies behind the object
 * before it, a warm path for what lies between the last interval and the one that follows, and a
 * cold path for all else. Nodes lie in arrays that are used again, so that visiting allocates
 * nothing once they are long enough. For one thread; for comparison with the table of the library,
 * which needs no addresses.
 */
public final class IntervalTree {

  private static final int NONE = 0;
  private static final int FIRST_CAPACITY = 1024;

  private long[] starts = new long[FIRST_CAPACITY];
  private long[] ends = new long[FIRST_CAPACITY];
  private int[] left = new int[FIRST_CAPACITY];
  private int[] right = new int[FIRST_CAPACITY];
  private int[] parent = new int[FIRST_CAPACITY];
  private boolean[] red = new boolean[FIRST_CAPACITY];
  private int count = 1; // the first one stands for no node
  private int root = NONE;
  private int current = NONE;
  private int next = NONE;

  /** Nothing visited. */
  public IntervalTree() {
    starts[NONE] = Long.MAX_VALUE;
    ends[NONE] = Long.MAX_VALUE;
  }

  /** Nothing visited any more. */
  public void clear() {
    count = 1;
    root = NONE;
    current = NONE;
    next = NONE;
  }

  /** Intervals that what was visited falls into, as far as they were merged. */
  public int intervals() {
    return count - 1;
  }

  /**
   * Visits an object.
   *
   * @param address 0 or more
   * @param length 1 or more, in the unit of addresses
   * @return whether it was visited before
   */
  public boolean visit(long address, long length) {
    if (address == ends[current] && address != starts[next]) { // hot
      ends[current] = address + length;
      return false;
    }
    if (address > ends[current] && address < starts[next]) { // warm
      insertBetween(address, address + length);
      return false;
    }
    return visitAnywhere(address, length);
  }

  private void insertBetween(long start, long end) {
    int node = newNode(start, end);
    if (right[current] == NONE) {
      right[current] = node;
      parent[node] = current;
    } else {
      left[next] = node; // the leftmost below the right child has no left child
      parent[node] = next;
    }
    current = node;
    balance(node);
  }

  private boolean visitAnywhere(long address, long length) {
    int below = NONE;
    int before = NONE;
    int node = root;
    while (node != NONE) {
      below = node;
      if (address < starts[node]) {
        node = left[node];
      } else {
        before = node;
        node = right[node];
      }
    }
    if (before != NONE && address < ends[before]) {
      return true;
    }
    if (before != NONE && address == ends[before]) {
      ends[before] = address + length;
      current = before;
    } else {
      current = insertBelow(below, address, address + length);
    }
    next = successor(current);
    return false;
  }

  private int insertBelow(int above, long start, long end) {
    int node = newNode(start, end);
    parent[node] = above;
    if (above == NONE) {
      root = node;
    } else if (start < starts[above]) {
      left[above] = node;
    } else {
      right[above] = node;
    }
    balance(node);
    return node;
  }

  private int newNode(long start, long end) {
    if (count == starts.length) {
      grow();
    }
    int node = count++;
    starts[node] = start;
    ends[node] = end;
    left[node] = NONE;
    right[node] = NONE;
    red[node] = true;
    return node;
  }

  private void grow() {
    int capacity = 2 * count;
    starts = Arrays.copyOf(starts, capacity);
    ends = Arrays.copyOf(ends, capacity);
    left = Arrays.copyOf(left, capacity);
    right = Arrays.copyOf(right, capacity);
    parent = Arrays.copyOf(parent, capacity);
    red = Arrays.copyOf(red, capacity);
  }

  private int successor(int of) {
    int node = right[of];
    if (node != NONE) {
      while (left[node] != NONE) {
        node = left[node];
      }
      return node;
    }
    int child = of;
    node = parent[of];
    while (node != NONE && child == right[node]) {
      child = node;
      node = parent[node];
    }
    return node;
  }

  private void balance(int inserted) {
    int node = inserted;
    while (node != root && red[parent[node]]) {
      int above = parent[node];
      int top = parent[above];
      boolean isLeft = above == left[top];
      int uncle = isLeft ? right[top] : left[top];
      if (uncle != NONE && red[uncle]) {
        red[above] = false;
        red[uncle] = false;
        red[top] = true;
        node = top;
        continue;
      }
      if (node == (isLeft ? right[above] : left[above])) {
        rotate(above, isLeft);
        above = node;
      }
      red[above] = false;
      red[top] = true;
      rotate(top, !isLeft);
      break;
    }
    red[root] = false;
  }

  /** Turns a node and the child on the other side, so that the child is above. */
  private void rotate(int node, boolean toTheLeft) {
    int child = toTheLeft ? right[node] : left[node];
    int inner = toTheLeft ? left[child] : right[child];
    if (toTheLeft) {
      right[node] = inner;
      left[child] = node;
    } else {
      left[node] = inner;
      right[child] = node;
    }
    if (inner != NONE) {
      parent[inner] = node;
    }
    int above = parent[node];
    parent[child] = above;
    parent[node] = child;
    if (above == NONE) {
      root = child;
    } else if (left[above] == node) {
      left[above] = child;
    } else {
      right[above] = child;
    }
  }

  /** The longest way from the root down, in nodes; for tests. */
  int depth() {
    return depth(root);
  }

  private int depth(int node) {
    return node == NONE ? 0 : 1 + Math.max(depth(left[node]), depth(right[node]));
  }
}
