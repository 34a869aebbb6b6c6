package org.ringwire.heap.image.container;

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
  CollectionShape(Class<?> type, int tag) {
    super(type, tag);
  }

  @Override
  protected Object create(int count, int setting) {
    return switch (tag()) {
      case ContainerTags.ARRAY_LIST -> new ArrayList<>(count);
      case ContainerTags.LINKED_LIST -> new LinkedList<>();
      case ContainerTags.ARRAY_DEQUE -> new ArrayDeque<>(count);
      case ContainerTags.VECTOR -> new Vector<>(count);
      case ContainerTags.STACK -> new Stack<>();
      case ContainerTags.COPY_ON_WRITE_LIST -> new CopyOnWriteArrayList<>();
      case ContainerTags.HASH_SET -> HashSet.newHashSet(count);
      case ContainerTags.LINKED_HASH_SET -> LinkedHashSet.newLinkedHashSet(count);
      case ContainerTags.CONCURRENT_QUEUE -> new ConcurrentLinkedQueue<>();
      case ContainerTags.CONCURRENT_DEQUE -> new ConcurrentLinkedDeque<>();
      default -> throw new IllegalStateException("no such collection: tag=" + tag());
    };
  }

  @Override
  protected boolean isKey(int index) {
    return tag() == ContainerTags.HASH_SET || tag() == ContainerTags.LINKED_HASH_SET;
  }
}
