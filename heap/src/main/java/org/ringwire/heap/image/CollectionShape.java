package org.ringwire.heap.image;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.Stack;
import java.util.Vector;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Lists, sets and queues: their elements, in the order of iteration. What makes one is chosen by
 * its tag: a lambda for each would take longer than the first graph of a JVM.
 */
@SuppressWarnings("JdkObsolete") // to be sent, not to be used
final class CollectionShape extends ElementsShape {
  static final int ARRAY_LIST = Tags.CONTAINERS;
  static final int LINKED_LIST = ARRAY_LIST + 1;
  static final int ARRAY_DEQUE = ARRAY_LIST + 2;
  static final int VECTOR = ARRAY_LIST + 3;
  static final int STACK = ARRAY_LIST + 4;
  static final int COPY_ON_WRITE_LIST = ARRAY_LIST + 5;
  static final int HASH_SET = ARRAY_LIST + 6;
  static final int LINKED_HASH_SET = ARRAY_LIST + 7;
  static final int CONCURRENT_QUEUE = ARRAY_LIST + 8;
  static final int CONCURRENT_DEQUE = ARRAY_LIST + 9;

  CollectionShape(Class<?> type, int tag) {
    super(type, tag);
  }

  @Override
  Object create(int count, int setting) {
    return switch (tag) {
      case ARRAY_LIST -> new ArrayList<>(count);
      case LINKED_LIST -> new LinkedList<>();
      case ARRAY_DEQUE -> new ArrayDeque<>(count);
      case VECTOR -> new Vector<>(count);
      case STACK -> new Stack<>();
      case COPY_ON_WRITE_LIST -> new CopyOnWriteArrayList<>();
      case HASH_SET -> HashSet.newHashSet(count);
      case LINKED_HASH_SET -> LinkedHashSet.newLinkedHashSet(count);
      case CONCURRENT_QUEUE -> new ConcurrentLinkedQueue<>();
      case CONCURRENT_DEQUE -> new ConcurrentLinkedDeque<>();
      default -> throw new IllegalStateException("no such collection: tag=" + tag);
    };
  }

  @Override
  boolean isKey(int index) {
    return tag == HASH_SET || tag == LINKED_HASH_SET;
  }
}
