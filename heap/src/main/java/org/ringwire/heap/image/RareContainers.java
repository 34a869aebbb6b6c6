package org.ringwire.heap.image;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;

/**
 * Collections and maps that few graphs have: their classes are not loaded because a graph has one
 * of the {@link Containers}.
 */
final class RareContainers {
  static final int COPY_ON_WRITE_SET = Tags.CONTAINERS + 10;
  static final int BLOCKING_QUEUE = COPY_ON_WRITE_SET + 1;
  static final int BLOCKING_DEQUE = COPY_ON_WRITE_SET + 2;
  static final int SET_FROM_MAP = Tags.CONTAINERS + 21;

  /** The first of three. */
  static final int SORTED = Tags.CONTAINERS + 56;

  static final int LARGE_ENUM_SET = Tags.CONTAINERS + 30;

  private RareContainers() {}

  static List<Shape> all() {
    List<Shape> shapes = new ArrayList<>();
    shapes.add(new CopyOnWriteSetShape(CopyOnWriteArraySet.class, COPY_ON_WRITE_SET));
    shapes.add(new BlockingQueueShape(LinkedBlockingQueue.class, BLOCKING_QUEUE));
    shapes.add(new BlockingQueueShape(LinkedBlockingDeque.class, BLOCKING_DEQUE));
    shapes.add(SetFromMapShape.of(SET_FROM_MAP));
    shapes.add(new SortedShape(ConcurrentSkipListMap.class, SORTED));
    shapes.add(new SortedShape(ConcurrentSkipListSet.class, SORTED + 1));
    shapes.add(new SortedShape(PriorityBlockingQueue.class, SORTED + 2));
    shapes.add(EnumSetShape.large(LARGE_ENUM_SET));
    shapes.addAll(SynchronizedShape.sorted());
    shapes.addAll(UnmodifiableViewShape.sequenced());
    return shapes;
  }
}
